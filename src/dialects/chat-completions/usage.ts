import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { numberOrNull } from '../../core/merge-fields.ts';
import { safeView } from '../../core/safe-view.ts';
import type { Usage } from '../../core/turn.ts';

/**
 * Finds the usage of a chunk: at its top, at a choice (Kimi), or under `x_groq`.
 *
 * @returns undefined if the chunk has none.
 */
export function findUsage(chunk: JsonObject, choices: readonly JsonObject[]): JsonObject | undefined {
  const groq = chunk['x_groq'];
  const places = [chunk['usage'], ...choices.map(({ usage }) => usage), isJsonObject(groq) ? groq['usage'] : undefined];
  return places.find(isJsonObject);
}

/**
 * The neutral view of the wire's usage object; prompt tokens include what was read from a cache.
 *
 * @param shown The part of it that is shown under `wire`.
 * @see https://platform.openai.com/docs/api-reference/chat/object#chat-object-usage
 */
export function readUsage(wire: JsonObject, shown: JsonObject = wire): Usage {
  const prompt = objectOf(wire['prompt_tokens_details']);
  const completion = objectOf(wire['completion_tokens_details']);
  return {
    inputTokens: numberOrNull(wire['prompt_tokens']),
    outputTokens: numberOrNull(wire['completion_tokens']),
    reasoningTokens: numberOrNull(completion['reasoning_tokens'] ?? wire['reasoning_tokens']),
    cacheReadTokens: numberOrNull(prompt['cached_tokens'] ?? wire['prompt_cache_hit_tokens'] ?? wire['cached_tokens']),
    cacheWriteTokens: numberOrNull(prompt['cache_write_tokens'] ?? wire['cache_creation_input_tokens']),
    wire: safeView(shown),
  };
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
