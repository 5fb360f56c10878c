import { Readable } from 'node:stream';
import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { HttpStatusError, NotEventStreamError } from '../../src/core/errors.ts';
import { fromResponse, type ResponseSource } from '../../src/rx/from-response.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const eventStream = { headers: { 'content-type': 'text/event-stream; charset=utf-8' } };

/** A body that sends some chunks, stays idle, and tells when it is cancelled. */
function idleBody(...chunks: string[]): { body: ReadableStream<Uint8Array>; cancels: unknown[] } {
  const cancels: unknown[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(bytes(chunk));
    },
    cancel(reason) {
      cancels.push(reason);
    },
  });
  return { body, cancels };
}

async function textOf(source: ResponseSource): Promise<string> {
  const chunks = await lastValueFrom(fromResponse(source).pipe(toArray()));
  return chunks.map((chunk) => (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))).join('');
}

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('fromResponse', () => {
  async function* strings(): AsyncGenerator<string> {
    yield 'data: 1\n\n';
    yield 'data: 2\n\n';
  }

  const sources: [string, () => ResponseSource][] = [
    ['a Response', () => new Response('data: 1\n\ndata: 2\n\n', eventStream)],
    ['a promise of a Response', () => Promise.resolve(new Response('data: 1\n\ndata: 2\n\n', eventStream))],
    ['a ReadableStream', () => new Response('data: 1\n\ndata: 2\n\n').body as ReadableStream<Uint8Array>],
    ['an async generator of strings', () => strings()],
    ['a Node Readable', () => Readable.from([Buffer.from('data: 1\n\n'), Buffer.from('data: 2\n\n')])],
    ['a Response whose content type is missing', () => new Response(new Blob(['data: 1\n\ndata: 2\n\n']))],
    [
      'a response of another library, with a Node body',
      () => ({
        status: 200,
        headers: new Headers(eventStream.headers),
        body: Readable.from(['data: 1\n\ndata: 2\n\n']),
      }),
    ],
  ];

  test.each(sources)('reads %s', async (_, create) => {
    await expect(textOf(create())).resolves.toBe('data: 1\n\ndata: 2\n\n');
  });

  test('reads a response without a body as an empty one', async () => {
    await expect(textOf(new Response(null, { status: 204 }))).resolves.toBe('');
  });

  test('fails with the status and what the provider said when the request was refused', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const response = new Response(JSON.stringify(error), {
      status: 529,
      headers: { 'Retry-After': '7', 'Set-Cookie': 'a=b' },
    });
    const failure = await textOf(response).catch((cause: unknown) => cause);
    expect(failure).toBeInstanceOf(HttpStatusError);
    expect(failure).toMatchObject({
      code: 'http_status',
      status: 529,
      body: JSON.stringify(error),
      retryable: true,
      message: 'The provider answered with HTTP status 529: overloaded_error: Overloaded',
    });
    expect((failure as HttpStatusError).headers).toEqual({
      'content-type': 'text/plain;charset=UTF-8',
      'retry-after': '7',
    });
  });

  test('keeps no more of an error body than the limit, and cancels the rest', async () => {
    const { body, cancels } = idleBody('a'.repeat(600), 'b'.repeat(600), 'c');
    const source = new Response(body, { status: 400 });
    const failure = lastValueFrom(fromResponse(source, { limits: { errorBodyBytes: 1000 } }));
    await expect(failure).rejects.toMatchObject({ body: 'a'.repeat(600) + 'b'.repeat(400), retryable: false });
    expect(cancels).toHaveLength(1);
  });

  test('fails when the answer is no event stream, with its start and the way out', async () => {
    const response = new Response('<html>login</html>', { headers: { 'content-type': 'text/html' } });
    const failure = await textOf(response).catch((cause: unknown) => cause);
    expect(failure).toBeInstanceOf(NotEventStreamError);
    expect(failure).toMatchObject({ contentType: 'text/html', body: '<html>login</html>' });
    expect(String(failure)).toMatch(/text\/html: <html>login<\/html>.*stream: true.*response\.body/s);
  });

  test('cancels the body once, while it is idle, and waits for nothing', async () => {
    const { body, cancels } = idleBody('data: 1\n\n');
    const seen: unknown[] = [];
    const subscription = fromResponse(new Response(body, eventStream)).subscribe((chunk) => seen.push(chunk));
    await tick();
    expect(seen).toHaveLength(1);
    subscription.unsubscribe();
    subscription.unsubscribe();
    await tick();
    expect(cancels).toHaveLength(1);
  });

  test('does not cancel a body that ended by itself', async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes('data: 1\n\n'));
        controller.close();
      },
      cancel() {
        cancelled = true;
      },
    });
    await textOf(body);
    expect(cancelled).toBe(false);
  });

  test('cancels the body of a response that comes after the subscriber has left', async () => {
    const { body, cancels } = idleBody('data: 1\n\n');
    let arrive: (response: Response) => void = () => {};
    const source = new Promise<Response>((resolve) => {
      arrive = resolve;
    });
    fromResponse(source).subscribe().unsubscribe();
    arrive(new Response(body, eventStream));
    await tick();
    expect(cancels).toHaveLength(1);
  });

  test('destroys an idle Node Readable at once', async () => {
    const readable = new Readable({ read() {} });
    readable.push('data: 1\n\n');
    const subscription = fromResponse(readable).subscribe();
    await tick();
    subscription.unsubscribe();
    expect(readable.destroyed).toBe(true);
  });

  test('passes the error of a broken body on', async () => {
    const body = new ReadableStream<Uint8Array>({ pull: () => Promise.reject(new Error('socket hang up')) });
    await expect(textOf(body)).rejects.toThrow('socket hang up');
  });

  test('passes the rejection of a promise on', async () => {
    await expect(textOf(Promise.reject(new TypeError('fetch failed')))).rejects.toThrow('fetch failed');
  });

  test('says what was meant when the body is locked', async () => {
    const response = new Response('data: 1\n\n', eventStream);
    response.body?.getReader();
    await expect(textOf(response)).rejects.toThrow(/locked.*nobody reads/);
  });

  test.each([
    ['a string', 'data: 1\n\n'],
    ['nothing', undefined],
    ['a number', 5],
    ['a plain object', {}],
  ])('throws at once for %s, and says what was meant', (_, source) => {
    expect(() => fromResponse(source as unknown as Response)).toThrow(/Did you mean a Response/);
  });

  test.each([
    ['text', 'a string'],
    [{ id: 'msg_1', role: 'assistant' }, 'an object with the members id, role'],
    [{}, 'an object without members'],
    [undefined, 'undefined'],
  ])('fails for a promise of %j, and says what came', async (value, met) => {
    const failure = textOf(Promise.resolve(value) as unknown as Promise<Response>);
    await expect(failure).rejects.toMatchObject({
      code: 'not_event_stream',
      message: expect.stringMatching(`got ${met}\\. .*stream: true`),
    });
  });
});
