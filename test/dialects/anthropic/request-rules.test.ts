import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { RequestContext } from '../../../src/core/request-rule.ts';
import { anthropicRules } from '../../../src/dialects/anthropic/request-rules.ts';
import { findingsOf, type RuleCase } from '../request-findings.ts';
import { answer, ask, call, manual, result, settings, text, thought, turnOf } from './request-parts.ts';
import { contentCases } from './request-rules.content.ts';
import { parameterCases } from './request-rules.parameters.ts';
import { toolCases } from './request-rules.tools.ts';

function found(body: JsonObject, context: RequestContext = {}): string[] {
  return findingsOf(anthropicRules, { ...settings, messages: [ask], ...body }, context);
}

const loop = [ask, answer(thought, call), result];
const redacted = { type: 'redacted_thinking', data: 'b3BhcXVl' };

const blockCases: readonly RuleCase[] = [
  {
    code: 'thinking_without_signature',
    broken: { messages: [ask, answer({ type: 'thinking', thinking: 'North.' }, call), result] },
    finds: ['error thinking_without_signature messages[1].content[0]'],
    holds: { messages: loop },
  },
  {
    code: 'thinking_signature_empty',
    broken: { messages: [ask, answer({ ...thought, signature: '' }, call), result] },
    finds: ['error thinking_signature_empty messages[1].content[0]'],
    holds: { messages: loop },
  },
  {
    code: 'thinking_without_text',
    broken: { messages: [ask, answer({ type: 'thinking', signature: 'c2ln' }, call), result] },
    finds: ['error thinking_without_text messages[1].content[0]'],
    // Omitted thinking is an empty text with a signature.
    holds: { messages: [ask, answer({ ...thought, thinking: '' }, call), result] },
  },
  {
    code: 'redacted_thinking_without_data',
    broken: { messages: [ask, answer({ type: 'redacted_thinking' }, call), result] },
    finds: ['error redacted_thinking_without_data messages[1].content[0]'],
    holds: { messages: [ask, answer(redacted, call), result] },
  },
  {
    code: 'thinking_last',
    broken: { messages: [ask, answer(text('Well'), thought), ask] },
    finds: ['error thinking_last messages[1].content[1]', 'warning thinking_not_first messages[1].content[0]'],
    holds: { messages: [ask, answer(thought, text('Well')), ask] },
  },
  {
    code: 'thinking_not_first',
    broken: { ...manual, messages: [ask, answer(text('Well'), thought, call), result] },
    finds: ['error thinking_not_first messages[1].content[0]', 'error thinking_missing messages[1].content[0]'],
    holds: { ...manual, messages: [ask, answer(thought, text('Well'), call), result] },
  },
  {
    code: 'thinking_missing',
    broken: { ...manual, messages: [ask, answer(call), result] },
    finds: ['error thinking_missing messages[1].content[0]'],
    holds: { ...manual, messages: [ask, answer(redacted, call), result] },
  },
  {
    code: 'thinking_missing_in_tool_turn',
    broken: { ...manual, model: 'deepseek-v4-pro', messages: [ask, answer(call), result] },
    finds: ['error thinking_missing_in_tool_turn messages[1]'],
    holds: {
      ...manual,
      model: 'deepseek-v4-pro',
      messages: [ask, answer({ type: 'thinking', thinking: '' }, call), result],
    },
  },
  {
    code: 'thinking_in_final_message',
    broken: { model: 'claude-sonnet-4-5', messages: [ask, answer(thought, text('The'))] },
    finds: ['error thinking_in_final_message messages[1].content[0]'],
    holds: { ...manual, messages: [ask, answer(thought, text('The'))] },
  },
  {
    code: 'thinking_toggled_in_cycle',
    broken: { thinking: { type: 'disabled' }, messages: loop },
    finds: ['warning thinking_toggled_in_cycle thinking'],
    holds: { thinking: { type: 'disabled' }, messages: [...loop, answer(text('At nine.')), ask] },
  },
  {
    code: 'thinking_edited',
    context: { turns: [turnOf(thought, call)] },
    broken: { ...manual, messages: [ask, answer({ ...thought, thinking: 'North' }, call), result] },
    finds: ['error thinking_edited messages[1].content[0]'],
    holds: { ...manual, messages: loop },
  },
  {
    code: 'thinking_moved',
    context: { turns: [turnOf(thought, call, redacted, { ...call, id: 'toolu_2' })] },
    broken: {
      ...manual,
      messages: [ask, answer(thought, redacted, call, { ...call, id: 'toolu_2' }), both()],
    },
    finds: ['error thinking_moved messages[1].content[1]'],
    holds: { ...manual, messages: [ask, answer(thought, call, redacted, { ...call, id: 'toolu_2' }), both()] },
  },
  {
    code: 'thinking_dropped',
    context: { turns: [turnOf(thought, call)] },
    broken: { messages: [ask, answer(call), result] },
    finds: ['warning thinking_dropped messages[1]'],
    holds: { messages: [ask, answer(call), result, answer(text('At nine.')), ask] },
  },
  {
    code: 'thinking_repeated',
    broken: {
      messages: [...loop, answer(thought, { ...call, id: 'toolu_2' }), both('toolu_2')],
    },
    finds: ['warning thinking_repeated messages[3].content[0]'],
    holds: {
      messages: [...loop, answer({ ...thought, signature: 'bmV4dA' }, { ...call, id: 'toolu_2' }), both('toolu_2')],
    },
  },
];

/** Results of two calls in one message, or of the one that is named. */
function both(...ids: string[]): JsonObject {
  const wanted = ids.length > 0 ? ids : ['toolu_1', 'toolu_2'];
  return { role: 'user', content: wanted.map((id) => ({ type: 'tool_result', tool_use_id: id, content: '09:10' })) };
}

const cases = [...blockCases, ...toolCases, ...contentCases, ...parameterCases];

describe('anthropicRules', () => {
  test.each(cases)('$code', ({ broken, finds, holds, context }) => {
    expect(found(broken, context)).toEqual(finds);
    expect(found(holds, context)).toEqual([]);
  });

  test('are each broken by a case of their own', () => {
    for (const { code, finds } of cases) expect(finds.some((finding) => finding.split(' ')[1] === code)).toBe(true);
    expect(cases.map(({ code }) => code).sort()).toEqual(anthropicRules.map(({ code }) => code).sort());
  });

  test('say where they are written down', () => {
    for (const { source } of anthropicRules) expect(source).toMatch(/^[A-Z]/);
  });
});

describe('anthropicRules, by who answers', () => {
  const unsigned = { messages: [ask, answer({ type: 'thinking', thinking: 'North.' }, call), result] };

  test.each([
    ['claude-sonnet-5', ['error thinking_without_signature messages[1].content[0]']],
    [undefined, ['error thinking_without_signature messages[1].content[0]']],
    ['us.anthropic.claude-opus-5-v1:0', ['error thinking_without_signature messages[1].content[0]']],
    ['house-model', ['warning thinking_without_signature messages[1].content[0]']],
    ['kimi-k2.6', []],
    ['MiniMax-M3', []],
  ])('judge unsigned thinking for %s', (model, finds) => {
    expect(found({ model, ...unsigned })).toEqual(finds);
  });

  test.each([
    ['claude-sonnet-5', ['error text_empty messages[1].content[0]']],
    ['kimi-k2.6', ['warning text_empty messages[1].content[0]']],
  ])('judge an empty text for %s', (model, finds) => {
    expect(found({ model, messages: [ask, answer(text(''), call), result] })).toEqual(finds);
  });

  test.each([
    ['claude-opus-4-1', 1],
    ['claude-sonnet-4', 0],
  ])('find %s %i time to refuse temperature and top_p together', (model, count) => {
    expect(found({ model, temperature: 0.5, top_p: 0.9 })).toHaveLength(count);
  });

  test('let the retry of a refused answer begin with its start', () => {
    const messages = [ask, answer(text('The'))];
    expect(found({ messages })).toEqual(['error prefill_refused messages[1]']);
    expect(found({ messages, fallback_credit_token: 'dG9rZW4' })).toEqual([]);
  });

  test.each([
    ['claude-opus-5-5', 'error'],
    ['claude-sonnet-5-5', 'error'],
    ['claude-fable-5-1', 'error'],
    ['claude-mythos-5-1', 'error'],
    ['claude-fable-5-2', 'warning'],
    ['claude-haiku-5-5', undefined],
  ])('judge a forced tool for %s', (model, severity) => {
    const tools = [{ name: 'ferry_times' }];
    const finds = severity === undefined ? [] : [`${severity} tool_choice_forced_refused tool_choice`];
    expect(found({ model, tools, tool_choice: { type: 'any' } })).toEqual(finds);
  });

  test('let a compatible server number its calls as it likes', () => {
    const id = 'functions.ferry:0';
    const messages = [ask, answer({ ...call, id }), both(id), answer({ ...call, id }), both(id)];
    expect(found({ model: 'kimi-k2.6', messages })).toEqual([]);
  });
});

describe('anthropicRules, about turns that were assembled', () => {
  const turns = [turnOf(thought, call)];

  test('find a new signature under the same text', () => {
    const messages = [ask, answer({ ...thought, signature: 'bmV3' }, call), result];
    expect(found({ messages }, { turns })).toContain('error thinking_edited messages[1].content[0]');
  });

  test('only warn of text in a block whose text was omitted, for it is ignored', () => {
    const omitted = { ...thought, thinking: '' };
    const messages = [ask, answer({ ...omitted, thinking: 'Filled in' }, call), result];
    expect(found({ messages }, { turns: [turnOf(omitted, call)] })).toEqual([
      'warning thinking_edited messages[1].content[0]',
    ]);
  });

  test('find two turns that were merged into one message', () => {
    const other = { type: 'thinking', thinking: 'Nine, then.', signature: 'bmV4dA' };
    const second = turnOf(other, text('At nine.'));
    const messages = [ask, answer(thought, other, text('At nine.')), ask];
    expect(found({ messages }, { turns: [second] })).toEqual(['error thinking_moved messages[1].content[0]']);
  });

  test('only warn of an older turn, which is not checked', () => {
    const messages = [...loop, answer(text('At nine.')), ask];
    const moved = messages.with(1, answer(call, thought));
    expect(found({ messages: moved }, { turns })).toEqual([
      'error thinking_last messages[1].content[1]',
      'warning thinking_not_first messages[1].content[0]',
      'warning thinking_moved messages[1].content[0]',
    ]);
  });

  test('leave alone what they have not seen', () => {
    const other = { ...thought, thinking: 'South.', signature: 'b3RoZXI' };
    expect(found({ messages: [ask, answer(other, call), result] }, { turns: [turnOf(text('At nine.'))] })).toEqual([]);
  });
});

describe('anthropicRules, whatever they are given', () => {
  const strange: readonly unknown[] = [null, 7, 'text', [], {}, [null], [[]], [{}], { type: 7 }];

  test.each(['messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config', 'context_management', 'model'])(
    'do not throw on a strange %s',
    (name) => {
      for (const value of strange) expect(() => found({ [name]: value })).not.toThrow();
    },
  );

  test('do not throw on strange blocks and members of blocks', () => {
    const members = [
      'id',
      'input',
      'thinking',
      'signature',
      'text',
      'tool_use_id',
      'content',
      'cache_control',
      'caller',
    ];
    for (const value of strange) {
      for (const type of ['text', 'thinking', 'tool_use', 'tool_result', 'server_tool_use', 'compaction', value]) {
        const block = { type, ...Object.fromEntries(members.map((name) => [name, value])) };
        const content = [value, block];
        const messages = [
          { role: 'user', content },
          { role: 'assistant', content },
          { role: value, content: value },
        ];
        expect(() => found({ messages }, { previous: { messages } })).not.toThrow();
      }
    }
  });

  test('take time in step with the body', () => {
    const step = (at: number): JsonObject[] => [
      answer({ ...thought, signature: `s${at}` }, { ...call, id: `toolu_${at}` }),
      both(`toolu_${at}`),
    ];
    const long = (steps: number): JsonObject => ({
      messages: [ask, ...Array.from({ length: steps }, (_, at) => step(at)).flat()],
    });
    const timeOf = (body: JsonObject): number => {
      const start = performance.now();
      expect(found(body)).toEqual([]);
      return performance.now() - start;
    };
    timeOf(long(2000));
    // Sixteen times the work; in the square of it the factor would be 256.
    expect(timeOf(long(16_000)) / Math.max(timeOf(long(1000)), 0.5)).toBeLessThan(80);
  }, 20_000);
});
