import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { mergeInto } from '../../core/merge-fields.ts';
import { safeView } from '../../core/safe-view.ts';
import type { Usage } from '../../core/turn.ts';
import type { TurnWriter } from '../../core/turn-record.ts';
import { readUsage } from './usage.ts';

/** What a message says outside its content: id, model, stop reason, usage, container, … */
export interface Envelope {
  /** All of it, under the wire's names. */
  readonly wire: JsonObject;
  readonly stopReason: string | null;
  /** The usage of the whole message; undefined if it never came. */
  readonly usage: Usage | undefined;
  /** Takes over fields of `message_start.message`, `message_delta.delta`, or of the events themselves. */
  merge(fields: JsonObject): void;
  /** What the next request needs outside its history. */
  carry(): JsonObject;
}

/** Where the next request needs a field, and what the library calls it. */
const carried: readonly (readonly [wire: string, name: string])[] = [
  ['container', 'container'],
  ['context_management', 'contextManagement'],
  ['input_transformations', 'inputTransformations'],
];

const noCarry: JsonObject = Object.freeze({});

/** Makes the envelope of one message. */
export function createEnvelope(record: TurnWriter): Envelope {
  const wire: JsonObject = {};
  let usage: JsonObject | undefined;

  return {
    wire,
    get stopReason() {
      const reason = wire['stop_reason'];
      return typeof reason === 'string' && reason !== '' ? reason : null;
    },
    get usage() {
      return usage && readUsage(usage);
    },
    merge({ content: _content, usage: counted, stop_reason: reason, ...rest }) {
      mergeInto(wire, rest);
      // Of stop reasons the last that says something counts; what says nothing must not hide that the answer was cut.
      if (typeof reason === 'string' && reason !== '') wire['stop_reason'] = reason;
      else if (!('stop_reason' in wire) && reason !== undefined) wire['stop_reason'] = null;
      if (isJsonObject(counted)) mergeUsage(counted);
      warnOfTransformations(rest['input_transformations']);
    },
    carry() {
      const known = carried.filter(([key]) => wire[key] !== null && wire[key] !== undefined);
      return known.length === 0 ? noCarry : Object.fromEntries(known.map(([key, name]) => [name, wire[key]]));
    },
  };

  /** What is told at once is what this event adds; copies of all that was counted would make many events quadratic. */
  function mergeUsage(later: JsonObject): void {
    usage ??= {};
    wire['usage'] = usage;
    mergeInto(usage, later);
    record.usage({ ...readUsage(usage, later) });
  }

  /** The provider dropped or changed something of the request: worth a warning each. */
  function warnOfTransformations(transformations: unknown): void {
    if (!Array.isArray(transformations)) return;
    for (const transformation of transformations) {
      record.warn('input_transformed', `The provider changed the input: ${JSON.stringify(safeView(transformation))}`);
    }
  }
}
