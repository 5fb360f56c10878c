import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import type { JsonObject } from '../../src/core/json-object.ts';
import { prefixGuard } from '../../src/index.ts';
import { alignPrints } from '../../src/replay/align-prints.ts';
import { anthropicPrefix } from '../../src/replay/anthropic-prefix.ts';
import type { PrefixPrint } from '../../src/replay/bound-prefix.ts';
import { countPrints, type JsonPrint, printOf, printsPerPart } from '../../src/replay/json-print.ts';
import { createPrefixMemory } from '../../src/replay/prefix-memory.ts';
import { turnOf } from './bound-turns.ts';

/** All the texts in a print. */
function textsIn(print: unknown): string[] {
  if (typeof print === 'string') return [print];
  if (print instanceof Map) return [...print].flatMap(([key, value]) => [String(key), ...textsIn(value)]);
  return typeof print === 'object' && print !== null ? Object.values(print).flatMap(textsIn) : [];
}

function read(messages: readonly unknown[], settings: JsonObject = {}): PrefixPrint {
  return anthropicPrefix.read({ ...settings, messages }, null);
}

describe('a print', () => {
  test('is the same for the same value, whatever the order of its members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const turned = JSON.parse(JSON.stringify(value), (_key, part: unknown) => {
          const isPlain = typeof part === 'object' && part !== null && !Array.isArray(part);
          return isPlain ? Object.fromEntries(Object.entries(part).reverse()) : part;
        }) as unknown;
        expect(printOf(turned).hash).toBe(printOf(value).hash);
      }),
    );
  });

  test('is another one for another value', () => {
    const values = [
      '',
      ' ',
      'a',
      'b',
      'ab',
      0,
      1,
      -1,
      0.5,
      '1',
      true,
      false,
      'true',
      null,
      'null',
      [],
      [[]],
      ['a'],
      ['a', ''],
      [['a'], ''],
      {},
      [{}],
      { a: 1 },
      { a: '1' },
      { b: 1 },
      { a: null },
      { a: { b: 1 } },
      { 'a.b': 1 },
      { a: 1, b: 2 },
      { a: 2, b: 1 },
    ];
    expect(new Set(values.map((value) => printOf(value).hash)).size).toBe(values.length);
    const many = Array.from({ length: 50_000 }, (_, at) => printOf(`text ${at}`).hash);
    expect(new Set(many).size).toBe(many.length);
  });

  test('keeps at most so many prints, however large the value', () => {
    const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`m${at}`, { x: at }]));
    const deep = Array.from({ length: 9 }).reduce<unknown>((inner) => ({ a: inner, b: [inner] }), 'x');
    for (const value of [wide, { wide, deep }, [deep, wide], { a: wide }, Array(40).fill({ a: [1, 2, 3] })]) {
      expect(countPrints(printOf(value))).toBeLessThanOrEqual(printsPerPart + 1);
    }
  }, 20_000);

  test('keeps no text but the names of members, tools and kinds', () => {
    const secret = 'A secret.';
    const content = [{ type: 'tool_use', id: secret, name: secret, input: { port: secret, [secret.repeat(20)]: 1 } }];
    const thinking = { type: 'thinking', thinking: secret, signature: secret };
    const print = read(
      [
        { role: 'user', content: secret },
        { role: 'assistant', content: [thinking, ...content] },
      ],
      { system: secret, tools: [{ name: 'tide', description: secret, input_schema: { enum: [secret] } }] },
    );
    const texts = textsIn([print.entries, print.settings]);
    expect(texts).toContain('tide');
    expect(texts.filter((text) => text.includes('secret'))).toEqual([]);
  });

  test('does not hold on to a body', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const guard = prefixGuard(anthropic, { force: true });
    const held = remembered(guard);
    await new Promise((resolve) => setTimeout(resolve, 5));
    collect();
    expect(held.filter((part) => part.deref() !== undefined)).toEqual([]);
    expect(guard.check({ messages: [{ role: 'assistant', content: [thought] }] })).toHaveLength(1);
  });
});

const thought = { type: 'thinking', thinking: 'x', signature: 'c2ln' };

function remembered(guard: ReturnType<typeof prefixGuard>): WeakRef<object>[] {
  const message = { role: 'user', content: [{ type: 'text', text: 'How high?' }] };
  const body = { messages: [message] };
  const turn = turnOf('anthropic', [{ role: 'assistant', content: [{ ...thought }] }]);
  guard.check(body);
  guard.remember(body, turn);
  return [body, message, body.messages, turn].map((part) => new WeakRef(part));
}

describe('the memory of a guard', () => {
  const turnAt = (at: number): unknown => ({
    role: 'assistant',
    content: [{ type: 'thinking', thinking: '', signature: `s${at}` }],
  });

  test('shares one history among the turns of a conversation that only grows', () => {
    const memory = createPrefixMemory();
    const messages: unknown[] = [];
    for (let at = 0; at < 200; at += 1) {
      messages.push({ role: 'user', content: `${at}` });
      memory.note(read(messages, { tools: [{ name: 'tide' }] }), read([turnAt(at)]), null);
      messages.push(turnAt(at));
    }
    expect(memory.turns).toHaveLength(200);
    expect(new Set(memory.turns.map(({ line }) => line)).size).toBe(1);
    expect(memory.turns[0]?.line?.entries).toHaveLength(400);
    expect(new Set(memory.turns.map(({ settings }) => settings)).size).toBe(1);
    expect(memory.turns.at(-1)?.blocks[0]?.position).toEqual([399, 0]);
  });

  test('keeps few histories of one that is edited all the time, and shares what did not change outside of it', () => {
    const memory = createPrefixMemory();
    for (let at = 0; at < 50; at += 1) {
      const request = read([{ role: 'user', content: `Now it is ${at}.` }], {
        system: `${at}`,
        tools: [{ name: 'tide' }],
      });
      memory.note(request, read([turnAt(at)]), null);
    }
    expect(new Set(memory.turns.map(({ line }) => line)).size).toBe(8);
    expect(new Set(memory.turns.map(({ settings }) => settings.get('tools'))).size).toBe(1);
  });
});

describe('alignPrints', () => {
  const printsOf = (letters: readonly string[]): JsonPrint[] => letters.map((letter) => printOf(letter));
  const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 9 });

  test('tells each element that is not where it was, and no other', () => {
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        const steps = alignPrints(printsOf(before), printsOf(after));
        const told = (side: 'before' | 'after'): Set<number> =>
          new Set(steps.flatMap((step) => (side in step ? [(step as Record<typeof side, number>)[side]] : [])));
        const kept = (list: string[], told_: Set<number>): string[] => list.filter((_, at) => !told_.has(at));
        expect(kept(before, told('before'))).toEqual(kept(after, told('after')));
        for (const step of steps) if (step.kind === 'moved') expect(before[step.before]).toBe(after[step.after]);
      }),
    );
  });

  test('tells one step for one change', () => {
    const before = ['a', 'b', 'c', 'd', 'e'];
    expect(alignPrints(printsOf(before), printsOf(['b', 'c', 'd', 'e', 'a']))).toEqual([
      { kind: 'moved', before: 0, after: 4, at: 0 },
    ]);
    expect(alignPrints(printsOf(before), printsOf(['a', 'b', 'x', 'c', 'd', 'e', 'y']))).toEqual([
      { kind: 'added', after: 2, at: 2 },
      { kind: 'added', after: 6, at: 5 },
    ]);
    expect(alignPrints(printsOf(before), printsOf(['a', 'x', 'c', 'e']))).toEqual([
      { kind: 'paired', before: 1, after: 1 },
      { kind: 'removed', before: 3 },
    ]);
  });

  test('takes long lists of one element', () => {
    const before = printsOf(Array<string>(20_000).fill('a'));
    const after = [printOf('b'), ...before.slice(1000), printOf('c')];
    expect(alignPrints(before, after).length).toBeGreaterThan(0);
  }, 5000);
});
