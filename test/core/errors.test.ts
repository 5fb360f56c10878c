import { describe, expect, test } from 'vitest';
import {
  HttpStatusError,
  IdleTimeoutError,
  isAbort,
  LimitExceededError,
  NotEventStreamError,
  TransportError,
  toTurnError,
  WireFormatError,
} from '../../src/core/errors.ts';
import { ProviderError, providerError } from '../../src/core/provider-error.ts';
import { WholeturnError } from '../../src/core/wholeturn-error.ts';

describe('WholeturnError', () => {
  test.each([
    [new HttpStatusError(529, {}, ''), 'http_status', 'HttpStatusError', /status 529/],
    [new TransportError(new Error('reset')), 'transport', 'TransportError', /reset.*Send the request again/],
    [new WireFormatError('Not JSON', '{oops'), 'wire_format', 'WireFormatError', /Not JSON: "\{oops"/],
    [new LimitExceededError('blocks', 5), 'limit_exceeded', 'LimitExceededError', /blocks of 5.*limits: \{ blocks/],
    [new IdleTimeoutError(50), 'idle_timeout', 'IdleTimeoutError', /50 ms.*idleTimeout/],
    [providerError({ error: { type: 't', message: 'm' } }), 'provider_error', 'ProviderError', /t in the stream: m/],
  ])('%s has a literal code and name, and names the way out', (error, code, name, message) => {
    expect(error).toBeInstanceOf(WholeturnError);
    expect([error.code, error.name]).toEqual([code, name]);
    expect(error.message).toMatch(message);
  });

  test('keeps the cause', () => {
    const cause = new Error('socket hang up');
    expect(new TransportError(cause).cause).toBe(cause);
  });

  test('keeps no more of unreadable data than an excerpt', () => {
    const error = new WireFormatError('Not JSON', 'x'.repeat(100_000));
    expect(error.data.length).toBeLessThan(2100);
    expect(error.message.length).toBeLessThan(400);
  });
});

describe('messages', () => {
  const failed = (message: string): string => providerError({ error: { type: 't', message } }).message;

  test('end each sentence once', () => {
    expect(failed('Too many anglers')).toBe(failed('Too many anglers.'));
    expect(failed('Too many anglers?')).toContain('anglers? ');
    expect(failed('Too many anglers.')).not.toContain('..');
  });

  test('ask for a stream in the words of the provider', () => {
    const met = (body: string): string => new NotEventStreamError('JSON', { contentType: 'json', body }).message;
    expect(met('{"id":1}')).toContain('got JSON: {"id":1}. Was the request made with `stream: true`?');
    expect(met('[{"candidates":[]}]')).toContain('[{"candidates":[]}]. Was the request made with `?alt=sse`?');
  });
});

describe('HttpStatusError', () => {
  test.each([
    [400, false],
    [401, false],
    [408, true],
    [409, true],
    [429, true],
    [500, true],
    [529, true],
  ])('says whether status %i is worth another try', (status, retryable) => {
    expect(new HttpStatusError(status, {}, '').retryable).toBe(retryable);
  });

  test('shows what the provider said, as JSON or as text', () => {
    expect(new HttpStatusError(400, {}, '{"error":{"type":"invalid","message":"No."}}').message).toMatch(
      /: invalid: No\.$/,
    );
    expect(new HttpStatusError(502, {}, ' <html>Bad gateway</html> ').message).toMatch(/: <html>Bad gateway<\/html>$/);
    expect(new HttpStatusError(502, {}, 'x'.repeat(9000)).message.length).toBeLessThan(300);
  });
});

describe('providerError', () => {
  test.each([
    [
      'nested',
      { type: 'error', error: { type: 'overloaded_error', message: 'Over' }, request_id: 'r' },
      'overloaded_error',
      'Over',
      true,
    ],
    ['flat', { type: 'error', message: 'Over' }, null, 'Over', false],
    ['a string', { error: 'Over' }, null, 'Over', false],
    ['a status code', { error: { code: 503, message: 'Over', status: 'UNAVAILABLE' } }, 'UNAVAILABLE', 'Over', true],
    ['a detail', { detail: 'no model' }, null, 'no model', false],
    ['nothing known', { error: { x: 1 } }, null, '{"error":{"x":1}}', false],
  ])('reads the %s shape', (_, wire, type, message, retryable) => {
    const error = providerError(wire);
    expect([error.type, error.retryable, error.wire]).toEqual([type, retryable, wire]);
    expect(error.message).toContain(`: ${message}.`);
  });
});

describe('toTurnError', () => {
  test('keeps an error of the library as it is', () => {
    const error = new IdleTimeoutError(5);
    expect(toTurnError(error)).toBe(error);
  });

  test('makes of an SDK error with a status what the answer would have been', () => {
    const cause = Object.assign(new Error('429'), {
      status: 429,
      error: { error: { type: 'rate_limit_error', message: 'Slow' } },
    });
    expect(toTurnError(cause)).toMatchObject({ code: 'http_status', status: 429, retryable: true, cause });
  });

  test('makes of an SDK error without one the error event it came from', () => {
    const cause = Object.assign(new Error('x'), {
      status: undefined,
      error: { type: 'error', error: { type: 'api_error', message: 'Oops' } },
    });
    const error = toTurnError(cause);
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ type: 'api_error', cause });
  });

  test('reads the body of an answer that an SDK keeps in its message alone, however long it is', () => {
    const details = Array.from({ length: 40 }, (_, at) => ({
      '@type': 'QuotaFailure',
      quotaId: `RequestsPerDay${at}`,
    }));
    const body = JSON.stringify({ error: { code: 429, message: 'Quota.', status: 'RESOURCE_EXHAUSTED', details } });
    const cause = Object.assign(new Error(body), { name: 'ApiError', status: 429 });
    expect(toTurnError(cause)).toMatchObject({
      code: 'http_status',
      status: 429,
      retryable: true,
      headers: {},
      body,
      message: 'The provider answered with HTTP status 429: RESOURCE_EXHAUSTED: Quota.',
      cause,
    });
  });

  test('keeps no more of such a body than an answer may have', () => {
    const cause = Object.assign(new Error('x'.repeat(100_000)), { status: 502 });
    const { body } = toTurnError(cause) as HttpStatusError;
    expect(body.length).toBeGreaterThan(60_000);
    expect(body.length).toBeLessThan(66_000);
  });

  test.each([
    ['UNAVAILABLE', { error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } }, 'UNAVAILABLE'],
    ['undefined', { error: { code: 503, message: 'Bu}\nsy' } }, null],
  ])('makes an error event again of the message that Google makes of it (%s)', (status, wire, type) => {
    const message = `got status: ${status}. ${JSON.stringify(wire)}`;
    const cause = Object.assign(new Error(message), { name: 'ApiError', status: 503 });
    const error = toTurnError(cause);
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ type, said: wire.error.message, retryable: true, wire, cause });
  });

  test.each(['got status: INTERNAL. {oops}', 'got status: INTERNAL. {"message":"no error"}', 'got status: 500'])(
    'takes the message %s for the body of an answer',
    (message) => {
      const cause = Object.assign(new Error(message), { status: 500 });
      expect(toTurnError(cause)).toMatchObject({ code: 'http_status', status: 500, body: message });
    },
  );

  test('makes a wire format error of what an SDK throws for an event that is no JSON', () => {
    expect(toTurnError(new SyntaxError('Unexpected token'))).toMatchObject({ code: 'wire_format' });
  });

  test.each([new Error('reset'), 'reset', undefined, null, 3])('makes a transport error of %s', (cause) => {
    expect(toTurnError(cause)).toMatchObject({ code: 'transport', cause });
  });
});

describe('isAbort', () => {
  test('knows the abort of fetch and of the SDKs, and nothing else', () => {
    expect(isAbort(new DOMException('x', 'AbortError'))).toBe(true);
    expect(isAbort(Object.assign(new Error('x'), { name: 'APIUserAbortError' }))).toBe(true);
    expect(isAbort(new DOMException('x', 'TimeoutError'))).toBe(false);
    expect(isAbort('AbortError')).toBe(false);
  });
});
