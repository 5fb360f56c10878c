import type { JsonObject } from '../../src/core/json-object.ts';

/** A recorded stream, and the request that a client sent after it and the service accepted. */
export interface Replay {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The messages of the accepted request. */
  readonly messages: readonly JsonObject[];
}

/** Something in which what was accepted is not what was streamed. */
export interface Difference {
  readonly kind: string;
  readonly why: string;
  /** What was accepted as it would be without this difference; the very same object where there is none. */
  undo(accepted: JsonObject, streamed: JsonObject): JsonObject;
}

/** What was accepted as it would be without the known differences, and the kinds that it had. */
export function withoutDifferences(
  differences: readonly Difference[],
  accepted: JsonObject,
  streamed: JsonObject,
): { restored: JsonObject; kinds: string[] } {
  const kinds: string[] = [];
  let restored = accepted;
  for (const { kind, undo } of differences) {
    const undone = undo(restored, streamed);
    if (undone !== restored) kinds.push(kind);
    restored = undone;
  }
  return { restored, kinds };
}
