import type { JsonObject } from '../../../src/core/json-object.ts';
import type { RuleCase } from '../request-findings.ts';
import { answer, ask, call, result, turnOf } from './request-parts.ts';

const claude = { model: 'anthropic/claude-sonnet-4' };
const gpt = { model: 'openai/gpt-5' };
const signed = { type: 'reasoning.text', text: 'North.', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 };
const sealed = { type: 'reasoning.encrypted', data: 'b3BhcXVl', id: 'rs_1', format: 'openai-responses-v1', index: 0 };
const toolTurn = answer({ tool_calls: [call] });

/** A tool cycle whose turn has these entries of `reasoning_details`. */
function loopWith(...details: readonly JsonObject[]): JsonObject[] {
  return [ask, { ...toolTurn, reasoning_details: details }, result];
}

/** The rules of reasoning that goes back, each broken and held. */
export const reasoningCases: readonly RuleCase[] = [
  {
    code: 'reasoning_details_malformed',
    broken: { ...gpt, messages: loopWith({ type: 'reasoning.encrypted', id: 'rs_1' }, { type: 'reasoning.summary' }) },
    finds: [
      'error reasoning_details_malformed messages[1].reasoning_details[0].data',
      'error reasoning_details_malformed messages[1].reasoning_details[1].summary',
    ],
    holds: { ...gpt, messages: loopWith({ type: 'reasoning.summary', summary: 'North.' }, sealed) },
  },
  {
    code: 'reasoning_details_fragments',
    broken: {
      ...claude,
      messages: loopWith({ ...signed, text: 'North', signature: null }, { ...signed, text: undefined }),
    },
    finds: [
      'error reasoning_details_fragments messages[1].reasoning_details[1]',
      'warning reasoning_details_unsigned messages[1].reasoning_details[0]',
    ],
    holds: { ...claude, messages: loopWith(signed, { ...signed, text: 'East.', signature: 'bmV4dA' }) },
  },
  {
    code: 'reasoning_details_unsigned',
    broken: { ...claude, messages: loopWith({ ...signed, signature: null }) },
    finds: ['warning reasoning_details_unsigned messages[1].reasoning_details[0]'],
    holds: { ...claude, messages: loopWith({ ...signed, format: 'unknown', signature: null }) },
  },
  {
    code: 'reasoning_details_foreign',
    broken: { ...claude, messages: loopWith(sealed) },
    finds: ['error reasoning_details_foreign messages[1].reasoning_details[0]'],
    holds: { ...gpt, messages: loopWith(sealed) },
  },
  {
    code: 'reasoning_details_repeated',
    broken: {
      ...gpt,
      messages: [...loopWith(sealed), { ...answer({ content: 'At nine.' }), reasoning_details: [sealed] }, ask],
    },
    finds: ['error reasoning_details_repeated messages[3].reasoning_details[0]'],
    holds: {
      ...gpt,
      messages: [
        ...loopWith(sealed),
        { ...answer({ content: 'At nine.' }), reasoning_details: [{ ...sealed, id: 'rs_2' }] },
        ask,
      ],
    },
  },
  {
    code: 'reasoning_details_id_alone',
    broken: { ...gpt, messages: loopWith({ type: 'reasoning.summary', summary: 'North.', id: 'rs_1' }) },
    finds: ['warning reasoning_details_id_alone messages[1].reasoning_details[0]'],
    holds: { ...gpt, messages: loopWith({ type: 'reasoning.summary', summary: 'North.', id: 'rs_1' }, sealed) },
  },
  {
    code: 'reasoning_details_placeholder',
    broken: { ...gpt, messages: loopWith({ ...sealed, data: '[REDACTED]' }) },
    finds: ['warning reasoning_details_placeholder messages[1].reasoning_details[0]'],
    holds: { ...gpt, messages: loopWith(sealed) },
  },
  {
    code: 'reasoning_missing_on_tool_turn',
    broken: { model: 'deepseek-v4-pro', messages: [ask, toolTurn, result, answer({ content: 'At nine.' }), ask] },
    finds: ['error reasoning_missing_on_tool_turn messages[1]'],
    // Turns without calls need none, and "" says that there was none.
    holds: {
      model: 'deepseek-v4-pro',
      messages: [ask, { ...toolTurn, reasoning_content: '' }, result, answer({ content: 'At nine.' }), ask],
    },
  },
  {
    code: 'reasoning_not_taken_back',
    broken: { model: 'deepseek-r1', messages: [ask, answer({ content: 'Nine.', reasoning_content: 'So.' }), ask] },
    finds: ['warning reasoning_not_taken_back messages[1].reasoning_content'],
    holds: { model: 'deepseek-r1', messages: [ask, answer({ content: 'Nine.' }), ask] },
  },
  {
    code: 'reasoning_without_details',
    broken: { ...claude, messages: [ask, { ...toolTurn, reasoning: 'North.' }, result] },
    finds: ['warning reasoning_without_details messages[1].reasoning'],
    holds: { ...claude, messages: [ask, { ...toolTurn, reasoning: 'North.', reasoning_details: [signed] }, result] },
  },
  {
    code: 'reasoning_missing_in_cycle',
    broken: { ...claude, reasoning: { max_tokens: 2000 }, messages: [ask, toolTurn, result] },
    finds: ['warning reasoning_missing_in_cycle messages[1]'],
    holds: { ...claude, reasoning: { max_tokens: 2000 }, messages: loopWith(signed) },
  },
  {
    code: 'thought_signature_missing',
    broken: { model: 'google/gemini-3-pro-preview', provider: {}, messages: [ask, toolTurn, result] },
    finds: ['error thought_signature_missing messages[1].tool_calls[0]'],
    holds: {
      model: 'google/gemini-3-pro-preview',
      provider: {},
      messages: loopWith({ type: 'reasoning.encrypted', data: 'b3BhcXVl', format: 'google-gemini-v1', id: 'call_1' }),
    },
  },
  {
    code: 'reasoning_details_edited',
    context: { turns: [turnOf({ ...toolTurn, reasoning_details: [signed, { ...signed, text: 'East.', index: 1 }] })] },
    broken: { ...claude, messages: loopWith({ ...signed, text: 'East.', index: 1 }, signed) },
    finds: ['error reasoning_details_edited messages[1].reasoning_details'],
    holds: { ...claude, messages: loopWith(signed, { ...signed, text: 'East.', index: 1 }) },
  },
  {
    code: 'reasoning_edited',
    context: { turns: [turnOf({ ...toolTurn, reasoning_content: 'North. ' })] },
    broken: { model: 'kimi-k2.6', messages: [ask, { ...toolTurn, reasoning_content: 'North.' }, result] },
    finds: ['warning reasoning_edited messages[1].reasoning_content'],
    holds: { model: 'kimi-k2.6', messages: [ask, { ...toolTurn, reasoning_content: 'North. ' }, result] },
  },
  {
    code: 'reasoning_dropped',
    context: { turns: [turnOf({ ...toolTurn, reasoning_details: [signed] })] },
    broken: { ...claude, messages: [ask, toolTurn, result] },
    finds: ['warning reasoning_dropped messages[1]'],
    holds: { ...claude, messages: loopWith(signed) },
  },
  {
    code: 'tool_arguments_edited',
    context: { turns: [turnOf(toolTurn)] },
    broken: {
      messages: [
        ask,
        answer({ tool_calls: [{ ...call, function: { name: 'ferry_times', arguments: '{"port":"Harlow"}' } }] }),
        result,
      ],
    },
    finds: ['warning tool_arguments_edited messages[1].tool_calls[0].function.arguments'],
    holds: { messages: [ask, toolTurn, result] },
  },
  {
    code: 'reasoning_changed_in_cycle',
    context: { previous: { reasoning: { effort: 'high' } } },
    broken: { ...gpt, reasoning: { effort: 'low' }, messages: loopWith(sealed) },
    finds: ['warning reasoning_changed_in_cycle reasoning', 'warning reasoning_change_loses_cache reasoning'],
    holds: { ...gpt, reasoning: { effort: 'high', exclude: false }, messages: loopWith(sealed) },
  },
  {
    code: 'reasoning_change_loses_cache',
    context: { previous: { reasoning_effort: 'high' } },
    broken: { reasoning_effort: 'low' },
    finds: ['warning reasoning_change_loses_cache reasoning_effort'],
    holds: { reasoning_effort: 'high' },
  },
];
