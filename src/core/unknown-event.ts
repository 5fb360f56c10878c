import type { JsonObject } from './json-object.ts';

/**
 * What a warning says of an event that a dialect does not know: its type, or its members where it has none. Never its
 * values, which nobody knows to be safe to show.
 */
export function describeUnknownEvent(wire: JsonObject, type: unknown): string {
  if (typeof type === 'string') return `An event of type ${JSON.stringify(type)} came, of which nothing is known`;
  const members = Object.keys(wire).slice(0, 5).join(', ');
  return `An event without a type came, with the members ${members}`;
}
