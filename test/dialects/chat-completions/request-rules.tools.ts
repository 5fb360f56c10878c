import type { RuleCase } from '../request-findings.ts';
import { answer, ask, call, result } from './request-parts.ts';

const second = { ...call, id: 'call_2' };
const secondResult = { ...result, tool_call_id: 'call_2' };
const half = String.fromCharCode(0xd83d);
const mistral = { model: 'mistral-small-latest' };
const tools = [{ type: 'function', function: { name: 'ferry_times' } }];

function withArguments(args: unknown): Record<string, unknown> {
  return { ...call, function: { name: 'ferry_times', arguments: args } };
}

/** The rules of calls, results and messages, each broken and held. */
export const toolCases: readonly RuleCase[] = [
  {
    code: 'tool_result_missing',
    broken: { messages: [ask, answer({ tool_calls: [call, second] }), result, ask] },
    finds: ['error tool_result_missing messages[1].tool_calls[1]'],
    holds: { messages: [ask, answer({ tool_calls: [call, second] }), secondResult, result, ask] },
  },
  {
    code: 'tool_result_unexpected',
    broken: { messages: [ask, answer({ tool_calls: [call] }), result, ask, secondResult] },
    finds: ['error tool_result_unexpected messages[4]'],
    holds: { messages: [ask, answer({ tool_calls: [call] }), result, ask] },
  },
  {
    code: 'tool_result_repeated',
    broken: { messages: [ask, answer({ tool_calls: [call] }), result, result] },
    finds: ['warning tool_result_repeated messages[3]'],
    holds: { messages: [ask, answer({ tool_calls: [call] }), result, answer({ tool_calls: [call] }), result] },
  },
  {
    code: 'tool_call_id_repeated',
    broken: {
      model: 'claude-sonnet-5',
      messages: [ask, answer({ tool_calls: [call] }), result, answer({ tool_calls: [call] }), result],
    },
    finds: ['error tool_call_id_repeated messages[3].tool_calls[0]'],
    holds: {
      model: 'claude-sonnet-5',
      messages: [ask, answer({ tool_calls: [call] }), result, answer({ tool_calls: [second] }), secondResult],
    },
  },
  {
    code: 'tool_call_incomplete',
    broken: { messages: [ask, answer({ tool_calls: [{ ...call, function: { arguments: '{}' } }] }), result] },
    finds: ['error tool_call_incomplete messages[1].tool_calls[0].function.name'],
    holds: {
      messages: [
        ask,
        answer({ tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'sql', input: '' } }] }),
        result,
      ],
    },
  },
  {
    code: 'tool_arguments_not_text',
    broken: { messages: [ask, answer({ tool_calls: [withArguments({ port: 'Harlow' })] }), result] },
    finds: ['error tool_arguments_not_text messages[1].tool_calls[0].function.arguments'],
    holds: { messages: [ask, answer({ tool_calls: [withArguments('{}')] }), result] },
  },
  {
    code: 'tool_arguments_not_json',
    broken: { messages: [ask, answer({ tool_calls: [withArguments('{"port":')] }), result] },
    finds: ['warning tool_arguments_not_json messages[1].tool_calls[0].function.arguments'],
    holds: { messages: [ask, answer({ tool_calls: [withArguments('{"INVALID_JSON":"{"}')] }), result] },
  },
  {
    code: 'user_message_after_results',
    broken: { ...mistral, messages: [ask, { ...answer({ tool_calls: [call] }) }, result, ask] },
    finds: ['error user_message_after_results messages[3]'],
    holds: {
      ...mistral,
      messages: [ask, answer({ tool_calls: [call] }), result, answer({ content: 'At nine.' }), ask],
    },
  },
  {
    code: 'tool_choice_unknown_tool',
    broken: { tools, tool_choice: { type: 'function', function: { name: 'train_times' } } },
    finds: ['error tool_choice_unknown_tool tool_choice'],
    holds: { tools, tool_choice: { type: 'function', function: { name: 'ferry_times' } } },
  },
  {
    code: 'messages_missing',
    broken: { messages: undefined },
    finds: ['error messages_missing messages'],
    holds: { messages: [ask] },
  },
  {
    code: 'message_empty',
    broken: { messages: [ask, answer({}), answer({ content: '' }), ask] },
    finds: ['error message_empty messages[1]', 'warning message_empty messages[2]'],
    holds: { messages: [ask, answer({ refusal: 'No.' }), answer({ audio: { id: 'audio_1' } }), ask] },
  },
  {
    code: 'message_blank',
    broken: { model: 'anthropic/claude-sonnet-5', messages: [ask, answer({ content: '\n\n' }), ask] },
    finds: ['warning message_blank messages[1].content'],
    holds: {
      model: 'anthropic/claude-sonnet-5',
      messages: [ask, answer({ content: ' ', tool_calls: [call] }), result],
    },
  },
  {
    code: 'message_member_refused',
    broken: { ...mistral, messages: [ask, answer({ content: 'At nine.', reasoning_content: 'Nine.' }), ask] },
    finds: ['error message_member_refused messages[1].reasoning_content'],
    holds: { ...mistral, messages: [ask, answer({ content: 'At nine.', prefix: false }), ask] },
  },
  {
    code: 'role_refused',
    broken: { model: 'o1-mini', messages: [{ role: 'developer', content: 'Be brief.' }, ask] },
    finds: ['error role_refused messages[0].role'],
    holds: { model: 'o4-mini', messages: [{ role: 'developer', content: 'Be brief.' }, ask] },
  },
  {
    code: 'lone_surrogate',
    broken: { messages: [{ role: 'user', content: [{ type: 'text', text: `Harlow ${half}` }] }] },
    finds: ['error lone_surrogate messages[0].content[0].text'],
    holds: { messages: [{ role: 'user', content: 'Ferry ⛴, or 🚢?' }] },
  },
];
