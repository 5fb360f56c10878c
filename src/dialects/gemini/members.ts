import type { JsonObject } from '../../core/json-object.ts';
import { mergeSaid } from '../../core/merge-fields.ts';
import type { TurnWriter } from '../../core/turn-record.ts';

/**
 * Counts the members that an object is kept with towards the limits.
 *
 * @param leftOut Those that are not kept, or counted elsewhere.
 */
export function countMembers(record: TurnWriter, object: JsonObject, leftOut: ReadonlySet<string>): void {
  for (const name in object) if (!leftOut.has(name)) countMember(record, name, object[name]);
}

/** Takes over the members that say something new. One is counted when it is new, not when it changes. */
export function takeOverMembers(
  record: TurnWriter,
  known: JsonObject,
  later: JsonObject,
  leftOut: ReadonlySet<string>,
): void {
  mergeSaid(known, later, leftOut, (name, value) => countMember(record, name, value));
}

function countMember(record: TurnWriter, name: string, value: unknown): void {
  record.count(name.length + weigh(value, record.limits.turnLength));
}

/** About how long the JSON of a value is, up to a limit. Without recursion: unknown members nest as they like. */
function weigh(value: unknown, limit: number): number {
  const rest: unknown[] = [value];
  let weight = 0;
  while (rest.length > 0 && weight <= limit) {
    const next = rest.pop();
    weight += typeof next === 'string' ? next.length : 1;
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, member] of Object.entries(next)) {
      weight += name.length;
      rest.push(member);
    }
  }
  return weight;
}
