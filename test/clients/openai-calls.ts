import type { JsonObject } from '../../src/core/json-object.ts';

/** The first piece of a call. */
export function callStart(index: number, id: string, name: string, text = ''): JsonObject {
  return { index, id, type: 'function', function: { name, arguments: text } };
}

/** A further piece of a call. */
export function callDelta(index: number, text: string): JsonObject {
  return { index, function: { arguments: text } };
}

/** A whole call, as it goes back. */
export function wholeCall(id: string, name: string, text: string): JsonObject {
  return { id, type: 'function', function: { name, arguments: text } };
}
