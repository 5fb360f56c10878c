import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { numberOrNull } from '../../core/merge-fields.ts';
import { safeView } from '../../core/safe-view.ts';
import type { Usage } from '../../core/turn.ts';

/**
 * The neutral view of the wire's usage object, safe to show.
 *
 * @param shown The part of it that is shown under `wire`.
 *
 * @see https://docs.anthropic.com/en/api/messages#response-usage
 */
export function readUsage(wire: JsonObject, shown: JsonObject = wire): Usage {
  const details = wire['output_tokens_details'];
  return {
    inputTokens: numberOrNull(wire['input_tokens']),
    outputTokens: numberOrNull(wire['output_tokens']),
    reasoningTokens: isJsonObject(details) ? numberOrNull(details['thinking_tokens']) : null,
    cacheReadTokens: numberOrNull(wire['cache_read_input_tokens']),
    cacheWriteTokens: numberOrNull(wire['cache_creation_input_tokens']),
    wire: safeView(shown),
  };
}
