import type { JsonObject } from '../../../src/core/json-object.ts';
import type { AssembledTurn } from '../../../src/core/turn.ts';

/** The user's question. */
export const ask: JsonObject = { role: 'user', content: 'When does the ferry leave?' };

/** An assistant message of these members. */
export function answer(members: JsonObject): JsonObject {
  return { role: 'assistant', content: null, ...members };
}

/** A call. */
export const call: JsonObject = {
  id: 'call_1',
  type: 'function',
  function: { name: 'ferry_times', arguments: '{"port": "Harlow"}' },
};

/** The message with the result of {@link call}. */
export const result: JsonObject = { role: 'tool', tool_call_id: 'call_1', content: '09:10' };

/** A turn that was assembled here and goes back as this message. */
export function turnOf(message: JsonObject): AssembledTurn {
  return {
    dialect: 'chatCompletions',
    status: 'complete',
    turnId: 'chatcmpl-1',
    model: null,
    stopReason: 'tool_calls',
    usage: {
      inputTokens: null,
      outputTokens: null,
      reasoningTokens: null,
      cacheReadTokens: null,
      cacheWriteTokens: null,
      wire: null,
    },
    blocks: [],
    toolCalls: [],
    entries: [message],
    repairs: [],
    carry: {},
    envelope: {},
    warnings: [],
  };
}
