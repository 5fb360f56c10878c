import { describe, expect, test } from 'vitest';
import { chatCompletions } from '../../src/chat-completions.ts';
import { createTranscript, parseTranscript, stringifyRequest, type Transcript } from '../../src/index.ts';
import { isSameModel } from '../../src/replay/origin.ts';
import { type DialectKit, kits, turnOf } from './dialect-kits.ts';
import { refusals } from './provider-rules.ts';

/** Exchanges with a tool each: what the user says is its number. */
function converse(kit: DialectKit, exchanges: number, model?: string): Transcript<object, object> {
  const transcript = createTranscript(kit.dialect);
  const named = model === undefined ? {} : { model };
  for (let at = 1; at <= exchanges; at += 1) {
    transcript.user(`question ${at}`);
    const calls = [{ id: `call_${at}`, input: '{"n":1.0}' }];
    transcript.commit(turnOf(kit, { ...named, id: `t${at}`, reasoning: `plan ${at}`, calls }), { origin: 'here' });
    transcript.answer([{ id: `call_${at}`, content: `result ${at}` }]);
    transcript.commit(turnOf(kit, { ...named, id: `u${at}`, text: `answer ${at}`, reasoningTokens: 7 }));
  }
  return transcript;
}

/** The numbers of the questions that are in it. */
function questions({ entries }: { readonly entries: readonly object[] }): number[] {
  return [...stringifyRequest(entries).matchAll(/question (\d)/g)].map(([, number]) => Number(number));
}

function plans({ entries }: { readonly entries: readonly object[] }): number[] {
  return [...stringifyRequest(entries).matchAll(/plan (\d)/g)].map(([, number]) => Number(number));
}

describe.each(kits)('trim in $name', (kit) => {
  test.each([
    [0, []],
    [1, [3]],
    [2, [2, 3]],
    [3, [1, 2, 3]],
    [4, [1, 2, 3]],
    [5, [1, 2, 3]],
    [99, [1, 2, 3]],
  ])('keeps %i exchanges: %j', (keepCycles, left) => {
    const transcript = converse(kit, 3);
    const trimmed = transcript.trim({ keepCycles });
    expect(questions(trimmed)).toEqual(left);
    expect(refusals(kit, trimmed.entries)).toEqual([]);
    expect(questions(transcript)).toEqual([1, 2, 3]);
    expect(trimmed.entries.every((entry) => transcript.entries.includes(entry))).toBe(true);
  });

  test.each([0, 1])('never drops a cycle that is open, nor cuts it: %i', (keepCycles) => {
    const transcript = converse(kit, 2);
    transcript.user('question 3');
    transcript.commit(turnOf(kit, { id: 't3', reasoning: 'plan 3', calls: [{ id: 'c', input: '{}' }] }));
    expect(questions(transcript.trim({ keepCycles }))).toEqual([3]);
    expect(transcript.trim({ keepCycles }).pending.map(({ id }) => id)).toEqual(['c']);
    transcript.answer([{ id: 'c', content: 'late' }]);
    // The user breaks in before the model took up the result.
    transcript.user('question 4');
    expect(questions(transcript.trim({ keepCycles }))).toEqual([3, 4]);
    transcript.commit(turnOf(kit, { id: 'u4', text: 'done' }));
    transcript.user('question 5');
    expect(questions(transcript.trim({ keepCycles: 1 }))).toEqual([5]);
    expect(questions(transcript.trim({ keepCycles: 2 }))).toEqual([3, 4, 5]);
  });

  test.each([-1, 1.5, Number.NaN, '1' as never])('refuses %s as a number of cycles', (keepCycles) => {
    expect(() => converse(kit, 1).trim({ keepCycles })).toThrow(/keepCycles must be a whole number/);
  });
});

describe('trim', () => {
  test('keeps system messages, wherever they stand', () => {
    const [, kit] = kits;
    const { entries } = converse(kit as DialectKit, 3);
    const [first, ...rest] = entries;
    const system = { role: 'system', content: 'Be brief.' };
    const late = { role: 'developer', content: 'It is evening.' };
    const at = rest.findIndex((entry) => JSON.stringify(entry).includes('question 2'));
    const given = [system, first ?? {}, ...rest.slice(0, at), late, ...rest.slice(at)];
    const transcript = createTranscript(chatCompletions, { entries: given });
    expect(transcript.trim({ keepCycles: 3 }).entries).toEqual(given);
    const trimmed = transcript.trim({ keepCycles: 1 });
    expect(trimmed.entries.slice(0, 2)).toEqual([system, late]);
    expect(questions(trimmed)).toEqual([3]);
  });
});

describe.each(kits)('withoutReasoning in $name', (kit) => {
  test('drops the reasoning of closed cycles, and nothing else', () => {
    const transcript = converse(kit, 2);
    transcript.user('question 3');
    transcript.commit(turnOf(kit, { id: 't3', reasoning: 'plan 3', calls: [{ id: 'c', input: '{"n":1e3}' }] }));
    transcript.answer([{ id: 'c', content: 'late' }]);
    const lighter = transcript.withoutReasoning();
    expect(plans(transcript)).toEqual([1, 2, 3]);
    expect(plans(lighter)).toEqual([3]);
    expect(questions(lighter)).toEqual([1, 2, 3]);
    expect(refusals(kit, lighter.entries)).toEqual([]);
    expect(stringifyRequest(lighter.entries).match(/1\.0/g)).toHaveLength(2);
    expect(lighter.reasoningTokens.slice(0, 4)).toEqual([0, 0, 0, 0]);
    transcript.user('question 4');
    expect(plans(transcript.withoutReasoning())).toEqual([3]);
    lighter.commit(turnOf(kit, { id: 'u3', text: 'done' }));
    expect(plans(lighter.withoutReasoning())).toEqual([]);
  });
});

describe('withoutReasoning', () => {
  test.each([
    ['anthropic', 'claude-opus-4-5-20251101', []],
    ['anthropic', 'claude-opus-5', []],
    ['anthropic', 'claude-sonnet-5-20260401', []],
    ['anthropic', 'claude-fable-5-20260601', []],
    ['anthropic', 'claude-3-7-sonnet-20250219', []],
    ['anthropic', 'claude-sonnet-5-5', [1]],
    ['anthropic', 'claude-haiku-5-5-20261001', [1]],
    ['anthropic', 'claude-opus-6', [1]],
    ['anthropic', 'claude-fable-5-1', [1]],
    ['anthropic', 'anthropic/claude-opus-5.5', [1]],
    ['chatCompletions', 'moonshotai/kimi-k2.5', [1]],
    ['chatCompletions', 'deepseek-v4', [1]],
    ['chatCompletions', 'z-ai/glm-5', []],
    ['chatCompletions', 'anthropic/claude-sonnet-4.5', []],
    ['chatCompletions', 'anthropic/claude-sonnet-5.5', [1]],
  ])('of %s: %s keeps what it cannot do without', (name, model, left) => {
    const kit = kits.find((one) => one.name === name) as DialectKit;
    expect(plans(converse(kit, 1, model).withoutReasoning())).toEqual(left);
  });

  test('lets a Responses item go without the id that binds it to its reasoning', () => {
    const [, , kit] = kits;
    const { entries } = converse(kit as DialectKit, 1).withoutReasoning();
    expect(entries).toMatchObject([{ role: 'user' }, { type: 'function_call', call_id: 'call_1' }, {}, {}]);
    expect(entries[1]).not.toHaveProperty('id');
  });
});

describe.each(kits)('forModel in $name', (kit) => {
  test('lets all travel to the model that wrote it', () => {
    const transcript = converse(kit, 2, 'model-x-2026-05-01');
    for (const model of ['model-x', 'model-x-2026-05-01', 'models/model-x-latest']) {
      expect(transcript.forModel(model)).toEqual({ entries: transcript.entries, changed: [] });
    }
  });

  test('takes from another one what it cannot read, and says of which turns', () => {
    const transcript = converse(kit, 2, 'model-x');
    const travel = transcript.forModel('model-x-mini');
    expect(plans(travel)).toEqual([]);
    expect(questions(travel)).toEqual([1, 2]);
    expect(stringifyRequest(travel.entries)).not.toMatch(/c2VhbGVk|c2lnbmF0dXJl/);
    expect(refusals(kit, travel.entries)).toEqual([]);
    expect(travel.changed).toEqual([
      { turn: 0, model: 'model-x' },
      { turn: 2, model: 'model-x' },
    ]);
    expect(plans(transcript)).toEqual([1, 2]);
    expect(() => Object.assign(travel.entries[1] ?? {}, { role: 'x' })).toThrow(TypeError);
  });

  test('minds where a turn came from, if both say it; also from a text', () => {
    const transcript = parseTranscript(kit.dialect, converse(kit, 1, 'model-x').stringify());
    expect(plans(transcript.forModel('model-x', { origin: 'here' }))).toEqual([1]);
    expect(plans(transcript.forModel('model-x', { origin: 'elsewhere' }))).toEqual([]);
    expect(plans(transcript.forModel('model-x'))).toEqual([1]);
  });
});

describe('isSameModel', () => {
  test.each([
    ['gpt-5-2025-08-07', 'gpt-5', true],
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5', true],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5', true],
    ['claude-3-7-sonnet-20250219', 'claude-3-7-sonnet-latest', true],
    ['models/gemini-2.5-flash-002', 'gemini-2.5-flash', true],
    ['mistral-large-2411', 'mistral-large', true],
    ['gpt-4o-2024-05-13', 'gpt-4o-2024-08-06', false],
    ['gpt-5-mini', 'gpt-5', false],
    ['claude-opus-4-5', 'claude-opus-4', false],
    ['gemini-2.5-flash-lite', 'gemini-2.5-flash', false],
    ['o3-mini', 'o3', false],
    [null, 'o3', false],
  ])('%s and %s: %j', (one, other, isSame) => {
    expect(isSameModel(one, other)).toBe(isSame);
    if (one !== null) expect(isSameModel(other, one)).toBe(isSame);
  });
});
