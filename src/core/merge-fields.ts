import { type JsonObject, setMember } from './json-object.ts';

/**
 * Puts the fields of a later object into an earlier one. A field that is absent or null keeps what was known: later
 * objects hold cumulative totals, and servers leave out what did not change.
 */
export function mergeInto(known: JsonObject, later: JsonObject): void {
  for (const [name, value] of Object.entries(later)) {
    if (value !== null || !Object.hasOwn(known, name)) setMember(known, name, value);
  }
}

/**
 * Takes over the members that say something new: not null, not an empty string, not one of those that are left out.
 * Cheap where nothing changed, for it is asked of every chunk.
 *
 * @param onNew Is told of a member that was not there before, ahead of its being taken over.
 */
export function mergeSaid(
  known: JsonObject,
  later: JsonObject,
  leftOut: ReadonlySet<string>,
  onNew?: (name: string, value: unknown) => void,
): void {
  for (const name in later) {
    const value = later[name];
    if (value === null || value === undefined || value === '' || value === known[name] || leftOut.has(name)) continue;
    if (onNew && !Object.hasOwn(known, name)) onNew(name, value);
    setMember(known, name, value);
  }
}

/** A number as it is, anything else as null: what the wire does not say is not zero. */
export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
