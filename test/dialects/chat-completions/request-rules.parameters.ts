import type { RuleCase } from '../request-findings.ts';
import { answer, ask } from './request-parts.ts';

const claude = { model: 'anthropic/claude-sonnet-4', max_tokens: 16_000 };
const tools = [{ type: 'function', function: { name: 'ferry_times' } }];

/** The rules of parameters, each broken and held. */
export const parameterCases: readonly RuleCase[] = [
  {
    code: 'reasoning_effort_and_max_tokens',
    broken: { ...claude, reasoning: { effort: 'high', max_tokens: 2000 } },
    finds: ['error reasoning_effort_and_max_tokens reasoning'],
    holds: { ...claude, reasoning: { max_tokens: 2000 } },
  },
  {
    code: 'reasoning_effort_unknown',
    broken: { ...claude, reasoning: { effort: 'enormous' } },
    finds: ['error reasoning_effort_unknown reasoning.effort'],
    holds: { ...claude, reasoning: { effort: 'high' } },
  },
  {
    code: 'reasoning_parameter_misspelt',
    broken: { ...claude, reasoning: { maxTokens: 8000 } },
    finds: ['warning reasoning_parameter_misspelt reasoning.maxTokens'],
    holds: { ...claude, reasoning: { max_tokens: 8000 } },
  },
  {
    code: 'reasoning_budget_below_floor',
    broken: { ...claude, reasoning: { max_tokens: 500 } },
    finds: ['warning reasoning_budget_below_floor reasoning.max_tokens'],
    holds: { ...claude, reasoning: { max_tokens: 1024 } },
  },
  {
    code: 'reasoning_budget_above_cap',
    broken: { ...claude, max_tokens: 64_000, reasoning: { max_tokens: 40_000 } },
    finds: ['warning reasoning_budget_above_cap reasoning.max_tokens'],
    holds: { ...claude, max_tokens: 64_000, provider: {}, reasoning: { max_tokens: 40_000 } },
  },
  {
    code: 'reasoning_budget_not_below_max_tokens',
    broken: { ...claude, reasoning: { max_tokens: 16_000 } },
    finds: ['error reasoning_budget_not_below_max_tokens max_tokens'],
    // With tools thinking is interleaved, and its budget is that of the whole turn.
    holds: { ...claude, tools, reasoning: { max_tokens: 16_000 } },
  },
  {
    code: 'reasoning_leaves_little_room',
    broken: { ...claude, max_tokens: 1200, reasoning: { effort: 'high' } },
    finds: ['warning reasoning_leaves_little_room max_tokens'],
    holds: { ...claude, max_tokens: 4000, reasoning: { effort: 'high' } },
  },
  {
    code: 'reasoning_forced_tool_choice',
    broken: { ...claude, tools, reasoning: { effort: 'high' }, tool_choice: 'required' },
    finds: ['error reasoning_forced_tool_choice tool_choice'],
    holds: { ...claude, tools, reasoning: { effort: 'high' }, tool_choice: 'none' },
  },
  {
    code: 'reasoning_top_k',
    broken: { ...claude, reasoning: { effort: 'high' }, top_k: 5 },
    finds: ['error reasoning_top_k top_k'],
    holds: { ...claude, top_k: 5 },
  },
  {
    code: 'reasoning_prefill',
    broken: { ...claude, reasoning: { effort: 'high' }, messages: [ask, answer({ content: '{' })] },
    finds: ['error reasoning_prefill messages[1]'],
    holds: { ...claude, messages: [ask, answer({ content: '{' })] },
  },
  {
    code: 'reasoning_excluded_in_tool_cycle',
    broken: { ...claude, tools, reasoning: { effort: 'low', exclude: true } },
    finds: ['warning reasoning_excluded_in_tool_cycle reasoning.exclude'],
    holds: { ...claude, reasoning: { effort: 'low', exclude: true } },
  },
  {
    code: 'reasoning_and_reasoning_effort',
    broken: { ...claude, reasoning: { effort: 'high' }, reasoning_effort: 'low' },
    finds: ['error reasoning_and_reasoning_effort reasoning_effort'],
    holds: { ...claude, reasoning: { effort: 'high' }, reasoning_effort: 'high' },
  },
  {
    code: 'reasoning_budget_ignored',
    broken: { model: 'anthropic/claude-opus-4.7', reasoning: { max_tokens: 2000 } },
    finds: ['warning reasoning_budget_ignored reasoning.max_tokens'],
    holds: { model: 'anthropic/claude-opus-4.6', reasoning: { max_tokens: 2000 } },
  },
  {
    code: 'reasoning_effort_falls_back',
    broken: { model: 'anthropic/claude-opus-4.6', provider: {}, reasoning: { effort: 'xhigh' } },
    finds: ['warning reasoning_effort_falls_back reasoning.effort'],
    holds: { model: 'anthropic/claude-opus-4.7', provider: {}, reasoning: { effort: 'xhigh' } },
  },
  {
    code: 'thinking_variant_unsupported',
    broken: { model: 'anthropic/claude-3.7-sonnet:thinking' },
    finds: ['warning thinking_variant_unsupported model'],
    holds: { model: 'qwen/qwen-plus:thinking' },
  },
  {
    code: 'tool_choice_forced_with_thinking',
    broken: { model: 'qwen3.8-max', tools, enable_thinking: true, tool_choice: 'required' },
    finds: ['error tool_choice_forced_with_thinking tool_choice'],
    holds: { model: 'qwen3.8-max', tools, enable_thinking: false, tool_choice: 'required' },
  },
  {
    code: 'reasoning_effort_refused',
    broken: { model: 'grok-code-fast-1', reasoning_effort: 'low' },
    finds: ['error reasoning_effort_refused reasoning_effort'],
    holds: { model: 'grok-3-mini', reasoning_effort: 'low' },
  },
  {
    code: 'thinking_budget_below_floor',
    broken: { model: 'databricks-claude-3-7-sonnet', thinking: { type: 'enabled', budget_tokens: 1000 } },
    finds: ['error thinking_budget_below_floor thinking.budget_tokens'],
    holds: { model: 'glm-5', thinking: { type: 'enabled', budget_tokens: 1000 } },
  },
  {
    code: 'thinking_budget_not_below_max_tokens',
    broken: {
      model: 'databricks-claude-3-7-sonnet',
      max_tokens: 2048,
      thinking: { type: 'enabled', budget_tokens: 2048 },
    },
    finds: ['error thinking_budget_not_below_max_tokens thinking.budget_tokens'],
    holds: {
      model: 'databricks-claude-3-7-sonnet',
      max_tokens: 2049,
      thinking: { type: 'enabled', budget_tokens: 2048 },
    },
  },
];
