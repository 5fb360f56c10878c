import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AssembledTurn } from '../../src/core/turn.ts';
import { createTranscript, parseTranscript, stringifyRequest, type Transcript } from '../../src/index.ts';
import { type DialectKit, type Interruption, kits, type Plan, turnOf } from './dialect-kits.ts';
import { refusals } from './provider-rules.ts';

type Policy = 'drop' | 'keep_text' | 'keep_finished';

/** What happens next in a conversation. */
type Step =
  | { readonly type: 'user'; readonly text: string }
  | { readonly type: 'turn'; readonly says: Said }
  | {
      readonly type: 'interrupted';
      readonly says: Said;
      readonly share: number;
      readonly how: Interruption;
      readonly policy: Policy;
      readonly cutText: 'drop' | 'keep';
    }
  | { readonly type: 'trim'; readonly keepCycles: number }
  | { readonly type: 'withoutReasoning' | 'parse' };

interface Said {
  readonly reasoning: string | undefined;
  readonly text: string | undefined;
  readonly inputs: readonly string[];
  readonly shuffle: number;
}

const words = fc.constantFrom('Ferry first.', 'Half past nine', '…\u2028…', 'Ω "quoted" \\ 🜨');
const inputs = fc.constantFrom('{"port": "Harlow"}', '{ "b":1.0,"a":1e3 }', '{"id":12345678901234567890}', '{}', '[1]');
const says: fc.Arbitrary<Said> = fc.record({
  reasoning: fc.option(words, { nil: undefined }),
  text: fc.option(words, { nil: undefined }),
  inputs: fc.array(inputs, { maxLength: 3 }),
  shuffle: fc.nat(5),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('user'), text: words }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('turn'), says }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('interrupted'),
      says,
      // Most of what may go wrong is at the end, where calls are.
      share: fc.double({ min: 0, max: 1, noNaN: true }).map(Math.sqrt),
      how: fc.constantFrom<Interruption>('cut', 'stopped', 'error'),
      policy: fc.constantFrom<Policy>('drop', 'keep_text', 'keep_finished'),
      cutText: fc.constantFrom('drop', 'keep'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('trim'), keepCycles: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('withoutReasoning', 'parse') }) },
);

describe.each(kits)('any conversation in $name', (kit) => {
  test('is a history that a provider takes, and only grows', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (steps) => holdConversation(kit, steps)),
      { numRuns: 200 },
    );
  });
});

function holdConversation(kit: DialectKit, steps: readonly Step[]): void {
  let transcript = createTranscript(kit.dialect);
  transcript.user('Hello?');
  let before = transcript.entries;
  for (const [at, next] of steps.entries()) {
    const derived = take(kit, transcript, next, at);
    if (derived) transcript = derived;
    else expectGrown(before, transcript.entries);
    before = transcript.entries;
    expectSound(kit, transcript);
    answerAll(transcript, 'says' in next ? next.says.shuffle : 0);
    expectGrown(before, transcript.entries);
    before = transcript.entries;
    expectSound(kit, transcript);
    expect(transcript.pending).toEqual([]);
  }
  const again = createTranscript(kit.dialect, { entries: transcript.entries });
  expect([again.isCycleOpen, again.pending]).toEqual([transcript.isCycleOpen, []]);
  for (const model of ['claude-other', 'model-test']) {
    expect(refusals(kit, transcript.forModel(model).entries)).toEqual([]);
  }
}

/** Does one step; gives the new transcript of a step that makes one. */
function take(
  kit: DialectKit,
  transcript: Transcript<object, object>,
  next: Step,
  at: number,
): Transcript<object, object> | undefined {
  switch (next.type) {
    case 'user':
      transcript.user(next.text);
      return undefined;
    case 'trim':
      return transcript.trim(next);
    case 'withoutReasoning':
      return transcript.withoutReasoning();
    case 'parse': {
      const parsed = parseTranscript(kit.dialect, transcript.stringify());
      expect(stringifyRequest(parsed.entries)).toBe(stringifyRequest(transcript.entries));
      expect(parsed.isCycleOpen).toBe(transcript.isCycleOpen);
      return parsed;
    }
    default:
      commit(kit, transcript, next, at);
      return undefined;
  }
}

function commit(
  kit: DialectKit,
  transcript: Transcript<object, object>,
  next: Extract<Step, { readonly says: Said }>,
  at: number,
): void {
  const plan = planOf(next.says, at);
  if (next.type === 'turn') {
    transcript.commit(turnOf(kit, plan));
    return;
  }
  const count = kit.stream(plan).length;
  const turn: AssembledTurn<object> = turnOf(kit, plan, Math.floor(next.share * (count - 1)), next.how);
  const { policy, cutText } = next;
  transcript.commit(turn, { ifInterrupted: policy, cutText });
}

function planOf({ reasoning, text, inputs: texts }: Said, at: number): Plan {
  return {
    id: `turn_${at}`,
    ...(reasoning !== undefined && { reasoning }),
    ...(text !== undefined && { text }),
    calls: texts.map((input, place) => ({ id: `call_${at}_${place}`, name: `tool_${place}`, input })),
  };
}

/** Tools are ready in any order. */
function answerAll(transcript: Transcript<object, object>, shuffle: number): void {
  const { pending } = transcript;
  if (pending.length === 0) return;
  const results = pending.map(({ id }, place) => ({ id, content: { level: place } }));
  const turned = [...results.slice(shuffle % results.length), ...results.slice(0, shuffle % results.length)];
  transcript.answer(shuffle % 2 === 0 ? turned : turned.reverse());
}

function expectGrown(before: readonly object[], after: readonly object[]): void {
  expect(before.every((entry, at) => entry === after[at])).toBe(true);
}

function expectSound(kit: DialectKit, transcript: Transcript<object, object>): void {
  const { entries, pending } = transcript;
  expect(refusals(kit, entries, pending.length > 0)).toEqual([]);
  expect(unfrozen(entries)).toEqual([]);
}

function unfrozen(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.isFrozen(value) ? [] : [value];
  return [...own, ...Object.values(value).flatMap(unfrozen)];
}
