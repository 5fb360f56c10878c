import { config, from, of, Subject } from 'rxjs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import { HttpStatusError } from '../../src/core/errors.ts';
import type { JsonObject } from '../../src/core/json-object.ts';
import type { TurnEvent, UiEvent } from '../../src/core/turn-event.ts';
import { TurnInterruptedError } from '../../src/core/turn-interrupted-error.ts';
import { assembleTurn } from '../../src/rx/assemble-turn.ts';
import { call, delta, messageEnd, messageStart, sse, start, stop, text } from '../dialects/anthropic/wire-events.ts';

const whole = [messageStart(), ...text(0, 'Hel', 'lo'), ...messageEnd()];

/** A body that the test feeds, and that tells when it is cancelled. */
function fedBody(): { body: ReadableStream<Uint8Array>; feed: (text: string) => Promise<void>; cancels: unknown[] } {
  const cancels: unknown[] = [];
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    cancel(reason) {
      cancels.push(reason);
    },
  });
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    body,
    cancels,
    feed(piece) {
      controller?.enqueue(new TextEncoder().encode(piece));
      return settle();
    },
  };
}

describe('assembleTurn', () => {
  afterEach(() => {
    config.onUnhandledError = null;
  });

  test('reads at once, whether or not anyone watches', async () => {
    const turn = assembleTurn(
      new Response(sse(...whole), { headers: { 'content-type': 'text/event-stream' } }),
      anthropic,
    );
    await expect(turn.settled()).resolves.toMatchObject({
      status: 'complete',
      entries: [{ role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }],
    });
  });

  test('tells a late subscriber the whole story, compacted, then the live rest', async () => {
    const { body, feed } = fedBody();
    const turn = assembleTurn(body, anthropic);
    await feed(
      sse(
        messageStart(),
        start(0, { type: 'text', text: '' }),
        delta(0, 'text_delta', { text: 'Hel' }),
        delta(0, 'text_delta', { text: 'lo' }),
      ),
    );
    const seen: UiEvent[] = [];
    turn.ui.subscribe((event) => seen.push(event));
    expect(seen.map(({ type }) => type)).toEqual(['turn_start', 'block_start', 'text_delta', 'usage']);
    expect(seen[2]).toEqual({ type: 'text_delta', index: 0, text: 'Hello' });
    await feed(sse(delta(0, 'text_delta', { text: '!' }), stop(0), ...messageEnd()));
    expect(seen.slice(4).map(({ type }) => type)).toEqual(['text_delta', 'block_stop', 'usage', 'turn_stop']);
  });

  test('tells one who comes after the end everything, and completes', async () => {
    const turn = assembleTurn(of(sse(...whole)), anthropic);
    await turn.settled();
    const seen: string[] = [];
    turn.events.subscribe({ next: ({ type }) => seen.push(type), complete: () => seen.push('complete') });
    expect(seen).toEqual([
      'turn_start',
      'block_start',
      'text_delta',
      'block_stop',
      'block',
      'usage',
      'turn',
      'turn_stop',
      'complete',
    ]);
  });

  test('settles with message_stop, though the body stays open, and cancels it', async () => {
    const { body, feed, cancels } = fedBody();
    const turn = assembleTurn(body, anthropic);
    await feed(sse(...whole));
    await expect(turn.settled()).resolves.toMatchObject({ status: 'complete' });
    expect(cancels).toHaveLength(1);
  });

  test('stays complete when the connection breaks after message_stop', async () => {
    const source = new Subject<string>();
    const turn = assembleTurn(source, anthropic);
    source.next(sse(...whole));
    source.error(new Error('socket hang up'));
    await expect(turn.finalTurn()).resolves.toMatchObject({ status: 'complete' });
  });

  test('keeps what came, and gives nothing back, when the connection breaks before', async () => {
    const source = new Subject<string>();
    const turn = assembleTurn(source, anthropic);
    source.next(sse(messageStart(), ...text(0, 'kept'), ...call(1, {}, '{}').slice(0, 2)));
    source.error(new TypeError('terminated', { cause: new Error('other side closed') }));
    const assembled = await turn.settled();
    expect(assembled).toMatchObject({
      status: 'failed',
      entries: [],
      toolCalls: [],
      blocks: [{ state: 'finished', text: 'kept' }, { state: 'cut' }],
    });
    expect(assembled.error).toMatchObject({ code: 'transport', retryable: true });
    expect(assembled.error?.message).toContain('terminated (other side closed)');
  });

  test('rejects finalTurn with an error that carries the turn, and says why', async () => {
    const turn = assembleTurn(of(sse(messageStart(), ...text(0, 'kept'))), anthropic);
    const failure = await turn.finalTurn().catch((cause: unknown) => cause);
    expect(failure).toBeInstanceOf(TurnInterruptedError);
    expect(failure).toMatchObject({
      code: 'turn_interrupted',
      turn: { status: 'truncated', blocks: [{ text: 'kept' }] },
    });
  });

  test('fails with the status of a refused request', async () => {
    const turn = assembleTurn(
      Promise.resolve(new Response('{"error":{"message":"no credit"}}', { status: 402 })),
      anthropic,
    );
    const failure = await turn.finalTurn().catch((cause: unknown) => cause);
    expect((failure as TurnInterruptedError).cause).toBeInstanceOf(HttpStatusError);
    expect((failure as TurnInterruptedError).message).toContain('402: no credit');
  });

  test('makes its promises when they are asked for, so that nothing is unhandled', async () => {
    const unhandled: unknown[] = [];
    const note = (cause: unknown): void => {
      unhandled.push(cause);
    };
    process.on('unhandledRejection', note);
    assembleTurn(Promise.reject(new Error('fetch failed')), anthropic);
    assembleTurn(of('data: {nonsense\n\n'), anthropic).abort();
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  test('aborts at once while idle, keeps what came, and tells everybody', async () => {
    const { body, feed, cancels } = fedBody();
    const turn = assembleTurn(body, anthropic);
    const seen: UiEvent[] = [];
    turn.ui.subscribe((event) => seen.push(event));
    await feed(sse(messageStart(), start(0, { type: 'text', text: 'so far' })));
    turn.abort('stop button');
    expect(seen.slice(-2)).toMatchObject([
      { type: 'block_stop', index: 0, state: 'cut' },
      { type: 'turn_stop', status: 'aborted' },
    ]);
    turn.abort();
    expect(cancels).toHaveLength(1);
    await expect(turn.settled()).resolves.toMatchObject({
      status: 'aborted',
      entries: [],
      blocks: [{ text: 'so far' }],
    });
    await expect(turn.finalTurn()).rejects.toMatchObject({ cause: 'stop button' });
  });

  test('finishes the batch in which an observer aborts, then ends', async () => {
    const source = new Subject<string>();
    const turn = assembleTurn(source, anthropic);
    const seen: string[] = [];
    turn.ui.subscribe((event) => {
      seen.push(event.type);
      if (event.type === 'block_start') turn.abort();
    });
    source.next(sse(messageStart(), start(0, { type: 'text', text: '' }), delta(0, 'text_delta', { text: 'a' })));
    expect(seen).toEqual(['turn_start', 'usage', 'block_start', 'text_delta', 'block_stop', 'turn_stop']);
    expect(source.observed).toBe(false);
  });

  test('obeys a signal, also one that was aborted before, and lets go of it at the end', async () => {
    const controller = new AbortController();
    const remove = vi.spyOn(controller.signal, 'removeEventListener');
    const done = assembleTurn(of(sse(...whole)), anthropic, { signal: controller.signal });
    await done.settled();
    expect(remove).toHaveBeenCalledTimes(1);
    const { body, cancels } = fedBody();
    const turn = assembleTurn(body, anthropic, { signal: controller.signal });
    controller.abort(new Error('navigated away'));
    await expect(turn.finalTurn()).rejects.toMatchObject({
      turn: { status: 'aborted' },
      cause: new Error('navigated away'),
    });
    expect(cancels).toHaveLength(1);
    const late = fedBody();
    const never = assembleTurn(late.body, anthropic, { signal: controller.signal });
    await expect(never.settled()).resolves.toMatchObject({ status: 'aborted', blocks: [] });
    expect(late.cancels).toHaveLength(1);
  });

  test('takes the abort of the request itself for an abort', async () => {
    const aborted = Promise.reject(new DOMException('This operation was aborted', 'AbortError'));
    await expect(assembleTurn(aborted, anthropic).settled()).resolves.toMatchObject({ status: 'aborted' });
  });

  test('hurts nobody when an observer throws', async () => {
    const reported: unknown[] = [];
    config.onUnhandledError = (cause) => reported.push(cause);
    const source = new Subject<string>();
    const turn = assembleTurn(source, anthropic);
    turn.ui.subscribe(() => {
      throw new Error('render failed');
    });
    const seen: UiEvent[] = [];
    turn.ui.subscribe((event) => seen.push(event));
    source.next(sse(...whole));
    await expect(turn.settled()).resolves.toMatchObject({ status: 'complete' });
    expect(seen.at(-1)?.type).toBe('turn_stop');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(reported).toHaveLength(seen.length);
  });

  test('gives the UI events to for await, late or early, and goes on when the loop breaks', async () => {
    const turn = assembleTurn(of(sse(...whole)), anthropic);
    const types: string[] = [];
    for await (const event of turn) types.push(event.type);
    expect(types).toEqual(['turn_start', 'block_start', 'text_delta', 'block_stop', 'usage', 'turn_stop']);
    const { body, feed } = fedBody();
    const broken = assembleTurn(body, anthropic);
    const first = (async () => {
      for await (const event of broken) return event.type;
      return undefined;
    })();
    await feed(sse(...whole));
    await expect(first).resolves.toBe('turn_start');
    await expect(broken.settled()).resolves.toMatchObject({ status: 'complete' });
  });

  test('takes the parsed events of an SDK, and leaves their objects alone', async () => {
    async function* parsed(): AsyncGenerator<object> {
      yield* structuredClone(events);
    }
    const events = [
      messageStart(),
      ...call(0, { input: { a: [1] } }),
      ...call(1, {}, '{"a": 1.0}'),
      ...messageEnd('tool_use'),
    ];
    const copy = structuredClone(events);
    const { toolCalls } = await assembleTurn(parsed(), anthropic).finalTurn();
    expect(toolCalls.map(({ inputText }) => inputText)).toEqual(['{"a":[1]}', '{"a": 1.0}']);
    await assembleTurn(of(...events), anthropic).finalTurn();
    expect(events).toEqual(copy);
  });

  test('fails for chunks that are neither bytes, text nor events', async () => {
    const turn = await assembleTurn(of(5 as unknown as string), anthropic).settled();
    expect(turn.status).toBe('failed');
    expect(turn.error?.message).toContain('Expected bytes, text or parsed events');
  });

  test('ignores among parsed events what is no object, as among bytes', async () => {
    const events = whole.flatMap((event): unknown[] => [event, 7, null, [event]]);
    const ofEvents = await assembleTurn(from(events as JsonObject[]), anthropic).finalTurn();
    const ofBytes = await assembleTurn(of(sse(...whole)), anthropic).finalTurn();
    expect(ofEvents.entries).toEqual(ofBytes.entries);
  });

  test('takes array buffers and views for bytes', async () => {
    const bytes = new TextEncoder().encode(sse(...whole));
    const view = new DataView(bytes.buffer, 10);
    await expect(assembleTurn(of(bytes.buffer.slice(0, 10), view), anthropic).settled()).resolves.toMatchObject({
      status: 'complete',
    });
  });

  test('fails when a limit is exceeded, names it, and keeps what came before in any chunks', async () => {
    const body = sse(messageStart(), ...text(0, 'a'.repeat(500)), ...text(1, 'b'.repeat(1500)), ...messageEnd());
    for (const chunks of [[body], [...body]]) {
      const turn = await assembleTurn(of(...chunks), anthropic, { limits: { turnLength: 1500 } }).settled();
      expect(turn).toMatchObject({ status: 'failed', blocks: [{ state: 'finished' }, { state: 'cut' }] });
      expect(turn.error).toMatchObject({ code: 'limit_exceeded', limit: 'turnLength', value: 1500 });
    }
    const many = sse(messageStart(), ...[0, 1, 2].flatMap((index) => text(index, 'x')));
    await expect(assembleTurn(of(many), anthropic, { limits: { blocks: 2 } }).settled()).resolves.toMatchObject({
      status: 'failed',
      error: { limit: 'blocks' },
    });
  });

  test('has the times of the blocks by the clock, also in a late view', async () => {
    let now = 100;
    const source = new Subject<string>();
    const turn = assembleTurn(source, anthropic, { clock: () => now });
    source.next(sse(messageStart(), start(0, { type: 'text', text: 'x' })));
    now = 250;
    source.next(sse(stop(0), ...messageEnd()));
    const { blocks } = await turn.settled();
    expect(blocks[0]).toMatchObject({ startedAt: 100, stoppedAt: 250 });
    now = 900;
    const views: unknown[] = [];
    turn.view.subscribe(({ blocks: [block] }) => views.push([block?.startedAt, block?.stoppedAt]));
    expect(views.at(-1)).toEqual([100, 250]);
  });

  test('aborts a request whose answer has not come yet, if it makes the request itself', async () => {
    let signal: AbortSignal | undefined;
    const turn = assembleTurn((given) => {
      signal = given;
      return new Promise<Response>(() => {});
    }, anthropic);
    expect(signal?.aborted).toBe(false);
    turn.abort();
    expect(signal?.aborted).toBe(true);
    await expect(turn.settled()).resolves.toMatchObject({ status: 'aborted' });
  });

  test.each([
    ['an error that refers to itself', Object.assign(new Error('x'), { error: {} as object })],
    ['an error that holds a bigint', Object.assign(new Error('x'), { error: { a: 1n } })],
    ['an object without a prototype', Object.create(null)],
    [
      'a getter that throws',
      Object.defineProperty(new Error('x'), 'status', {
        get: () => {
          throw new Error('no');
        },
      }),
    ],
  ])('settles as failed, whatever the source fails with: %s', async (_, cause: unknown) => {
    if (cause instanceof Error && 'error' in cause) Object.assign(cause.error as object, { self: cause.error });
    const { status, error } = await assembleTurn(Promise.reject(cause), anthropic).settled();
    expect(status).toBe('failed');
    expect(error?.cause).toBe(cause);
  });

  test.each([
    ['undefined', () => Promise.resolve(undefined)],
    ['a value instead of a result', () => Promise.resolve(5)],
  ])('fails when an iterator gives %s', async (_, next) => {
    const source = { [Symbol.asyncIterator]: () => ({ next }) } as unknown as AsyncIterable<string>;
    await expect(assembleTurn(source, anthropic).settled()).resolves.toMatchObject({ status: 'failed' });
  });

  test('reads an iterator that gives results without promises', async () => {
    const results = [
      { done: false, value: sse(...whole) },
      { done: true, value: undefined },
    ];
    const source = {
      [Symbol.asyncIterator]: () => ({ next: () => results.shift() }),
    } as unknown as AsyncIterable<string>;
    await expect(assembleTurn(source, anthropic).settled()).resolves.toMatchObject({ status: 'complete' });
  });

  test('does not read a source whose signal was aborted before', async () => {
    const next = vi.fn(() => Promise.resolve({ done: true as const, value: undefined }));
    const source = { [Symbol.asyncIterator]: () => ({ next }) };
    await assembleTurn(source, anthropic, { signal: AbortSignal.abort() }).settled();
    expect(next).not.toHaveBeenCalled();
  });

  test('lives with a clock that throws', async () => {
    const clock = (): number => {
      throw new Error('no time');
    };
    const seen: string[] = [];
    const source = new Subject<string>();
    assembleTurn(source, anthropic, { clock }).ui.subscribe(({ type }) => seen.push(type));
    source.next(sse(...whole));
    expect(seen.slice(-3)).toEqual(['block_stop', 'usage', 'turn_stop']);
  });

  test('gives the same observables whenever it is asked for them', () => {
    const turn = assembleTurn(new Subject<string>(), anthropic);
    const [first, second] = [0, 1].map(() => [turn.events, turn.ui, turn.blocks, turn.view]);
    for (const [place, observable] of (first ?? []).entries()) expect(second?.[place]).toBe(observable);
  });

  test.each([
    [undefined, /Expected a dialect, got undefined.*import \{ anthropic \}/],
    ['anthropic', /Expected a dialect, got "anthropic"/],
    [{}, /Expected a dialect/],
  ])('throws at once for %j as a dialect, and says what was meant', (dialect, message) => {
    expect(() => assembleTurn(of(''), dialect as unknown as typeof anthropic)).toThrow(message);
  });

  test.each([
    [{ limits: { turnLenght: 5 } }, /no limit turnLenght.*turnLength/],
    [{ limits: { blocks: Number.NaN } }, /blocks must be a number above 0/],
    [{ limits: { blocks: '5' } }, /blocks must be a number above 0/],
    [{ idleTimeout: Number.NaN }, /idleTimeout must be a number/],
    [{ idleTimeout: -1 }, /idleTimeout must be a number/],
  ])('throws at once for the options %j', (options, message) => {
    expect(() => assembleTurn(of(''), anthropic, options as object)).toThrow(message);
  });

  test('takes an undefined limit and an infinite idle timeout for the default', async () => {
    const options = { limits: { blocks: undefined } as object, idleTimeout: Number.POSITIVE_INFINITY };
    await expect(assembleTurn(of(sse(...whole)), anthropic, options).settled()).resolves.toMatchObject({
      status: 'complete',
    });
  });

  test.each([
    ['a body that was read already', () => readAlready()],
    ['an address that is none', () => fetch('not a url')],
    ['a header that is none', async () => fetch('http://127.0.0.1', { headers: { 'x-api-key': 'a\nb' } })],
  ])('does not call misuse retryable: %s', async (_, create) => {
    const { error } = await assembleTurn(create(), anthropic).settled();
    expect(error).toMatchObject({ code: 'transport', retryable: false });
    expect(error?.message).not.toMatch(/Send the request again|\.\./);
  });

  async function readAlready(): Promise<Response> {
    const response = new Response(sse(...whole), { headers: { 'content-type': 'text/event-stream' } });
    await response.text();
    return response;
  }

  test('tells one who comes late of any number of citations', async () => {
    const citations = sse(delta(0, 'citations_delta', { citation: { at: 1 } })).repeat(150_000);
    const body = `${sse(messageStart(), start(0, { type: 'text', text: 'x' }))}${citations}${sse(stop(0), ...messageEnd())}`;
    const turn = assembleTurn(of(body), anthropic);
    let seen = 0;
    turn.ui.subscribe((event) => {
      if (event.type === 'citation') seen += 1;
    });
    expect(seen).toBe(150_000);
  });

  test('gives each finished block before the turn', async () => {
    const source = new Subject<string>();
    const turn = assembleTurn(source, anthropic);
    const seen: (TurnEvent['type'] | number)[] = [];
    turn.blocks.subscribe(({ index }) => seen.push(index));
    source.next(sse(messageStart(), ...text(0, 'x'), ...call(1, {}, '{}')));
    expect(seen).toEqual([0]);
    source.next(sse(...messageEnd('tool_use')));
    expect(seen).toEqual([0, 1]);
  });
});

describe('assembleTurn with an idle timeout', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('fails after silence, counts comments and pings as life, and stops the source', async () => {
    const source = new Subject<string>();
    const turn = assembleTurn(source, anthropic, { idleTimeout: 1000 });
    vi.advanceTimersByTime(900);
    source.next(sse(messageStart()));
    vi.advanceTimersByTime(900);
    source.next(': keep-alive\n\n');
    vi.advanceTimersByTime(900);
    source.next('event: ping\ndata: {"type":"ping"}\n\n');
    vi.advanceTimersByTime(900);
    expect(source.observed).toBe(true);
    vi.advanceTimersByTime(101);
    expect(source.observed).toBe(false);
    const { status, error } = await turn.settled();
    expect([status, error?.code, error?.message]).toEqual([
      'failed',
      'idle_timeout',
      expect.stringContaining('1000 ms'),
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('counts the time until the response comes', async () => {
    const turn = assembleTurn(new Promise<Response>(() => {}), anthropic, { idleTimeout: 50 });
    vi.advanceTimersByTime(51);
    await expect(turn.settled()).resolves.toMatchObject({ error: { code: 'idle_timeout' } });
  });

  test('leaves no timer behind at the end', async () => {
    await assembleTurn(of(sse(...whole)), anthropic, { idleTimeout: 1000 }).settled();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('assembleTurn, at a limit', () => {
  test('fails, and stops the source, at a message that is longer than it may be', async () => {
    const source = new Subject<string>();
    const turn = assembleTurn(source, anthropic, { limits: { messageLength: 300 } });
    source.next(sse(messageStart()));
    source.next(`data: ${'x'.repeat(400)}`);
    expect(source.observed).toBe(false);
    await expect(turn.settled()).resolves.toMatchObject({ status: 'failed', error: { code: 'limit_exceeded' } });
  });

  test('fails a bare body that stays silent for too long', async () => {
    const { body, cancels } = fedBody();
    const turn = assembleTurn(body, anthropic, { idleTimeout: 10 });
    await expect(turn.settled()).resolves.toMatchObject({ status: 'failed', error: { code: 'idle_timeout' } });
    expect(cancels).toHaveLength(1);
  });

  test('is truncated when half an event is the last of the bytes', async () => {
    const turn = assembleTurn(of(`${sse(messageStart())}data: {"type":"content_blo`), anthropic);
    const settled = await turn.settled();
    expect([settled.status, settled.error]).toEqual(['truncated', undefined]);
  });
});

describe('assembleTurn, beside its observers', () => {
  test('tells the end to one that stops the turn while it hears the story', () => {
    const source = new Subject<string>();
    const turn = assembleTurn(source, anthropic);
    source.next(sse(messageStart(), ...text(0, 'Hel')));
    const seen: string[] = [];
    let isComplete = false;
    turn.ui.subscribe({
      next({ type }) {
        seen.push(type);
        if (seen.length === 1) turn.abort();
      },
      complete() {
        isComplete = true;
      },
    });
    expect(seen.filter((type) => type === 'turn_stop')).toHaveLength(1);
    expect(seen.at(-1)).toBe('turn_stop');
    expect(isComplete).toBe(true);
  });

  test('tells nothing twice to one that comes while another stops the turn', () => {
    const source = new Subject<string>();
    const turn = assembleTurn(source, anthropic);
    const seen: string[] = [];
    let hasCome = false;
    turn.ui.subscribe(({ type }) => {
      if (type !== 'text_delta' || hasCome) return;
      hasCome = true;
      turn.abort();
      turn.ui.subscribe((event) => seen.push(event.type));
    });
    source.next(sse(messageStart(), ...text(0, 'Hel')));
    for (const type of ['turn_start', 'block_start', 'turn_stop']) {
      expect(seen.filter((one) => one === type)).toHaveLength(1);
    }
  });

  test('lets an iterator that it stops clean up, once', async () => {
    let returns = 0;
    const iterator: AsyncIterator<string> = {
      next: () => new Promise(() => undefined),
      return() {
        returns += 1;
        return Promise.resolve({ done: true, value: undefined });
      },
    };
    const turn = assembleTurn({ [Symbol.asyncIterator]: () => iterator }, anthropic);
    await new Promise((resolve) => setImmediate(resolve));
    turn.abort();
    await turn.settled();
    expect(returns).toBe(1);
  });
});
