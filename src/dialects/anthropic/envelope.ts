import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { mergeFields } from '../../core/merge-fields.ts';
import { safeView } from '../../core/safe-view.ts';
import type { TurnWriter } from '../../core/turn-record.ts';
import { readUsage } from './usage.ts';

/** What a message says outside its content: id, model, stop reason, usage, container, … */
export interface Envelope {
  /** All of it, under the wire's names. */
  readonly wire: JsonObject;
  readonly stopReason: string | null;
  /** Takes over fields of `message_start.message`, `message_delta.delta`, or of a `message_delta` itself. */
  merge(fields: JsonObject): void;
  /** What the next request needs outside its history. */
  carry(): JsonObject;
}

/** Members that are not the envelope's, or are merged field by field. */
const notOfTheEnvelope = new Set(['content', 'usage']);

/** Where the next request needs a field, and what the library calls it. */
const carried: readonly (readonly [wire: string, name: string])[] = [
  ['container', 'container'],
  ['context_management', 'contextManagement'],
  ['input_transformations', 'inputTransformations'],
];

/** Makes the envelope of one message. */
export function createEnvelope(record: TurnWriter): Envelope {
  let wire: JsonObject = {};

  return {
    get wire() {
      return wire;
    },
    get stopReason() {
      const reason = wire['stop_reason'];
      return typeof reason === 'string' && reason !== '' ? reason : null;
    },
    merge(fields) {
      const own = Object.entries(fields).filter(([key]) => !notOfTheEnvelope.has(key));
      wire = mergeFields(wire, Object.fromEntries(own));
      if (isJsonObject(fields['usage'])) mergeUsage(fields['usage']);
      warnOfTransformations(fields['input_transformations']);
    },
    carry() {
      const known = carried.filter(([key]) => wire[key] !== null && wire[key] !== undefined);
      return Object.fromEntries(known.map(([key, name]) => [name, wire[key]]));
    },
  };

  function mergeUsage(later: JsonObject): void {
    const usage = mergeFields(isJsonObject(wire['usage']) ? wire['usage'] : {}, later);
    wire = { ...wire, usage };
    record.usage(readUsage(usage));
  }

  /** The provider dropped or changed something of the request: worth a warning each. */
  function warnOfTransformations(transformations: unknown): void {
    if (!Array.isArray(transformations)) return;
    for (const transformation of transformations) {
      record.warn('input_transformed', `The provider changed the input: ${JSON.stringify(safeView(transformation))}`);
    }
  }
}
