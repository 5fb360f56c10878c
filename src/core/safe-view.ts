import { isJsonObject, type JsonObject } from './json-object.ts';

/** Deeper than this nothing is shown: what a person reads is never nested that deep, and recursion stays bounded. */
const maxDepth = 64;

/** Members that hold what only the provider can read. */
const opaqueKey = /^(encrypted_\w+|signature|thought_?signature|fingerprint)$/i;

/** Kinds of objects whose `data` is ciphertext. */
const opaqueType = /redacted|encrypted/;

/**
 * A copy of a native value that is safe to show: without signatures, ciphertext and other opaque state, at any depth.
 */
export function safeView(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return depth === maxDepth ? [] : value.map((item) => safeView(item, depth + 1));
  if (!isJsonObject(value)) return value;
  return depth === maxDepth ? {} : safeObject(value, depth);
}

function safeObject(object: JsonObject, depth: number): JsonObject {
  const type = object['type'];
  const hidesData = typeof type === 'string' && opaqueType.test(type);
  const entries = Object.entries(object)
    .filter(([key]) => !opaqueKey.test(key) && !(hidesData && key === 'data'))
    .map(([key, member]) => [key, safeView(member, depth + 1)] as const);
  return Object.fromEntries(entries);
}
