import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import { chatCompletions } from '../../src/chat-completions.ts';
import type { JsonObject } from '../../src/core/json-object.ts';
import { gemini } from '../../src/gemini.ts';
import { checkRequest, type Dialect, type RequestContext } from '../../src/index.ts';
import { responses } from '../../src/responses.ts';
import { turnOf } from '../dialects/anthropic/request-parts.ts';

/** A refusal that users reported: where, what the service said, and a request that it says it of. */
interface Report {
  readonly at: string;
  readonly said: string;
  readonly code: string;
  readonly dialect: Dialect;
  readonly body: JsonObject;
  readonly context?: RequestContext;
}

const ask = { role: 'user', content: 'When?' };
const manual = { model: 'claude-sonnet-4-5', max_tokens: 8000, thinking: { type: 'enabled', budget_tokens: 2048 } };
const use = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} };
const used = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '9' }] };
const thought = { type: 'thinking', thinking: 'North.', signature: 'c2ln' };
const said = { type: 'text', text: 'At nine.' };
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };
const toolTurn = { role: 'assistant', content: null, tool_calls: [call] };
const result = { role: 'tool', tool_call_id: 'call_1', content: '9' };
const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'call_1', output: '9' };
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'b3BhcXVl' };
const message = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'At nine.' }],
};

function claude(...content: readonly JsonObject[]): JsonObject {
  const hasCall = content.some(({ type }) => type === 'tool_use');
  return { ...manual, messages: [ask, { role: 'assistant', content }, hasCall ? used : ask] };
}

function openAi(...input: readonly JsonObject[]): JsonObject {
  return { model: 'gpt-5.4', input: [ask, ...input] };
}

const reports: readonly Report[] = [
  {
    at: 'anomalyco/opencode/issues/3077',
    said: 'Expected `thinking` or `redacted_thinking`, but found `tool_use`',
    code: 'thinking_missing',
    dialect: anthropic,
    body: claude(use),
  },
  {
    at: 'anthropics/claude-code/issues/20705',
    said: 'the first block must be `thinking` or `redacted_thinking`. Found `text`',
    code: 'thinking_not_first',
    dialect: anthropic,
    body: claude(said, thought, use),
  },
  {
    at: 'tailcallhq/forgecode/issues/2107',
    said: 'The final block in an assistant message cannot be `thinking`',
    code: 'thinking_last',
    dialect: anthropic,
    body: claude(thought),
  },
  {
    at: 'anthropics/claude-code/issues/10627',
    said: 'Invalid `signature` in `thinking` block',
    code: 'thinking_signature_empty',
    dialect: anthropic,
    body: claude({ ...thought, signature: '' }, use),
  },
  {
    at: 'dirge-code/dirge/pull/823',
    said: 'thinking.signature: Field required',
    code: 'thinking_without_signature',
    dialect: anthropic,
    body: claude({ type: 'thinking', thinking: 'North.' }, use),
  },
  {
    at: 'anthropics/claude-code/issues/63404',
    said: 'blocks in the latest assistant message cannot be modified',
    code: 'thinking_moved',
    dialect: anthropic,
    body: claude(thought, { ...thought, thinking: 'East.', signature: 'bmV4dA' }, use),
    context: { turns: [turnOf(thought, use, { ...thought, thinking: 'East.', signature: 'bmV4dA' }, said)] },
  },
  {
    at: 'danny-avila/LibreChat/issues/12639',
    said: '`tool_use` ids were found without `tool_result` blocks immediately after: toolu_1',
    code: 'tool_result_missing',
    dialect: anthropic,
    body: { ...manual, messages: [ask, { role: 'assistant', content: [thought, use] }, ask] },
  },
  {
    at: 'anthropics/claude-code/issues/95406',
    said: 'unexpected `tool_use_id` found in `advisor_tool_result` blocks: srvtoolu_1',
    code: 'server_tool_result_unexpected',
    dialect: anthropic,
    body: claude({ type: 'advisor_tool_result', tool_use_id: 'srvtoolu_1', content: [] }, said),
  },
  {
    // It took changed text in one live test; the documentation promises a refusal.
    at: 'openclaw/openclaw/pull/70437',
    said: 'cannot be modified',
    code: 'thinking_edited',
    dialect: anthropic,
    body: claude({ ...thought, thinking: 'South.' }, use),
    context: { turns: [turnOf(thought, use)] },
  },
  {
    at: 'anthropics/anthropic-sdk-python/issues/1598',
    said: 'must remain as they were in the original response',
    code: 'thinking_edited',
    dialect: anthropic,
    body: claude({ ...thought, signature: 'b3RoZXI' }, use),
    context: { turns: [turnOf(thought, use)] },
  },
  {
    at: 'openai/openai-agents-js/issues/326',
    said: "Item 'rs_1' of type 'reasoning' was provided without its required following item",
    code: 'reasoning_without_following_item',
    dialect: responses,
    body: openAi(reasoning, ask),
  },
  {
    at: 'continuedev/continue/issues/11994',
    said: "Item 'msg_1' of type 'message' was provided without its required 'reasoning' item: 'rs_1'",
    code: 'item_without_reasoning',
    dialect: responses,
    body: openAi(message, ask),
    context: { previous: openAi(reasoning, message, ask) },
  },
  {
    at: 'openai/codex/issues/8145',
    said: 'could not be verified',
    code: 'mismatched_ciphertext',
    dialect: responses,
    body: openAi({ ...reasoning, encrypted_content: 'b3RoZXI' }, message, ask),
    context: { turns: [{ ...turnOf(), dialect: 'responses', entries: [reasoning, message] }] },
  },
  {
    at: 'vercel/ai/issues/7883',
    said: 'Duplicate item found with id rs_1',
    code: 'duplicate_item_id',
    dialect: responses,
    body: openAi(reasoning, reasoning, message, ask),
  },
  {
    at: 'mastra-ai/mastra/issues/21409',
    said: 'Duplicate item found with id tso_1',
    code: 'duplicate_item_id',
    dialect: responses,
    body: openAi(
      { type: 'tool_search_call', id: 'tso_1', execution: 'server', arguments: {} },
      { type: 'tool_search_output', id: 'tso_1', execution: 'server', tools: [] },
      message,
      ask,
    ),
  },
  {
    at: 'poe-code/issues/372',
    said: "Expected an ID that begins with 'fc'",
    code: 'invalid_id_prefix',
    dialect: responses,
    body: openAi({ ...item, id: 'call_1' }, output),
  },
  {
    at: 'earendil-works/pi/issues/9057',
    said: 'call_id',
    code: 'missing_call_id',
    dialect: responses,
    body: openAi({ ...item, call_id: undefined }, { ...output, call_id: undefined }),
  },
  {
    at: 'newo-ether/Agora/issues/141',
    said: 'missing required field `summary`',
    code: 'missing_summary',
    dialect: responses,
    body: openAi({ ...reasoning, summary: undefined }, item, output),
  },
  {
    at: 'rikkahub/rikkahub/issues/1690',
    said: 'The `reasoning_text` in the thinking mode must be passed back to the API',
    code: 'missing_reasoning_text',
    dialect: responses,
    body: { ...openAi(item, output), model: 'deepseek-v4-pro' },
  },
  {
    at: 'continuedev/continue/issues/11285',
    said: '`reasoning_content`',
    code: 'reasoning_missing_on_tool_turn',
    dialect: chatCompletions,
    body: { model: 'deepseek-reasoner', messages: [ask, toolTurn, result] },
  },
  {
    at: 'earendil-works/pi/issues/3636',
    said: 'The `reasoning_content` in the thinking mode must be passed back to the API',
    code: 'reasoning_missing_on_tool_turn',
    dialect: chatCompletions,
    body: {
      model: 'deepseek-v4-pro',
      messages: [ask, toolTurn, result, { role: 'assistant', content: 'At nine.' }, ask],
    },
  },
  {
    at: 'esengine/DeepSeek-Reasonix/issues/8902',
    said: 'The `content[].thinking` in the thinking mode must be passed back to the API',
    code: 'thinking_missing_in_tool_turn',
    dialect: anthropic,
    body: { ...claude(use), model: 'deepseek-v4-pro' },
  },
  {
    at: 'continuedev/continue/issues/11527',
    said: 'thinking is enabled but reasoning_content is missing in assistant tool call message',
    code: 'reasoning_missing_on_tool_turn',
    dialect: chatCompletions,
    body: { model: 'kimi-k2.5', messages: [ask, toolTurn, result] },
  },
  {
    at: 'lbjlaq/Antigravity-Manager/issues/3202',
    said: 'missing a thought_signature',
    code: 'missing_thought_signature',
    dialect: gemini,
    body: geminiLoop([{ functionCall: { name: 'f', args: {} } }], 1),
  },
  {
    at: 'GewoonJaap/gemini-cli-openai/issues/156',
    said: 'missing a thought_signature',
    code: 'missing_thought_signature',
    dialect: gemini,
    body: geminiLoop([{ text: 'Let me see.' }, { functionCall: { name: 'f', args: {} } }], 1),
  },
  {
    at: 'mastra-ai/mastra/issues/23433',
    said: 'Corrupted thought signature',
    code: 'reasoning_details_foreign',
    dialect: chatCompletions,
    body: {
      model: 'google/gemini-3-pro-preview',
      messages: [
        ask,
        {
          ...toolTurn,
          reasoning_details: [{ type: 'reasoning.encrypted', data: 'b3BhcXVl', format: 'openai-responses-v1' }],
        },
        result,
      ],
    },
  },
  {
    at: 'google-gemini/gemini-cli/issues/3814',
    said: 'the number of function response parts is equal to the number of function call parts',
    code: 'response_count',
    dialect: gemini,
    body: geminiLoop([signed(), { functionCall: { name: 'f', args: {} } }], 1),
  },
  {
    at: 'mistralai/client-ts/issues/106',
    said: 'Not the same number of function calls and responses',
    code: 'tool_result_missing',
    dialect: chatCompletions,
    body: {
      model: 'mistral-small-latest',
      messages: [ask, { ...toolTurn, tool_calls: [call, { ...call, id: 'call_2' }] }, result],
    },
  },
  {
    at: 'datapizza-labs/datapizza-ai/issues/98',
    said: "Unexpected role 'user' after role 'tool'",
    code: 'user_message_after_results',
    dialect: chatCompletions,
    body: { model: 'mistral-small-latest', messages: [ask, toolTurn, result, ask] },
  },
];

function signed(): JsonObject {
  return { functionCall: { name: 'f', args: {} }, thoughtSignature: 'b3BhcXVl' };
}

/** A tool cycle of Gemini 3 whose model content has these parts, and so many responses. */
function geminiLoop(parts: readonly JsonObject[], responseCount: number): JsonObject {
  const response = { functionResponse: { name: 'f', response: { output: '9' } } };
  return {
    model: 'gemini-3-pro-preview',
    contents: [
      { role: 'user', parts: [{ text: 'When?' }] },
      { role: 'model', parts },
      { role: 'user', parts: Array.from({ length: responseCount }, () => response) },
    ],
  };
}

const table = new URL('../../../shared/corpus/refusals/reported.tsv', import.meta.url);

describe('checkRequest, of refusals that were reported', () => {
  test.each(reports)('finds $code, as in $at', ({ dialect, body, context, code, said: wording }) => {
    const finding = checkRequest(body, dialect, context).find((found) => found.code === code);
    expect(finding?.severity).toBe('error');
    expect(finding?.message).toContain(wording);
  });

  test.skipIf(!existsSync(table))('covers each row of the table', () => {
    const [, ...rows] = readFileSync(table, 'utf8').trim().split('\n');
    const missing = rows.filter((row) => !reports.some(({ at }) => row.trim().endsWith(at)));
    expect(missing).toEqual([]);
    expect(reports).toHaveLength(rows.length);
  });
});
