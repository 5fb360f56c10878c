import { EMPTY, Observable, switchMap } from 'rxjs';
import { isBytesLike, toBytes } from '../core/bytes.ts';
import { HttpStatusError, NotEventStreamError, type TurnError } from '../core/errors.ts';
import { type Limits, limitsWith } from '../core/limits.ts';
import { plainHeaders, type ReadableHeaders } from '../core/plain-headers.ts';
import { type ChunkSource, cancelUnread, chunksOf, isChunkSource } from './chunk-source.ts';
import { failWhenIdle } from './fail-when-idle.ts';

/** The part of a `Response` that is read: that of `fetch`, of node-fetch, or of a test. */
export interface ResponseLike<Chunk = Uint8Array | string> {
  readonly status: number;
  readonly headers: ReadableHeaders & { get(name: string): string | null };
  readonly body: ChunkSource<Chunk> | null;
}

/** A response, or its body. */
export type ReadableSource<Chunk = Uint8Array | string> = ResponseLike<Chunk> | ChunkSource<Chunk>;

/** A response, its body, or a promise of one of them. */
export type StartedSource<Chunk = Uint8Array | string> = ReadableSource<Chunk> | PromiseLike<ReadableSource<Chunk>>;

/**
 * All that a stream can be read from: a response, its body, a promise of one of them, or a function that makes the
 * request with a signal.
 */
export type ResponseSource<Chunk = Uint8Array | string> =
  | StartedSource<Chunk>
  | ((signal: AbortSignal) => StartedSource<Chunk>);

/** Milliseconds that the body of a refusal may take. */
const maxErrorBodyWait = 10_000;

/** Options of {@link fromResponse}. */
export interface FromResponseOptions {
  /** How much of a refused request's body is kept: `errorBodyBytes`. */
  readonly limits?: Partial<Limits> | undefined;
  /** Milliseconds of silence after which the stream fails with an `IdleTimeoutError`. Off by default. */
  readonly idleTimeout?: number | undefined;
}

/**
 * The body of a response as an observable of its chunks.
 *
 * 1. Takes a `Response`, a promise of one, a `ReadableStream`, an async iterable such as a Node `Readable`, or a function
 *    that makes the request: it is called with a signal at each subscription.
 * 2. A status outside 200–299 is an {@link HttpStatusError} with the start of the body; a content type other than
 *    `text/event-stream` is a {@link NotEventStreamError}, and so is a promise of what cannot be read. A missing content
 *    type passes.
 * 3. Unsubscribing cancels the body at once, also while it is idle. A request whose answer has not come yet can be
 *    stopped only by its signal: pass a function, and it is.
 * 4. With an `idleTimeout`, silence that lasts so long is an `IdleTimeoutError`: before the response, between chunks, and
 *    in the body of a refusal.
 * 5. A body is read once: subscribe once, or pass a function.
 *
 * @example
 * ```ts
 * fromResponse((signal) => fetch(url, { ...request, signal })).pipe(sseMessages(), turnEvents(anthropic), uiEvents()).subscribe(render);
 * ```
 *
 * @throws TypeError if the source is none of these.
 */
export function fromResponse<Chunk = Uint8Array | string>(
  source: ResponseSource<Chunk>,
  options: FromResponseOptions = {},
): Observable<Chunk> {
  if (typeof source === 'function') return requested(source, options);
  if (isThenable(source)) {
    return settled(source).pipe(
      failWhenIdle(options.idleTimeout),
      switchMap((response) => {
        // Misuse that shows only now nobody could catch, so it is an error of the stream.
        if (!isReadable(response)) throw new NotEventStreamError(describe(response));
        return chunksOfAny(response, options);
      }),
    );
  }
  if (!isReadable(source)) {
    throw new TypeError(
      `Cannot read a stream from ${describe(source)}. ` +
        'Did you mean a Response, its body, or an async iterable of its chunks?',
    );
  }
  return chunksOfAny(source, options);
}

function isReadable(source: unknown): boolean {
  return (
    isChunkSource(source) ||
    (typeof source === 'object' && source !== null && 'status' in source && 'headers' in source)
  );
}

/** Makes the request when it is subscribed to, and aborts it when that ends. */
function requested<Chunk>(
  request: (signal: AbortSignal) => StartedSource<Chunk>,
  options: FromResponseOptions,
): Observable<Chunk> {
  return new Observable((subscriber) => {
    const controller = new AbortController();
    subscriber.add(() => controller.abort());
    fromResponse(request(controller.signal), options).subscribe(subscriber);
  });
}

/** What a promise gives; what it gives after its subscriber has left is discarded. */
function settled<Chunk>(source: PromiseLike<ReadableSource<Chunk>>): Observable<ReadableSource<Chunk>> {
  return new Observable((subscriber) => {
    source.then(
      (response) => {
        if (subscriber.closed) return discard(response);
        subscriber.next(response);
        subscriber.complete();
      },
      (cause: unknown) => subscriber.error(cause),
    );
  });
}

/** Cancels a source that nobody will read: a body that is there, or that comes later. */
export function discard<Chunk>(source: ResponseSource<Chunk>): void {
  if (typeof source === 'function') return;
  if (isThenable(source)) return void source.then(discard, () => {});
  const body = isResponse(source) ? source.body : source;
  if (isChunkSource(body)) cancelUnread(body);
}

function chunksOfAny<Chunk>(source: ReadableSource<Chunk>, options: FromResponseOptions): Observable<Chunk> {
  if (isResponse(source)) return chunksOfResponse(source, options);
  return chunksOf(source).pipe(failWhenIdle(options.idleTimeout));
}

/** What something is, for one who expected a stream. */
function describe(source: unknown): string {
  if (typeof source === 'string') return 'a string';
  if (typeof source !== 'object' || source === null) return String(source);
  const members = Object.keys(source).slice(0, 5);
  return members.length > 0 ? `an object with the members ${members.join(', ')}` : 'an object without members';
}

function chunksOfResponse<Chunk>(response: ResponseLike<Chunk>, options: FromResponseOptions): Observable<Chunk> {
  const { limits, idleTimeout } = options;
  const { status, headers } = response;
  const body = response.body ? chunksOf(response.body).pipe(failWhenIdle(idleTimeout)) : EMPTY;
  const { errorBodyBytes: maxBytes } = limitsWith(limits);
  const contentType = headers.get('content-type') ?? '';
  if (status < 200 || status > 299) {
    return refused(body, maxBytes, (start) => new HttpStatusError(status, plainHeaders(headers), start));
  }
  if (contentType !== '' && !/^\s*text\/event-stream\b/i.test(contentType)) {
    const met = `content type ${contentType}`;
    return refused(body, maxBytes, (start) => new NotEventStreamError(met, { contentType, body: start }));
  }
  return body;
}

/** Reads the start of a body that is no stream, and fails with it. */
function refused<Chunk>(
  body: Observable<Chunk>,
  maxBytes: number,
  createError: (start: string) => TurnError,
): Observable<Chunk> {
  return new Observable((subscriber) => {
    const decoder = new TextDecoder();
    let start = '';
    let room = maxBytes;
    const finish = (): void => subscriber.error(createError(start + decoder.decode()));
    // What is refused is refused, even if the rest of its reason never comes.
    const timer = setTimeout(finish, maxErrorBodyWait);
    subscriber.add(() => clearTimeout(timer));
    subscriber.add(
      body.subscribe({
        next(chunk) {
          const bytes = bytesOf(chunk);
          start += decoder.decode(bytes.subarray(0, room), { stream: true });
          room -= bytes.length;
          if (room <= 0) finish();
        },
        error: finish,
        complete: finish,
      }),
    );
  });
}

/** The bytes of a chunk; of one that is neither text nor bytes nothing can be shown. */
function bytesOf(chunk: unknown): Uint8Array {
  if (typeof chunk === 'string') return new TextEncoder().encode(chunk);
  return isBytesLike(chunk) ? toBytes(chunk) : new Uint8Array();
}

function isThenable<Chunk>(source: ResponseSource<Chunk>): source is PromiseLike<ReadableSource<Chunk>> {
  return typeof source === 'object' && source !== null && 'then' in source && typeof source.then === 'function';
}

function isResponse<Chunk>(source: ReadableSource<Chunk>): source is ResponseLike<Chunk>;
function isResponse(source: unknown): boolean;
function isResponse(source: unknown): boolean {
  const { status, headers } = Object(source) as { status?: unknown; headers?: { get?: unknown } };
  return typeof status === 'number' && typeof headers?.get === 'function';
}
