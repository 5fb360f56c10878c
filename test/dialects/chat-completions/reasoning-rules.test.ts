import { describe, expect, test } from 'vitest';
import { type Gateway, reasoningBudget, reasoningRules } from '../../../src/chat-completions.ts';
import type { JsonObject } from '../../../src/core/json-object.ts';

describe('reasoningBudget', () => {
  test.each([
    ['anannas', 10_000, 'high', 8000],
    ['anannas', 64_000, 'high', 32_000],
    ['openrouter', 64_000, 'high', 51_200],
    ['openrouter', 200_000, 'max', 128_000],
    ['anannas', 4000, 'low', 1024],
    ['anannas', 10_000, 'medium', 5000],
    ['openrouter', 1200, 'high', 1024],
    ['openrouter', 30_000, 'minimal', 3000],
    ['openrouter', 30_000, 'none', 0],
  ] as const)('%s makes of max_tokens %i and effort %s a budget of %i', (gateway, maxTokens, effort, budget) => {
    expect(reasoningBudget({ gateway, maxTokens, effort })).toBe(budget);
  });

  test('takes a number as it is, at least the floor', () => {
    expect(reasoningBudget({ gateway: 'anannas', maxTokens: 9000, reasoningMaxTokens: 2000 })).toBe(2000);
    expect(reasoningBudget({ gateway: 'anannas', maxTokens: 9000, reasoningMaxTokens: 10 })).toBe(1024);
  });

  test.each([
    [{ gateway: 'elsewhere', maxTokens: 9000, effort: 'low' }, /gateway anannas or openrouter/],
    [{ gateway: 'anannas', maxTokens: Number.NaN, effort: 'low' }, /maxTokens must be a number/],
    [{ gateway: 'openrouter', maxTokens: 9000, reasoningMaxTokens: -1 }, /reasoningMaxTokens must be a number/],
  ])('refuses %j', (request, message) => {
    // As a caller without types may send it.
    expect(() => reasoningBudget(request as Parameters<typeof reasoningBudget>[0])).toThrow(message);
  });

  test.each(['xhigh', 'toString', ''])('says which efforts there are when it gets %j', (effort) => {
    expect(() => reasoningBudget({ gateway: 'anannas', maxTokens: 9000, effort })).toThrow(/high, medium, low/);
  });
});

function found(body: JsonObject, gateway: Gateway = 'anannas'): string[] {
  const whole = { model: 'anthropic/claude-sonnet-4', max_tokens: 16_000, messages: [], ...body };
  return reasoningRules(gateway).flatMap((rule) => {
    const finding = rule.check(whole);
    if (finding) expect([finding.code, finding.message.length > 20]).toEqual([rule.code, true]);
    return finding ? [`${finding.severity} ${finding.code} ${finding.path}`] : [];
  });
}

const tools = [{ type: 'function', function: { name: 'f' } }];

describe('reasoningRules', () => {
  test.each([
    [{ reasoning: { effort: 'high' } }],
    [{ reasoning: { max_tokens: 2000 } }],
    [{ reasoning: { enabled: true, exclude: true } }],
    [{ reasoning: { effort: 'medium' }, tools, tool_choice: 'auto' }],
    [{ tool_choice: 'required', top_k: 5, tools }],
    [{ reasoning: { enabled: false }, tool_choice: 'required', top_k: 5 }],
    [{ reasoning: { max_tokens: 20_000 }, tools }],
  ])('finds nothing wrong with %j', (body) => {
    expect(found(body)).toEqual([]);
  });

  test.each([
    [{ reasoning: { effort: 'high', max_tokens: 2000 } }, 'error reasoning_effort_and_max_tokens reasoning'],
    [{ reasoning: { effort: 'xhigh' } }, 'error reasoning_effort_unknown reasoning.effort'],
    [{ reasoning: { maxTokens: 8000 } }, 'warning reasoning_parameter_misspelt reasoning.maxTokens'],
    [{ reasoning: { max_tokens: 500 } }, 'warning reasoning_budget_below_floor reasoning.max_tokens'],
    [
      { max_tokens: 64_000, reasoning: { max_tokens: 40_000 } },
      'warning reasoning_budget_above_cap reasoning.max_tokens',
    ],
    [{ reasoning: { max_tokens: 16_000 } }, 'error reasoning_budget_not_below_max_tokens max_tokens'],
    [{ max_tokens: 1000, reasoning: { effort: 'low' } }, 'error reasoning_budget_not_below_max_tokens max_tokens'],
    [{ max_tokens: 1200, reasoning: { effort: 'high' } }, 'warning reasoning_leaves_little_room max_tokens'],
    [{ max_tokens: 1200, reasoning: { enabled: true } }, 'warning reasoning_leaves_little_room max_tokens'],
    [
      { reasoning: { effort: 'high' }, tools, tool_choice: 'required' },
      'error reasoning_forced_tool_choice tool_choice',
    ],
    [{ reasoning: {}, tool_choice: { type: 'function' } }, 'error reasoning_forced_tool_choice tool_choice'],
    [{ include_reasoning: true, top_k: 5 }, 'error reasoning_top_k top_k'],
    [{ reasoning: {}, messages: [{ role: 'user' }, { role: 'assistant' }] }, 'error reasoning_prefill messages[1]'],
    [
      { reasoning: { effort: 'low', exclude: true }, tools },
      'warning reasoning_excluded_in_tool_cycle reasoning.exclude',
    ],
  ])('finds what is wrong with %j', (body, finding) => {
    expect(found(body)).toEqual([finding]);
  });

  test('judges efforts and caps by the gateway', () => {
    expect(found({ reasoning: { effort: 'xhigh' } }, 'openrouter')).toEqual([]);
    expect(found({ max_tokens: 64_000, reasoning: { max_tokens: 40_000 } }, 'openrouter')).toEqual([]);
  });

  test('asks no budget of models that take none', () => {
    expect(found({ model: 'openai/gpt-5.1', max_tokens: 1000, reasoning: { effort: 'low' } })).toEqual([]);
  });

  test('names its source', () => {
    for (const { source } of reasoningRules('openrouter')) expect(source).toContain('openrouter');
  });
});
