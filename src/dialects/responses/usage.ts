import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { numberOrNull } from '../../core/merge-fields.ts';
import { safeView } from '../../core/safe-view.ts';
import type { Usage } from '../../core/turn.ts';

/**
 * The neutral view of the wire's usage object; input tokens include what was read from a cache.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/object#responses-object-usage
 */
export function readUsage(wire: JsonObject): Usage {
  const input = objectOf(wire['input_tokens_details']);
  const output = objectOf(wire['output_tokens_details']);
  return {
    inputTokens: numberOrNull(wire['input_tokens']),
    outputTokens: numberOrNull(wire['output_tokens']),
    reasoningTokens: numberOrNull(output['reasoning_tokens']),
    cacheReadTokens: numberOrNull(input['cached_tokens']),
    cacheWriteTokens: numberOrNull(input['cache_write_tokens']),
    wire: safeView(wire),
  };
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
