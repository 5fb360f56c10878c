/** A JSON object as `JSON.parse` gives it: nothing is known of its members. */
export type JsonObject = Record<string, unknown>;

/** Tells whether a value is a JSON object: not null, not an array, not a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
