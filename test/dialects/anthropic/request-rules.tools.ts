import type { RuleCase } from '../request-findings.ts';
import { answer, ask, call, result, resultBlock, text } from './request-parts.ts';

const second = { ...call, id: 'toolu_2' };
const secondResult = { ...resultBlock, tool_use_id: 'toolu_2' };
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'ferry' } };
const searchResult = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] };

/** The rules of calls and results, each broken and held. */
export const toolCases: readonly RuleCase[] = [
  {
    code: 'tool_result_missing',
    broken: { messages: [ask, answer(call, second), result] },
    finds: ['error tool_result_missing messages[1].content[1]'],
    holds: { messages: [ask, answer(call, second), { role: 'user', content: [secondResult, resultBlock] }] },
  },
  {
    code: 'tool_results_split',
    broken: { messages: [ask, answer(call, second), result, { role: 'user', content: [secondResult] }] },
    finds: ['warning tool_results_split messages[3].content[0]'],
    holds: { messages: [ask, answer(call, second), { role: 'user', content: [resultBlock, secondResult] }, ask] },
  },
  {
    code: 'tool_result_unexpected',
    broken: { messages: [ask, answer(text('Well.')), result] },
    finds: ['error tool_result_unexpected messages[2].content[0]'],
    holds: { messages: [ask, answer(text('Well.'), call), result] },
  },
  {
    code: 'tool_result_repeated',
    broken: { messages: [ask, answer(call), { role: 'user', content: [resultBlock, resultBlock] }] },
    finds: ['error tool_result_repeated messages[2].content[1]'],
    holds: { messages: [ask, answer(call), result] },
  },
  {
    code: 'tool_result_not_first',
    broken: { messages: [ask, answer(call), { role: 'user', content: [text('Here:'), resultBlock] }] },
    finds: ['error tool_result_not_first messages[2].content[0]'],
    holds: { messages: [ask, answer(call), { role: 'user', content: [resultBlock, text('There.')] }] },
  },
  {
    code: 'tool_use_id_repeated',
    broken: { messages: [ask, answer(call), result, answer(call), result] },
    finds: ['error tool_use_id_repeated messages[3].content[0]'],
    holds: { messages: [ask, answer(call), result, answer(second), { role: 'user', content: [secondResult] }] },
  },
  {
    code: 'tool_use_id_malformed',
    broken: {
      messages: [
        ask,
        answer({ ...call, id: 'ferry:0' }),
        { role: 'user', content: [{ ...resultBlock, tool_use_id: 'ferry:0' }] },
      ],
    },
    finds: [
      'error tool_use_id_malformed messages[1].content[0].id',
      'error tool_use_id_malformed messages[2].content[0].tool_use_id',
    ],
    holds: {
      messages: [
        ask,
        answer({ ...call, id: 'ferry-0_A' }),
        { role: 'user', content: [{ ...resultBlock, tool_use_id: 'ferry-0_A' }] },
      ],
    },
  },
  {
    code: 'tool_input_not_object',
    broken: { messages: [ask, answer({ ...call, input: '{"port":' }), result] },
    finds: ['error tool_input_not_object messages[1].content[0].input'],
    holds: { messages: [ask, answer({ ...call, input: {} }), result] },
  },
  {
    code: 'tool_use_without_name',
    broken: { messages: [ask, answer({ ...call, name: '' }), result] },
    finds: ['error tool_use_without_name messages[1].content[0].name'],
    holds: { messages: [ask, answer(call), result] },
  },
  {
    code: 'block_in_wrong_role',
    broken: { messages: [{ role: 'user', content: [text('Go on'), call] }] },
    finds: ['error block_in_wrong_role messages[0].content[1]'],
    holds: { messages: [{ role: 'user', content: [text('Go on')] }] },
  },
  {
    code: 'container_missing',
    broken: { messages: [ask, answer({ ...call, caller: { type: 'code_execution_20260120', tool_id: 'x' } }), result] },
    finds: ['error container_missing container'],
    holds: { messages: [ask, answer({ ...call, caller: { type: 'direct' } }), result] },
  },
  {
    code: 'server_tool_result_unexpected',
    broken: { messages: [ask, answer(searchResult, text('At nine.')), ask] },
    finds: ['error server_tool_result_unexpected messages[1].content[0]'],
    holds: { messages: [ask, answer(search, searchResult, text('At nine.')), ask] },
  },
  {
    code: 'server_tool_result_missing',
    broken: { messages: [ask, answer(text('Let me see.'), search), ask] },
    finds: ['error server_tool_result_missing messages[1].content[1]'],
    // A paused turn goes back as it is, and one beside a client's call gets its result later.
    holds: { messages: [ask, answer(search, call), result] },
  },
  {
    code: 'server_tool_result_in_user_message',
    broken: { messages: [ask, answer(search), { role: 'user', content: [searchResult] }] },
    finds: [
      'error server_tool_result_missing messages[1].content[0]',
      'warning server_tool_result_in_user_message messages[2].content[0]',
    ],
    holds: { messages: [ask, answer(search, searchResult)] },
  },
];
