import { Observable, type Subscriber } from 'rxjs';
import { HttpStatusError, NotEventStreamError, type WholeturnError } from '../core/errors.ts';
import { defaultLimits, type Limits } from '../core/limits.ts';
import { type ChunkSource, chunksOf, isChunkSource } from './chunk-source.ts';

/** The part of a `Response` that is read: that of `fetch`, of node-fetch, or of a test. */
export interface ResponseLike<Chunk = Uint8Array | string> {
  readonly status: number;
  readonly headers: { get(name: string): string | null; forEach(visit: (value: string, name: string) => void): void };
  readonly body: ChunkSource<Chunk> | null;
}

/** All that a stream can be read from: a response, its body, or a promise of one of them. */
export type ResponseSource<Chunk = Uint8Array | string> =
  | ResponseLike<Chunk>
  | ChunkSource<Chunk>
  | PromiseLike<ResponseLike<Chunk> | ChunkSource<Chunk>>;

/** Options of {@link fromResponse}. */
export interface FromResponseOptions {
  /** How much of a refused request's body is kept: `errorBodyBytes`. */
  readonly limits?: Partial<Limits> | undefined;
}

/**
 * The body of a response as an observable of its chunks.
 *
 * 1. Takes a `Response`, a promise of one, a `ReadableStream`, or an async iterable such as a Node `Readable`.
 * 2. A status outside 200–299 is an {@link HttpStatusError} with the start of the body; a content type other than
 *    `text/event-stream` is a {@link NotEventStreamError}. A missing content type passes.
 * 3. Unsubscribing cancels the body at once, also while it is idle or has not come yet.
 * 4. The body is read once: subscribe once.
 *
 * @example
 * ```ts
 * fromResponse(fetch(url, request)).pipe(sseMessages(), turnEvents(anthropic), uiEvents()).subscribe(render);
 * ```
 *
 * @throws TypeError if the source is none of these.
 */
export function fromResponse<Chunk = Uint8Array | string>(
  source: ResponseSource<Chunk>,
  { limits }: FromResponseOptions = {},
): Observable<Chunk> {
  const maxBytes = limits?.errorBodyBytes ?? defaultLimits.errorBodyBytes;
  if (!isThenable(source)) return chunksOfAny(source, maxBytes);
  return new Observable((subscriber) => {
    source.then(
      (settled) => {
        if (subscriber.closed) return discard(settled);
        subscribeSafely(() => chunksOfAny(settled, maxBytes), subscriber);
      },
      (cause: unknown) => subscriber.error(cause),
    );
  });
}

/** Misuse that shows only when a promise is settled is an error of the stream, for nobody can catch it any more. */
function subscribeSafely<Chunk>(create: () => Observable<Chunk>, subscriber: Subscriber<Chunk>): void {
  try {
    create().subscribe(subscriber);
  } catch (cause) {
    subscriber.error(cause);
  }
}

/** A body that came after its subscriber had left: cancelled unread. */
function discard<Chunk>(source: ResponseLike<Chunk> | ChunkSource<Chunk>): void {
  const body = isResponse(source) ? source.body : source;
  if (isChunkSource(body))
    chunksOf(body)
      .subscribe({ error() {} })
      .unsubscribe();
}

function chunksOfAny<Chunk>(source: ResponseLike<Chunk> | ChunkSource<Chunk>, maxBytes: number): Observable<Chunk> {
  if (isResponse(source)) return chunksOfResponse(source, maxBytes);
  if (isChunkSource(source)) return chunksOf(source);
  const met = typeof source === 'string' ? 'a string' : String(source);
  throw new TypeError(
    `Cannot read a stream from ${met}. Did you mean a Response, its body, or an async iterable of its chunks?`,
  );
}

function chunksOfResponse<Chunk>(response: ResponseLike<Chunk>, maxBytes: number): Observable<Chunk> {
  const body = response.body ? chunksOf(response.body) : noChunks<Chunk>();
  const contentType = response.headers.get('content-type') ?? '';
  if (response.status < 200 || response.status > 299) {
    return refused(body, maxBytes, (start) => new HttpStatusError(response.status, headersOf(response), start));
  }
  if (contentType !== '' && !/^\s*text\/event-stream\b/i.test(contentType)) {
    return refused(body, maxBytes, (start) => new NotEventStreamError(contentType, start));
  }
  return body;
}

function noChunks<Chunk>(): Observable<Chunk> {
  return new Observable((subscriber) => subscriber.complete());
}

/** Reads the start of a body that is no stream, and fails with it. */
function refused<Chunk>(
  body: Observable<Chunk>,
  maxBytes: number,
  createError: (start: string) => WholeturnError,
): Observable<Chunk> {
  return new Observable((subscriber) => {
    const decoder = new TextDecoder();
    let start = '';
    let room = maxBytes;
    const finish = (): void => subscriber.error(createError(start + decoder.decode()));
    subscriber.add(
      body.subscribe({
        next(chunk) {
          const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : toBytes(chunk);
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

/** Bytes as they are; of a chunk that is neither text nor bytes nothing can be shown. */
function toBytes(chunk: unknown): Uint8Array {
  return chunk instanceof Uint8Array ? chunk : new Uint8Array();
}

/** The headers by their names in lower case; a cookie is nobody's business. */
function headersOf({ headers }: ResponseLike<unknown>): Record<string, string> {
  const result: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (name.toLowerCase() !== 'set-cookie') result[name.toLowerCase()] = value;
  });
  return result;
}

function isThenable<Chunk>(
  source: ResponseSource<Chunk>,
): source is PromiseLike<ResponseLike<Chunk> | ChunkSource<Chunk>> {
  return typeof source === 'object' && source !== null && 'then' in source && typeof source.then === 'function';
}

function isResponse<Chunk>(source: ResponseLike<Chunk> | ChunkSource<Chunk>): source is ResponseLike<Chunk> {
  return typeof source === 'object' && source !== null && 'status' in source && 'headers' in source;
}
