import type { BlockRecord } from '../../core/block-record.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { TurnWriter } from '../../core/turn-record.ts';
import { mergeKnown } from './message-fields.ts';

/** The spoken answer of one message. */
export interface Audio {
  /** What came of it; undefined if there is none. */
  readonly native: JsonObject | undefined;
  /** Takes `delta.audio`. */
  push(wire: unknown): void;
  /** The index of its block; undefined if there is none. */
  readonly index: number | undefined;
  /** Ends its block, as finished or cut. */
  close(isFinished: boolean): void;
}

/** Makes the audio of one message: data and transcript append, all else is set. */
export function createAudio(record: TurnWriter, interrupt: () => void): Audio {
  let native: JsonObject | undefined;
  let block: BlockRecord | undefined;

  return {
    get native() {
      return native;
    },
    push(wire) {
      if (!isJsonObject(wire)) return;
      if (!native) {
        interrupt();
        native = {};
        block = record.openBlock({ kind: 'media' }, native);
      }
      const { data, transcript, ...rest } = wire;
      append(native, 'data', data);
      append(native, 'transcript', transcript);
      mergeKnown(native, rest);
    },
    get index() {
      return block?.index;
    },
    close(isFinished) {
      if (!block || !native) return;
      const { id, data, transcript, expires_at } = native;
      record.show(block, 'block_content', JSON.parse(JSON.stringify({ id, data, transcript, expires_at })));
      record.closeBlock(block, isFinished ? 'finished' : 'cut');
    },
  };

  function append(target: JsonObject, name: string, piece: unknown): void {
    if (typeof piece !== 'string') return;
    record.count(piece.length);
    const before = target[name];
    target[name] = typeof before === 'string' ? before + piece : piece;
  }
}
