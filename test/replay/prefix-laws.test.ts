import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import type { JsonObject } from '../../src/core/json-object.ts';
import { type PrefixGuard, prefixGuard } from '../../src/index.ts';
import { edited, turnOf } from './bound-turns.ts';

type Step = string | number;

const scalar = fc.oneof(fc.string({ maxLength: 6 }), fc.integer(), fc.boolean(), fc.constant(null));
const name = fc.string({ unit: fc.constantFrom('a', 'b', '-', ' '), maxLength: 3 });
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(name, scalar, { maxKeys: 3 }));
const input = fc.dictionary(name, value, { maxKeys: 4 });
const exchange = fc.record({ question: scalar.map(String), isList: fc.boolean(), thinks: fc.boolean(), input });
const conversation = fc.record({
  system: fc.array(fc.string({ maxLength: 5 }), { maxLength: 2 }),
  tools: fc.array(input, { maxLength: 3 }),
  exchanges: fc.array(exchange, { minLength: 1, maxLength: 5 }),
});
type Conversation = typeof conversation extends fc.Arbitrary<infer Made> ? Made : never;

/** A conversation with a guard that saw it grow: all texts are different, and the last turn has thought. */
function grown({ system, tools, exchanges }: Conversation): { guard: PrefixGuard; bodies: JsonObject[] } {
  const settings = {
    model: 'claude-fable-5-1',
    system: system.map((text, at) => ({ type: 'text', text: `${at} ${text}` })),
    tools: tools.map((properties, at) => ({ name: `tool_${at}`, input_schema: { type: 'object', properties } })),
  };
  const guard = prefixGuard(anthropic);
  const messages: JsonObject[] = [];
  const bodies = exchanges.map(({ question, isList, thinks, input: asked }, at) => {
    const text = `${at} ${question}`;
    messages.push({ role: 'user', content: isList ? [{ type: 'text', text }] : text });
    const body = { ...settings, messages: [...messages] };
    const thinking = { type: 'thinking', thinking: text, signature: `sig${at}` };
    const hasThought = thinks || at === exchanges.length - 1;
    const call = { type: 'tool_use', id: `toolu_${at}`, name: 'tool_0', input: asked };
    const turn = { role: 'assistant', content: [...(hasThought ? [thinking] : []), call] };
    guard.remember(body, turnOf('anthropic', [turn]));
    messages.push(turn, {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `toolu_${at}`, content: text }],
    });
    return body;
  });
  return { guard, bodies: [...bodies, { ...settings, messages }] };
}

/** The ways to all that is no list and no object in a value. */
function leaves(whole: unknown, path: readonly Step[] = []): Step[][] {
  if (typeof whole !== 'object' || whole === null) return [[...path]];
  const steps: [Step, unknown][] = Array.isArray(whole) ? whole.map((item, at) => [at, item]) : Object.entries(whole);
  return steps.flatMap(([step, below]) => leaves(below, [...path, step]));
}

function written(path: readonly Step[]): string {
  const steps = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    return /^[a-z_]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return steps.join('').replace(/^\./, '');
}

function another(leaf: unknown): unknown {
  if (typeof leaf === 'string') return `${leaf}!`;
  return typeof leaf === 'number' ? leaf + 1 : leaf !== true;
}

/** The part of a body that the thinking of its last turn is bound to, that thinking included. */
function prefixOf(body: JsonObject): JsonObject {
  const { system, tools, messages } = body as { system: unknown; tools: unknown; messages: JsonObject[] };
  const [thinking] = (messages.at(-2)?.['content'] ?? []) as JsonObject[];
  // Of another type it is no thinking any more, and there is nothing to lose.
  const { type: _type, ...sealed } = thinking ?? {};
  return { system, tools, messages: [...messages.slice(0, -2), { content: [sealed] }] };
}

describe('a prefix guard', () => {
  test('never finds anything in a conversation that only grows', () => {
    fc.assert(
      fc.property(conversation, (made) => {
        const { guard, bodies } = grown(made);
        for (const body of bodies) expect(guard.check(JSON.parse(JSON.stringify(body)) as object)).toEqual([]);
      }),
    );
  });

  test('finds every single change of a value in the prefix, at its path', () => {
    fc.assert(
      fc.property(conversation, fc.nat(), (made, choice) => {
        const { guard, bodies } = grown(made);
        const body = bodies.at(-1) ?? {};
        const ways = leaves(prefixOf(body));
        const way = ways[choice % ways.length] ?? [];
        const found = guard.check(edited(body, way, another));
        expect(found.length).toBeGreaterThan(0);
        // What names an element makes another one of it, if it is changed.
        const isName = ['type', 'role', 'name'].includes(String(way.at(-1))) && way.length < 6;
        if (!isName) expect(found.map(({ path }) => path)).toEqual([written(way)]);
        for (const { path, code, invalidates } of found) {
          expect(written(way).startsWith(path)).toBe(true);
          expect(code).toBe('prefix_changed');
          expect(invalidates.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('finds every element that is left out of the prefix, at its path', () => {
    fc.assert(
      fc.property(conversation, fc.nat(), (made, choice) => {
        const { guard, bodies } = grown(made);
        const body = bodies.at(-1) as Record<'system' | 'tools' | 'messages', unknown[]> & JsonObject;
        const places = (['system', 'tools', 'messages'] as const).flatMap((list) => {
          const count = list === 'messages' ? body[list].length - 2 : body[list].length;
          return Array.from({ length: count }, (_, at) => ({ list, at }));
        });
        const { list, at } = places[choice % places.length] ?? { list: 'messages', at: 0 };
        const found = guard.check({ ...body, [list]: body[list].toSpliced(at, 1) });
        expect(found.map(({ change, path }) => `${change} ${path}`)).toEqual([`removed ${list}[${at}]`]);
      }),
    );
  });
});
