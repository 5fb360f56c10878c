/** A JSON object as `JSON.parse` gives it: nothing is known of its members. */
export type JsonObject = Record<string, unknown>;

/** Tells whether a value is a JSON object: not null, not an array, not a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets an own member, as `JSON.parse` does, also one that assignment would hand to a setter of the prototype. */
export function setMember(object: JsonObject, name: string, value: unknown): void {
  if (name in Object.prototype) {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else object[name] = value;
}
