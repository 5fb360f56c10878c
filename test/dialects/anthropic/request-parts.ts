import type { JsonObject } from '../../../src/core/json-object.ts';
import type { AssembledTurn } from '../../../src/core/turn.ts';

/** Settings that break no rule, of a model that thinks by itself. */
export const settings: JsonObject = { model: 'claude-sonnet-5', max_tokens: 16_000 };

/** Settings of a model that thinks when it is told to. */
export const manual: JsonObject = { model: 'claude-sonnet-4-5', thinking: { type: 'enabled', budget_tokens: 2048 } };

/** The user's question. */
export const ask: JsonObject = { role: 'user', content: 'When does the ferry leave?' };

/** An assistant message of these blocks. */
export function answer(...content: readonly JsonObject[]): JsonObject {
  return { role: 'assistant', content };
}

/** A text block. */
export function text(value: string): JsonObject {
  return { type: 'text', text: value };
}

/** Signed thinking. */
export const thought: JsonObject = { type: 'thinking', thinking: 'North.', signature: 'c2ln' };

/** A call. */
export const call: JsonObject = { type: 'tool_use', id: 'toolu_1', name: 'ferry_times', input: { port: 'Harlow' } };

/** The block with the result of {@link call}. */
export const resultBlock: JsonObject = { type: 'tool_result', tool_use_id: 'toolu_1', content: '09:10' };

/** The message with the result of {@link call}. */
export const result: JsonObject = { role: 'user', content: [resultBlock] };

/** A turn that was assembled here of these blocks. */
export function turnOf(...content: readonly JsonObject[]): AssembledTurn {
  return {
    dialect: 'anthropic',
    status: 'complete',
    turnId: 'msg_1',
    model: 'claude-sonnet-4-5',
    stopReason: 'tool_use',
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
    entries: [{ role: 'assistant', content }],
    repairs: [],
    carry: {},
    envelope: {},
    warnings: [],
  };
}
