import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { mergeInto } from '../../core/merge-fields.ts';
import type { Usage } from '../../core/turn.ts';
import type { TurnWriter } from '../../core/turn-record.ts';
import { readUsage } from './usage.ts';

/** What a response says outside its output: id, model, status, usage, what became of its input, … */
export interface Envelope {
  /** All of it, under the wire's names. */
  readonly wire: JsonObject;
  /** The id said last; null if none was. */
  readonly id: string | null;
  readonly usage: Usage | undefined;
  /** Takes over the response of an event. */
  merge(response: JsonObject): void;
  /** Warns of the reasoning that the service withheld from the model. */
  warnOfTransformations(): void;
}

/** Makes the envelope of one response. */
export function createEnvelope(record: TurnWriter): Envelope {
  const wire: JsonObject = {};
  let usage: Usage | undefined;

  return {
    wire,
    get id() {
      return textOrNull(wire['id']);
    },
    get usage() {
      return usage;
    },
    merge({ output: _output, ...response }) {
      mergeInto(wire, response);
      record.start(textOrNull(wire['id']), textOrNull(wire['model']));
      if (!isJsonObject(response['usage'])) return;
      usage = readUsage(response['usage']);
      record.usage(usage);
    },
    warnOfTransformations() {
      const { input_transformations: transformations } = wire;
      if (!Array.isArray(transformations)) return;
      for (const { type, id, action, reason } of transformations.filter(isJsonObject)) {
        const done = action === 'removed' ? 'withheld from the model' : `changed (${wordOf(action)})`;
        const message = `The ${wordOf(type)} item ${wordOf(id)} of the request was ${done}: ${wordOf(reason)}`;
        record.warn('input_transformed', message);
      }
    },
  };
}

function wordOf(value: unknown): string {
  return textOrNull(value) ?? 'unknown';
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
