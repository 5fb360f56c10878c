import { isJsonObject, type JsonObject } from '../core/json-object.ts';

/** JSON text in which only what is said counts: members in one order, no breakpoints of a cache. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (name, member: unknown) => {
      if (name === 'cache_control') return undefined;
      return isJsonObject(member) ? inOrder(member) : member;
    }) ?? 'null'
  );
}

function inOrder(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)));
}
