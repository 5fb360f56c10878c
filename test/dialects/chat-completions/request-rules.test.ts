import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { RequestContext } from '../../../src/core/request-rule.ts';
import { chatCompletionsRules } from '../../../src/dialects/chat-completions/request-rules.ts';
import { findingsOf } from '../request-findings.ts';
import { answer, ask, call, result, turnOf } from './request-parts.ts';
import { parameterCases } from './request-rules.parameters.ts';
import { reasoningCases } from './request-rules.reasoning.ts';
import { toolCases } from './request-rules.tools.ts';

function found(body: JsonObject, context: RequestContext = {}): string[] {
  return findingsOf(chatCompletionsRules, { model: 'gpt-5.4', messages: [ask], ...body }, context);
}

const cases = [...toolCases, ...reasoningCases, ...parameterCases];

describe('chatCompletionsRules', () => {
  test.each(cases)('$code', ({ broken, finds, holds, context }) => {
    expect(found(broken, context)).toEqual(finds);
    expect(found(holds, context)).toEqual([]);
  });

  test('are each broken by a case of their own', () => {
    for (const { code, finds } of cases) expect(finds.some((finding) => finding.split(' ')[1] === code)).toBe(true);
    expect(cases.map(({ code }) => code).sort()).toEqual(chatCompletionsRules.map(({ code }) => code).sort());
  });

  test('say where they are written down', () => {
    for (const { source } of chatCompletionsRules) expect(source).toMatch(/^\w/);
  });
});

describe('chatCompletionsRules, by who answers', () => {
  test.each([
    ['gpt-5.4', ['error tool_result_unexpected messages[1]']],
    ['vendor-nobody-knows', ['warning tool_result_unexpected messages[1]']],
    [null, ['warning tool_result_unexpected messages[1]']],
  ])('judge a result without a call for %s', (model, finds) => {
    expect(found({ model, messages: [ask, result] })).toEqual(finds);
  });

  test.each([
    ['deepseek-v4-flash', undefined, ['error reasoning_missing_on_tool_turn messages[1]']],
    ['deepseek/deepseek-v4-flash', undefined, ['warning reasoning_missing_on_tool_turn messages[1]']],
    ['deepseek-v4-flash', { type: 'disabled' }, []],
    ['deepseek-chat', undefined, []],
    ['deepseek-chat', { type: 'enabled' }, ['error reasoning_missing_on_tool_turn messages[1]']],
    ['kimi-k2.6', undefined, ['error reasoning_missing_on_tool_turn messages[1]']],
    ['moonshotai/kimi-k2-instruct-0905', undefined, []],
  ])('judge a turn without its reasoning for %s with thinking %j', (model, thinking, finds) => {
    expect(found({ model, thinking, messages: [ask, answer({ tool_calls: [call] }), result] })).toEqual(finds);
  });

  test.each([
    [{ model: 'anthropic/claude-sonnet-4', provider: {} }, []],
    [{ model: 'anthropic/claude-sonnet-4' }, ['warning reasoning_effort_unknown reasoning.effort']],
  ])('judge an effort that only OpenRouter has for %j', (settings, finds) => {
    const efforts = found({ ...settings, reasoning: { effort: 'minimal' } });
    expect(efforts).toEqual(finds);
  });

  test('warn of what Claude alone refuses where another model answers', () => {
    expect(found({ model: 'x-ai/grok-4', reasoning: { effort: 'high' }, top_k: 5 })).toEqual([
      'warning reasoning_top_k top_k',
    ]);
  });

  test('only warn of a budget above max_tokens where an effort is none', () => {
    const body = { max_tokens: 1000, reasoning: { effort: 'low' } };
    const code = 'reasoning_budget_not_below_max_tokens max_tokens';
    expect(found({ model: 'anthropic/claude-sonnet-4.5', ...body })).toEqual([`error ${code}`]);
    expect(found({ model: 'anthropic/claude-opus-4.7', ...body })).toEqual([`warning ${code}`]);
  });

  test('do not read parameters of gateways where no gateway answers', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }];
    expect(found({ model: 'gpt-5.4', reasoning_effort: 'high', tools, tool_choice: 'required' })).toEqual([]);
  });
});

describe('chatCompletionsRules, about turns that were assembled', () => {
  const details = [
    { type: 'reasoning.text', text: 'North.', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 },
  ];
  const came = { ...answer({ tool_calls: [call] }), reasoning_details: details };

  test('take the same entries with their members in another order, and without their place', () => {
    const [entry = {}] = details;
    const sent = {
      ...came,
      reasoning_details: [
        Object.fromEntries([...Object.entries({ ...entry, format: null, index: 7 }).reverse(), ['id', null]]),
      ],
    };
    const body = { model: 'anthropic/claude-sonnet-4', messages: [ask, sent, result] };
    expect(found(body, { turns: [turnOf(came)] })).toEqual([]);
  });

  test('tell a message without calls by its text', () => {
    const said = { ...answer({ content: 'At nine.' }), reasoning_content: 'Nine, then.' };
    const messages = [ask, { ...said, reasoning_content: 'Ten, then.' }, ask];
    expect(found({ model: 'glm-5', messages }, { turns: [turnOf(said)] })).toEqual([
      'warning reasoning_edited messages[1].reasoning_content',
    ]);
  });

  test('let reasoning go when its cycle is closed', () => {
    const messages = [ask, answer({ tool_calls: [call] }), result, answer({ content: 'At nine.' }), ask];
    expect(found({ model: 'anthropic/claude-sonnet-4', messages }, { turns: [turnOf(came)] })).toEqual([]);
  });
});

describe('chatCompletionsRules, whatever they are given', () => {
  const strange: readonly unknown[] = [null, 7, 'text', [], {}, [null], [[]], [{}], { type: 7 }];

  test('do not throw on strange parameters', () => {
    const names = [
      'messages',
      'tools',
      'tool_choice',
      'thinking',
      'reasoning',
      'reasoning_effort',
      'model',
      'provider',
    ];
    for (const value of strange) for (const name of names) expect(() => found({ [name]: value })).not.toThrow();
  });

  test('do not throw on strange members of messages', () => {
    const names = ['content', 'tool_calls', 'reasoning', 'reasoning_content', 'reasoning_details', 'tool_call_id'];
    for (const model of [
      'anthropic/claude-sonnet-4',
      'deepseek-v4-pro',
      'google/gemini-3-pro',
      'mistral-small-latest',
    ]) {
      for (const value of strange) {
        const members = Object.fromEntries(names.map((name) => [name, value]));
        const messages = ['assistant', 'tool', 'user', value].map((role) => ({ role, ...members }));
        expect(() => found({ model, messages }, { previous: { messages }, turns: [turnOf(members)] })).not.toThrow();
      }
    }
  });

  test('take time in step with the body', () => {
    const step = (at: number): JsonObject[] => [
      { ...answer({ tool_calls: [{ ...call, id: `call_${at}` }] }), reasoning_content: `${at}` },
      { ...result, tool_call_id: `call_${at}` },
    ];
    const long = (steps: number): JsonObject[] => [ask, ...Array.from({ length: steps }, (_, at) => step(at)).flat()];
    const timeOf = (messages: JsonObject[]): number => {
      const start = performance.now();
      expect(found({ messages })).toEqual([]);
      return performance.now() - start;
    };
    timeOf(long(2000));
    // Sixteen times the work; in the square of it the factor would be 256.
    expect(timeOf(long(16_000)) / Math.max(timeOf(long(1000)), 0.5)).toBeLessThan(80);
  }, 20_000);
});
