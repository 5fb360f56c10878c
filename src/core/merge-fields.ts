import type { JsonObject } from './json-object.ts';

/**
 * Puts the fields of a later object over those of an earlier one. A field that is absent or null keeps what was known:
 * later objects hold cumulative totals, and servers leave out what did not change.
 */
export function mergeFields(earlier: JsonObject, later: JsonObject): JsonObject {
  const known = Object.entries(later).filter(([key, value]) => value !== null || !(key in earlier));
  return { ...earlier, ...Object.fromEntries(known) };
}

/** A number as it is, anything else as null: what the wire does not say is not zero. */
export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
