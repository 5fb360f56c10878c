import { Observable, type Subscriber } from 'rxjs';

/** A body that can be read once: a web stream, or anything asynchronously iterable, such as a Node `Readable`. */
export type ChunkSource<Chunk> = ReadableStream<Chunk> | AsyncIterable<Chunk>;

/** How a Node `Readable`, and the stream of an official SDK, are stopped while they wait. */
interface Stoppable {
  readonly destroy?: () => void;
  readonly controller?: { readonly abort?: () => void; readonly signal?: AbortSignal };
}

/** What a body is read with. */
interface Reading<Chunk> {
  /** Asks for the next chunk. */
  read(): PromiseLike<ReadableStreamReadResult<Chunk> | IteratorResult<Chunk>>;
  /** Stops the body, as it is left before its end. */
  cancel(): PromiseLike<unknown> | undefined;
  /** Whether the body ended only because somebody aborted it. */
  isAborted?(): boolean;
}

/** Tells whether something can be read by {@link chunksOf}. */
export function isChunkSource(source: unknown): source is ChunkSource<unknown> {
  return isReadableStream(source) || (typeof source === 'object' && source !== null && Symbol.asyncIterator in source);
}

/**
 * Reads a body, chunk for chunk as it comes.
 *
 * Unsubscribing cancels the body at once, also while it is idle, and waits for nothing: the promise of a cancelled
 * body need not settle, if somebody else reads a clone of it.
 *
 * Not RxJS's `from`: that one cancels only when the next chunk comes, so a stopped answer would be paid for on.
 */
export function chunksOf<Chunk>(source: ChunkSource<Chunk>): Observable<Chunk> {
  return new Observable((subscriber) =>
    isReadableStream(source) ? readStream(source, subscriber) : iterate(source, subscriber),
  );
}

function isReadableStream<Chunk>(source: ChunkSource<Chunk>): source is ReadableStream<Chunk>;
function isReadableStream(source: unknown): source is ReadableStream<unknown>;
function isReadableStream(source: unknown): boolean {
  return typeof source === 'object' && source !== null && 'getReader' in source;
}

function readStream<Chunk>(stream: ReadableStream<Chunk>, subscriber: Subscriber<Chunk>): void {
  if (stream.locked) {
    const misuse = new TypeError('The body is locked: somebody else is reading it. Pass a body that nobody reads.');
    // The code that Node gives to the same mistake: what failed by it need not be tried again.
    subscriber.error(Object.assign(misuse, { code: 'ERR_INVALID_STATE' }));
    return;
  }
  const reader = stream.getReader();
  pump({ read: () => reader.read(), cancel: () => reader.cancel() }, subscriber);
}

function iterate<Chunk>(source: AsyncIterable<Chunk>, subscriber: Subscriber<Chunk>): void {
  const iterator = source[Symbol.asyncIterator]();
  const { destroy, controller } = source as Stoppable;
  const reading: Reading<Chunk> = {
    read: () => iterator.next(),
    cancel() {
      // An iterator that waits for its next value cannot be stopped by `return`; these two can.
      if (typeof destroy === 'function') destroy.call(source);
      if (typeof controller?.abort === 'function') controller.abort();
      return iterator.return?.();
    },
    // An SDK's stream ends in silence when its request is aborted.
    isAborted: () => controller?.signal?.aborted === true,
  };
  pump(reading, subscriber);
}

/** Asks for one chunk after another until the end, or until the subscriber has had enough. */
function pump<Chunk>(reading: Reading<Chunk>, subscriber: Subscriber<Chunk>): void {
  let isOver = false;
  subscriber.add(() => {
    if (!isOver) quietly(() => reading.cancel());
  });
  next();

  function next(): void {
    try {
      // An iterator need not return a promise; a promise is passed on as it is.
      Promise.resolve(reading.read()).then(take, fail);
    } catch (cause) {
      fail(cause);
    }
  }

  function take(result: ReadableStreamReadResult<Chunk> | IteratorResult<Chunk>): void {
    if (subscriber.closed) return;
    if (typeof result !== 'object' || result === null) {
      return fail(new TypeError(`The iterator gave ${String(result)} where a result with a value was due`));
    }
    const { done, value } = result;
    if (done) {
      isOver = true;
      if (reading.isAborted?.()) subscriber.error(new DOMException('The stream was aborted', 'AbortError'));
      else subscriber.complete();
      return;
    }
    subscriber.next(value as Chunk);
    if (!subscriber.closed) next();
  }

  function fail(cause: unknown): void {
    isOver = true;
    subscriber.error(cause);
  }
}

/** Cancels a body that nobody will read. */
export function cancelUnread(source: ChunkSource<unknown>): void {
  const { destroy, controller } = source as Stoppable;
  if (isReadableStream(source)) return quietly(() => source.cancel());
  if (typeof destroy === 'function') destroy.call(source);
  if (typeof controller?.abort === 'function') controller.abort();
}

/** What goes wrong while a body is cancelled concerns nobody any more. */
function quietly(step: () => PromiseLike<unknown> | undefined): void {
  try {
    step()?.then(undefined, () => {});
  } catch {
    // As above.
  }
}
