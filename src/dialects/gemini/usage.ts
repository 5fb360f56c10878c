import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { numberOrNull } from '../../core/merge-fields.ts';
import { safeView } from '../../core/safe-view.ts';
import type { Usage } from '../../core/turn.ts';

/**
 * The neutral view of the wire's counts; prompt tokens include what was read from a cache, and what is written is
 * counted apart from what is thought.
 *
 * @param shown The part of it that is shown under `wire`.
 * @see https://ai.google.dev/api/generate-content#UsageMetadata
 */
export function readUsage(wire: JsonObject, shown: JsonObject = wire): Usage {
  const written = numberOrNull(wire['candidatesTokenCount']);
  const thought = numberOrNull(wire['thoughtsTokenCount']);
  return {
    inputTokens: numberOrNull(wire['promptTokenCount']),
    outputTokens: written === null && thought === null ? null : (written ?? 0) + (thought ?? 0),
    reasoningTokens: thought,
    cacheReadTokens: numberOrNull(wire['cachedContentTokenCount']),
    cacheWriteTokens: null,
    wire: safeView(shown),
  };
}

/** Deeper than this nothing is compared: counts are never nested that deep, and recursion stays bounded. */
const maxDepth = 8;

/** Whether two values are the same JSON. Cheaper than their texts, for every chunk repeats the counts. */
export function isSameJson(one: unknown, other: unknown, depth = 0): boolean {
  if (one === other) return true;
  if (Array.isArray(one) !== Array.isArray(other) || depth === maxDepth) return false;
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  const others = Object.keys(other);
  return (
    names.length === others.length &&
    names.every((name, at) => name === others[at] && isSameJson(one[name], other[name], depth + 1))
  );
}

/** Whether a value is an object or a list: both have members. */
function isObject(value: unknown): value is JsonObject {
  return isJsonObject(value) || Array.isArray(value);
}
