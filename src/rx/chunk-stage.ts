import { type BytesLike, isBytesLike } from '../core/bytes.ts';
import type { Dialect } from '../core/dialect.ts';
import { isJsonObject } from '../core/json-object.ts';
import type { SseMessage } from '../core/sse-message.ts';
import type { ClosingStage, Stage } from '../core/stage.ts';
import type { TurnEvent } from '../core/turn-event.ts';
import { createTurnStage, type TurnOptions, type TurnStage } from '../core/turn-stage.ts';
import { createSseReader } from '../text/sse-reader.ts';

/** A parsed wire event, as an official SDK hands it out; of its members only those are named that tell what it is. */
export interface ParsedEvent {
  readonly type?: unknown;
  readonly choices?: unknown;
  readonly candidates?: unknown;
}

/** What a turn is assembled from: bytes or text of an event stream, or the parsed events of an official SDK. */
export type TurnChunk = BytesLike | string | ParsedEvent;

/** Chunks in, turn events out: the reader of the event stream and the turn's stage in one. */
export interface ChunkStage<Entry>
  extends ClosingStage<TurnChunk, TurnEvent<Entry>>,
    Pick<TurnStage<Entry>, 'abort' | 'story' | 'timesOf'> {}

/**
 * Makes the fused stage, which does the work of `sseMessages` and `turnEvents` with one step a chunk.
 */
export function createChunkStage<Entry>(dialect: Dialect<Entry>, options: TurnOptions): ChunkStage<Entry> {
  /** Let go of at the end, with its decoder and what it has buffered. */
  let reader: ReturnType<typeof createSseReader> | undefined = createSseReader(options.limits);
  const stage = createTurnStage(dialect, options);
  let isParsed = false;

  return {
    get isOver() {
      return stage.isOver;
    },
    push(chunk) {
      if (typeof chunk === 'string' || isBytesLike(chunk)) return readText(chunk);
      if (isJsonObject(chunk)) {
        isParsed = true;
        return stage.pushEvent(chunk);
      }
      // What an SDK has parsed, and is no object, says as little as it does in a stream of bytes.
      if (isParsed) return [];
      const misuse = new TypeError(
        `Expected bytes, text or parsed events as chunks of the stream, got ${typeof chunk}`,
      );
      throw Object.assign(misuse, { code: 'ERR_INVALID_ARG_TYPE' });
    },
    flush() {
      const events = reader ? take(reader, reader.flush()) : [];
      return stage.isOver ? events : [...events, ...stage.flush()];
    },
    fail: stage.fail,
    abort: stage.abort,
    story: stage.story,
    timesOf: stage.timesOf,
  };

  function readText(chunk: BytesLike | string): readonly TurnEvent<Entry>[] {
    return reader ? take(reader, reader.push(chunk)) : [];
  }

  function take(from: Stage<unknown, SseMessage>, messages: readonly SseMessage[]): readonly TurnEvent<Entry>[] {
    const events = stage.pushAll(messages);
    const { failure } = from;
    const all = failure ? [...events, ...stage.fail(failure)] : events;
    if (all.length > 0 && stage.isOver) reader = undefined;
    return all;
  }
}
