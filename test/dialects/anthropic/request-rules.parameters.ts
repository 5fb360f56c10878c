import type { RuleCase } from '../request-findings.ts';
import { answer, ask, call, manual, result, text, thought } from './request-parts.ts';

const adaptive = { thinking: { type: 'adaptive' } };
const tools = [{ name: 'ferry_times', input_schema: { type: 'object' } }];
const clearThinking = { type: 'clear_thinking_20251015', keep: 'all' };
const loop = [ask, answer(thought, call), result];

/** The rules of parameters and of their changes, each broken and held. */
export const parameterCases: readonly RuleCase[] = [
  {
    code: 'thinking_type_unknown',
    broken: { ...manual, thinking: { type: 'auto' } },
    finds: ['error thinking_type_unknown thinking.type'],
    holds: manual,
  },
  {
    code: 'thinking_budget_missing',
    broken: { ...manual, thinking: { type: 'enabled' } },
    finds: ['error thinking_budget_missing thinking.budget_tokens'],
    holds: manual,
  },
  {
    code: 'thinking_budget_below_floor',
    broken: { ...manual, thinking: { type: 'enabled', budget_tokens: 1023 } },
    finds: ['error thinking_budget_below_floor thinking.budget_tokens'],
    holds: { ...manual, thinking: { type: 'enabled', budget_tokens: 1024 } },
  },
  {
    code: 'thinking_budget_not_below_max_tokens',
    broken: { max_tokens: 2048, ...manual },
    finds: ['error thinking_budget_not_below_max_tokens thinking.budget_tokens'],
    holds: { max_tokens: 2049, ...manual },
  },
  {
    code: 'thinking_budget_not_allowed',
    broken: { model: 'claude-opus-4-7', thinking: { type: 'adaptive', budget_tokens: 2048 } },
    finds: ['error thinking_budget_not_allowed thinking.budget_tokens'],
    holds: { model: 'claude-opus-4-7', ...adaptive },
  },
  {
    code: 'thinking_enabled_refused',
    broken: { ...manual, model: 'claude-opus-4-7' },
    finds: ['error thinking_enabled_refused thinking.type'],
    holds: { ...manual, model: 'claude-opus-4-5' },
  },
  {
    code: 'thinking_enabled_deprecated',
    broken: { ...manual, model: 'claude-sonnet-4-6' },
    finds: ['warning thinking_enabled_deprecated thinking.type'],
    holds: { model: 'claude-sonnet-4-6', ...adaptive },
  },
  {
    code: 'thinking_adaptive_refused',
    broken: { model: 'claude-sonnet-4-5', ...adaptive },
    finds: ['error thinking_adaptive_refused thinking.type'],
    holds: { model: 'claude-sonnet-5', ...adaptive },
  },
  {
    code: 'thinking_display_unknown',
    broken: { ...manual, thinking: { type: 'enabled', budget_tokens: 2048, display: 'raw' } },
    finds: ['warning thinking_display_unknown thinking.display'],
    holds: { ...manual, thinking: { type: 'enabled', budget_tokens: 2048, display: 'omitted' } },
  },
  {
    code: 'effort_unknown',
    broken: { model: 'claude-opus-5', output_config: { effort: 'adaptive' } },
    finds: ['error effort_unknown output_config.effort'],
    holds: { model: 'claude-opus-5', output_config: { effort: 'max' } },
  },
  {
    code: 'effort_not_of_model',
    broken: { model: 'claude-opus-4-6', output_config: { effort: 'xhigh' } },
    finds: ['error effort_not_of_model output_config.effort'],
    holds: { model: 'claude-opus-4-6', output_config: { effort: 'max' } },
  },
  {
    code: 'effort_without_thinking',
    broken: { model: 'claude-opus-5', thinking: { type: 'disabled' }, output_config: { effort: 'xhigh' } },
    finds: ['error effort_without_thinking output_config.effort'],
    holds: { model: 'claude-opus-5', thinking: { type: 'disabled' }, output_config: { effort: 'high' } },
  },
  {
    code: 'clear_thinking_without_thinking',
    broken: { ...manual, thinking: undefined, context_management: { edits: [clearThinking] } },
    finds: ['error clear_thinking_without_thinking context_management.edits[0]'],
    holds: { ...manual, context_management: { edits: [clearThinking] } },
  },
  {
    code: 'clear_thinking_not_first',
    broken: { ...manual, context_management: { edits: [{ type: 'clear_tool_uses_20250919' }, clearThinking] } },
    finds: ['error clear_thinking_not_first context_management.edits[1]'],
    holds: { ...manual, context_management: { edits: [clearThinking, { type: 'clear_tool_uses_20250919' }] } },
  },
  {
    code: 'streaming_needed',
    broken: { max_tokens: 64_000 },
    finds: ['warning streaming_needed stream'],
    holds: { max_tokens: 64_000, stream: true },
  },
  {
    code: 'temperature_with_thinking',
    broken: { ...manual, temperature: 0.2 },
    finds: ['error temperature_with_thinking temperature'],
    holds: { ...manual, temperature: 1 },
  },
  {
    code: 'top_p_with_thinking',
    broken: { ...manual, top_p: 0.9 },
    finds: ['error top_p_with_thinking top_p'],
    holds: { ...manual, top_p: 0.95 },
  },
  {
    code: 'top_k_with_thinking',
    broken: { ...manual, top_k: 40 },
    finds: ['error top_k_with_thinking top_k'],
    holds: { model: 'claude-sonnet-4-5', top_k: 40 },
  },
  {
    code: 'sampling_refused',
    broken: { model: 'claude-opus-4-7', temperature: 0.2 },
    finds: ['error sampling_refused temperature'],
    holds: { model: 'claude-opus-4-6', temperature: 0.2 },
  },
  {
    code: 'temperature_and_top_p',
    broken: { model: 'claude-sonnet-4-5', temperature: 0.2, top_p: 0.9 },
    finds: ['error temperature_and_top_p top_p'],
    holds: { model: 'claude-3-7-sonnet-latest', temperature: 0.2, top_p: 0.9 },
  },
  {
    code: 'tool_choice_forced_with_thinking',
    broken: { ...manual, tools, tool_choice: { type: 'any' } },
    finds: ['error tool_choice_forced_with_thinking tool_choice'],
    holds: { ...manual, tools, tool_choice: { type: 'auto' } },
  },
  {
    code: 'tool_choice_forced_refused',
    broken: { model: 'claude-opus-5-5', tools, tool_choice: { type: 'tool', name: 'ferry_times' } },
    finds: ['error tool_choice_forced_refused tool_choice'],
    holds: { model: 'claude-opus-5', tools, tool_choice: { type: 'tool', name: 'ferry_times' } },
  },
  {
    code: 'tool_choice_forced_by_compatible_server',
    broken: { ...manual, model: 'deepseek-v4-flash', tools, tool_choice: { type: 'any' } },
    finds: ['error tool_choice_forced_by_compatible_server tool_choice'],
    holds: { model: 'deepseek-v4-flash', thinking: { type: 'disabled' }, tools, tool_choice: { type: 'any' } },
  },
  {
    code: 'tool_choice_unknown_tool',
    broken: { tools, tool_choice: { type: 'tool', name: 'train_times' } },
    finds: ['error tool_choice_unknown_tool tool_choice.name'],
    holds: { tools, tool_choice: { type: 'tool', name: 'ferry_times' } },
  },
  {
    code: 'prefill_refused',
    broken: { model: 'claude-sonnet-4-6', messages: [ask, answer(text('{'))] },
    finds: ['error prefill_refused messages[1]'],
    holds: { model: 'claude-sonnet-4-5', messages: [ask, answer(text('{'))] },
  },
  {
    code: 'thinking_changed_in_cycle',
    context: { previous: { thinking: { type: 'enabled', budget_tokens: 4096 } } },
    broken: { ...manual, messages: loop },
    finds: [
      'warning thinking_changed_in_cycle thinking.budget_tokens',
      'warning thinking_change_loses_cache thinking.budget_tokens',
    ],
    holds: { ...manual, thinking: { type: 'enabled', budget_tokens: 4096 }, messages: loop },
  },
  {
    code: 'thinking_change_loses_cache',
    context: { previous: { model: 'claude-opus-5', output_config: { effort: 'high' } } },
    broken: { model: 'claude-opus-5', output_config: { effort: 'low' }, messages: [ask, answer(text('Nine.')), ask] },
    finds: ['warning thinking_change_loses_cache output_config.effort'],
    holds: { model: 'claude-opus-5', output_config: { effort: 'high' }, messages: [ask, answer(text('Nine.')), ask] },
  },
  {
    code: 'bound_prefix_changed',
    context: { previous: { system: 'Today is Monday.', messages: [ask] } },
    broken: {
      model: 'claude-opus-5-5',
      system: 'Today is Tuesday.',
      messages: [{ role: 'user', content: 'When?' }, answer(thought, call), result],
    },
    finds: ['warning bound_prefix_changed system', 'warning bound_prefix_changed messages[0]'],
    holds: { model: 'claude-opus-5-5', system: 'Today is Monday.', messages: loop },
  },
];
