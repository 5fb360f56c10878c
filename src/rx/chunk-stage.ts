import type { Dialect } from '../core/dialect.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import type { SseMessage } from '../core/sse-message.ts';
import type { ClosingStage } from '../core/stage.ts';
import type { TurnEvent } from '../core/turn-event.ts';
import { createTurnStage, type TurnOptions, type TurnStage } from '../core/turn-stage.ts';
import { createSseReader } from '../text/sse-reader.ts';

/** What a turn is assembled from: bytes or text of an event stream, or the parsed events of an official SDK. */
export type TurnChunk = Uint8Array | string | JsonObject | object;

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

  return {
    get isOver() {
      return stage.isOver;
    },
    push(chunk) {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) return readText(chunk);
      if (ArrayBuffer.isView(chunk)) return readText(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      if (chunk instanceof ArrayBuffer) return readText(new Uint8Array(chunk));
      if (isJsonObject(chunk)) return stage.pushEvent(chunk);
      throw new TypeError(`Expected bytes, text or parsed events as chunks of the stream, got ${String(chunk)}`);
    },
    flush() {
      const events = reader ? take(reader.flush()) : [];
      return stage.isOver ? events : [...events, ...stage.flush()];
    },
    fail: stage.fail,
    abort: stage.abort,
    story: stage.story,
    timesOf: stage.timesOf,
  };

  function readText(chunk: Uint8Array | string): readonly TurnEvent<Entry>[] {
    return reader ? take(reader.push(chunk)) : [];
  }

  function take(messages: readonly SseMessage[]): readonly TurnEvent<Entry>[] {
    const events = stage.pushAll(messages);
    const failure = reader?.failure;
    const all = failure ? [...events, ...stage.fail(failure)] : events;
    if (stage.isOver) reader = undefined;
    return all;
  }
}
