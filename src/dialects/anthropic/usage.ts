import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { Usage } from '../../core/turn.ts';

/**
 * Puts the fields of a later usage object over those of an earlier one. A field that is absent or null keeps what was
 * known: later objects are cumulative totals, and servers leave out what did not change.
 *
 * @see https://docs.anthropic.com/en/docs/build-with-claude/streaming#event-types
 */
export function mergeFields(earlier: JsonObject, later: JsonObject): JsonObject {
  const known = Object.entries(later).filter(([key, value]) => value !== null || !(key in earlier));
  return { ...earlier, ...Object.fromEntries(known) };
}

/** The neutral view of the wire's usage object. */
export function readUsage(wire: JsonObject): Usage {
  const details = wire['output_tokens_details'];
  return {
    inputTokens: numberOrNull(wire['input_tokens']),
    outputTokens: numberOrNull(wire['output_tokens']),
    reasoningTokens: isJsonObject(details) ? numberOrNull(details['thinking_tokens']) : null,
    cacheReadTokens: numberOrNull(wire['cache_read_input_tokens']),
    cacheWriteTokens: numberOrNull(wire['cache_creation_input_tokens']),
    wire,
  };
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
