import { ApiError } from '@google/genai';
import { HttpResponse } from 'msw';
import { describe, expect, test } from 'vitest';
import { gemini } from '../../src/gemini.ts';
import { assembleTurn, stringifyRequest } from '../../src/index.ts';
import { argumentTexts, beginning, rest, toolContent, toolTurn, whole } from './gemini-answer.ts';
import { byFetch, bySdkChunks, geminiClients, sdkStream } from './gemini-clients.ts';
import { eventStream, useMswProvider } from './msw-provider.ts';

const host = 'http://provider.test';
const { answerWith } = useMswProvider(/^http:\/\/provider\.test\/v1beta\/models\/gemini-local:streamGenerateContent/);
const headers = { 'retry-after': '7', 'x-request-id': 'req_local' };

describe.each(geminiClients)('assembleTurn of gemini, over $name', (client) => {
  test('takes what the request gives', async () => {
    answerWith(() => eventStream(toolTurn));
    const turn = await assembleTurn(client.open(host), gemini).finalTurn();
    expect(turn).toMatchObject({ stopReason: 'STOP', turnId: 'resp_1', model: 'gemini-local', warnings: [] });
    expect(turn.entries).toEqual([JSON.parse(toolContent)]);
    expect(turn.toolCalls.map(({ input }) => input)).toEqual(argumentTexts.map((text) => JSON.parse(text)));
  });

  test.each([
    [400, 'INVALID_ARGUMENT', 'Function call is missing a thought_signature in functionCall parts.', false],
    [403, 'PERMISSION_DENIED', 'Method does not allow unregistered callers', false],
    [429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota', true],
    [500, 'INTERNAL', 'An internal error has occurred', true],
    [503, 'UNAVAILABLE', 'The model is overloaded', true],
  ])('fails with HttpStatusError for a status of %i', async (status, code, message, retryable) => {
    const details = Array.from({ length: 20 }, (_, at) => ({
      '@type': 'type.test/QuotaFailure',
      quotaId: `PerDay${at}`,
    }));
    const body = { error: { code: status, message, status: code, details } };
    const bodies = answerWith(() => HttpResponse.json(body, { status, headers }));
    const turn = await assembleTurn(client.open(host), gemini).settled();
    expect(turn).toMatchObject({ status: 'failed', entries: [], toolCalls: [], blocks: [] });
    expect(turn.error).toMatchObject({ code: 'http_status', status, retryable, body: JSON.stringify(body) });
    expect(turn.error?.message).toContain(`${code}: ${message}`);
    expect(bodies).toHaveLength(1);
  });

  test('has the text of a refusal that is no JSON', async () => {
    answerWith(
      () => new HttpResponse('upstream connect error', { status: 502, headers: { 'content-type': 'text/plain' } }),
    );
    const { error } = await assembleTurn(client.open(host), gemini).settled();
    expect(error).toMatchObject({ code: 'http_status', status: 502, retryable: true });
    expect(error?.message).toContain('upstream connect error');
  });

  test('fails with ProviderError for an error event, and has it as it came', async () => {
    const wire = { error: { code: 429, message: 'Slow down', status: 'RESOURCE_EXHAUSTED' } };
    answerWith(() => eventStream(`${beginning}data: ${JSON.stringify(wire)}\r\n\r\n`));
    const turn = await assembleTurn(client.open(host), gemini).settled();
    expect(turn).toMatchObject({ status: 'failed', entries: [], blocks: [{ state: 'finished' }, { state: 'cut' }] });
    expect(turn.error).toMatchObject({ code: 'provider_error', type: 'RESOURCE_EXHAUSTED', retryable: true, wire });
  });
});

describe('assembleTurn of gemini, over fetch', () => {
  test('takes the promise, and what it resolves to', async () => {
    const bodies = answerWith(() => eventStream(toolTurn));
    for (const source of [byFetch.open(host), await byFetch.open(host)]) {
      const { entries, toolCalls } = await assembleTurn(source, gemini).finalTurn();
      expect(stringifyRequest(entries)).toBe(`[${toolContent}]`);
      expect(toolCalls.map(({ inputText }) => inputText)).toEqual(argumentTexts);
    }
    expect(bodies).toHaveLength(2);
  });

  test('has the headers of a refusal', async () => {
    answerWith(() => HttpResponse.json({ error: { code: 429, message: 'no' } }, { status: 429, headers }));
    const { error } = await assembleTurn(byFetch.open(host), gemini).settled();
    expect(error).toMatchObject({ code: 'http_status', headers });
  });

  test('fails with NotEventStreamError for a JSON answer', async () => {
    answerWith(() => HttpResponse.json([{ candidates: [] }]));
    const { status, error } = await assembleTurn(byFetch.open(host), gemini).settled();
    expect(status).toBe('failed');
    expect(error).toMatchObject({ code: 'not_event_stream', contentType: 'application/json' });
  });
});

describe('assembleTurn of gemini, over the chunks of the SDK', () => {
  test('takes the promise, and what it resolves to', async () => {
    answerWith(() => eventStream(beginning + rest));
    for (const source of [sdkStream(host, {}), await sdkStream(host, {})]) {
      await expect(assembleTurn(source, gemini).finalTurn()).resolves.toMatchObject(whole);
    }
  });

  test('keeps the error of the SDK as the cause, which has no headers', async () => {
    answerWith(() => HttpResponse.json({ error: { code: 429, message: 'no' } }, { status: 429, headers }));
    const { error } = await assembleTurn(bySdkChunks.open(host), gemini).settled();
    expect(error).toMatchObject({ code: 'http_status', headers: {}, cause: expect.any(ApiError) });
  });

  test('fails with what the SDK says of a JSON answer', async () => {
    answerWith(() => HttpResponse.json([{ candidates: [] }]));
    const { status, error } = await assembleTurn(bySdkChunks.open(host), gemini).settled();
    expect([status, error?.code]).toEqual(['failed', 'transport']);
    expect(error?.message).toContain('Incomplete JSON segment');
  });
});
