import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import { type HistoryRule, refused, spoiled } from '../../../core/request-rule.ts';
import { familyOf, isGiven, textOf } from './history.ts';

const leastBudget = 1024;

/** The rules of the parameters that switch thinking on outside of gateways. */
export const parameterRules: readonly HistoryRule[] = [
  {
    code: 'tool_choice_forced_with_thinking',
    source: 'Alibaba: deep thinking; DeepSeek: thinking mode; Anthropic: extended thinking',
    *find(body) {
      const { tool_choice: choice, thinking, enable_thinking: enable } = body;
      const isThinking = enable === true || (isJsonObject(thinking) && thinking['type'] === 'enabled');
      if (!isThinking || !isGiven(choice) || choice === 'auto' || choice === 'none') return;
      yield (refusesForcing.has(familyOf(body)) ? refused : spoiled)(
        'tool_choice',
        'The tool_choice parameter does not support being set to required or object in thinking mode. Use "auto" or "none", or switch thinking off.',
      );
    },
  },
  {
    code: 'reasoning_effort_refused',
    source: 'xAI: reasoning',
    *find(body) {
      const model = textOf(body['model']);
      if (!isGiven(body['reasoning_effort']) || !/grok-code|grok-4(?:-\d{4}|-latest)?$/.test(model)) return;
      yield (model.includes('grok-code') ? refused : spoiled)(
        'reasoning_effort',
        `Model ${model} does not support parameter reasoningEffort. It always reasons; leave the parameter out.`,
      );
    },
  },
  {
    code: 'thinking_budget_below_floor',
    source: "Return Claude's Thinking Blocks or Your Agent Breaks",
    *find(body) {
      const budget = budgetOf(body);
      if (budget !== undefined && budget < leastBudget && familyOf(body) === 'claude')
        yield refused(
          'thinking.budget_tokens',
          `thinking.enabled.budget_tokens: Input should be greater than or equal to ${leastBudget}, not ${budget}. Raise it.`,
        );
    },
  },
  {
    code: 'thinking_budget_not_below_max_tokens',
    source: "Return Claude's Thinking Blocks or Your Agent Breaks",
    *find(body) {
      const budget = budgetOf(body);
      const { max_tokens: maxTokens, tools } = body;
      if (budget === undefined || typeof maxTokens !== 'number' || budget < maxTokens || familyOf(body) !== 'claude')
        return;
      // With tools the budget may be that of all thinking of the turn.
      yield (Array.isArray(tools) && tools.length > 0 ? spoiled : refused)(
        'thinking.budget_tokens',
        `\`max_tokens\` (${maxTokens}) must be greater than \`thinking.budget_tokens\` (${budget}). Size it to hold both thinking and answer.`,
      );
    },
  },
];

const refusesForcing = new Set(['qwen', 'deepseek', 'claude']);

function budgetOf({ thinking }: JsonObject): number | undefined {
  const budget = isJsonObject(thinking) && thinking['type'] === 'enabled' ? thinking['budget_tokens'] : undefined;
  return typeof budget === 'number' ? budget : undefined;
}
