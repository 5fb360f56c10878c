import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { createTurnRecord, type TurnWriter } from '../../../src/core/turn-record.ts';
import { defaultLimits } from '../../../src/index.ts';
import { responses } from '../../../src/responses.ts';
import { eventsOf } from '../../laws/dialect-laws.ts';
import {
  added,
  callItem,
  completed,
  created,
  delta,
  done,
  messageItem,
  of,
  reasoningItem,
  sse,
} from './wire-events.ts';

const many = 10_000;
const numbers = Array.from({ length: many }, (_, n) => n);
const open = added(0, messageItem(0, '', { content: [] }));

/** How many of the events of each type come of a body. */
function counts(...events: readonly JsonObject[]): Record<string, number> {
  const told: Record<string, number> = {};
  for (const { type } of eventsOf(responses, [sse(created(), ...events)])) told[type] = (told[type] ?? 0) + 1;
  return told;
}

/** How often the assembler asks something of its record while it takes these events. */
function work(events: readonly JsonObject[]): number {
  let calls = 0;
  const record = createTurnRecord<never>({ dialect: 'responses', limits: defaultLimits, clock: () => 0 });
  const counting = new Proxy(record, {
    get(target, name) {
      calls += 1;
      return target[name as keyof TurnWriter];
    },
  });
  const assembler = responses.createAssembler(counting as never);
  for (const event of events) assembler.event(event, undefined, undefined);
  return calls;
}

describe('responses, on much of everything', () => {
  test('shows a message of 10,000 parts, each once', () => {
    const content = numbers.map((n) => ({ type: 'output_text', text: `${n}`, annotations: [{ n }] }));
    const pieces = numbers.map((n) => delta('output_text', 0, `${n}`, { content_index: n }));
    const whole = numbers.map((n) => of('output_text.done', 0, { content_index: n, text: `${n}` }));
    const told = counts(open, ...pieces, ...whole, done(0, messageItem(0, '', { content })), completed());
    expect([told['text_delta'], told['citation'], told['warning']]).toEqual([many, many, undefined]);
  });

  test('shows parts that take turns, each from where it stood', () => {
    const pieces = numbers.map((n) => delta('output_text', 0, 'x', { content_index: n % 100 }));
    const content = numbers.slice(0, 100).map(() => ({ type: 'output_text', text: 'x'.repeat(101) }));
    const told = counts(open, ...pieces, done(0, messageItem(0, '', { content })), completed());
    expect([told['text_delta'], told['warning']]).toEqual([many + 100, undefined]);
  });

  test('warns once of a message whose 10,000 parts all differ', () => {
    const pieces = numbers.map((n) => delta('output_text', 0, 'x', { content_index: n }));
    const content = numbers.map(() => ({ type: 'output_text', text: 'y' }));
    const told = counts(open, ...pieces, done(0, messageItem(0, '', { content })), completed());
    expect([told['text_delta'], told['warning']]).toEqual([many, 1]);
  });

  test('ends thousands of items that are open at once, each once', () => {
    const begun = numbers.slice(0, 4000).map((n) => added(n, n % 2 ? callItem(n, '') : reasoningItem(n)));
    const pieces = numbers.map((n) => delta(n % 2 ? 'function_call_arguments' : 'reasoning_text', n % 4000, ' '));
    const ended = numbers.slice(0, 4000).map((n) => done(n, n % 2 ? callItem(n, '{}') : reasoningItem(n)));
    const told = counts(...begun, ...pieces, ...ended, completed());
    expect([told['block_start'], told['block_stop'], told['block']]).toEqual([4000, 4000, 4000]);
  });

  test('serves thousands of items of a terminal output, each once', () => {
    const output = numbers.slice(0, 4000).map((n) => messageItem(n, 'x'));
    const told = counts(...output.slice(0, 2000).map((item, n) => done(n, item)), completed(output));
    expect([told['block_start'], told['block']]).toEqual([4000, 4000]);
  });

  test.each<[string, (n: number) => JsonObject[]]>([
    ['texts', (n) => [delta('output_text', 0, 'x', { content_index: n % 50 })]],
    [
      'calls',
      (n) => [added(n, callItem(n, '')), delta('function_call_arguments', n, '{}'), done(n, callItem(n, '{}'))],
    ],
    ['open reasoning', (n) => [added(n, reasoningItem(n)), delta('reasoning_text', n >> 1, 'x')]],
    ['waiting messages', (n) => [added(n, messageItem(n, '', { content: [] }))]],
    ['annotations', (n) => [of('output_text.annotation.added', 0, { annotation: { n }, annotation_index: n })]],
    ['repeated ends', () => [done(0, callItem(0, '{}'))]],
    ['lifecycle events', () => [created(), { type: 'keepalive' }]],
  ])('works in proportion to its events: %s', (_, eventsAt) => {
    const cost = (length: number): number => work([created(), open, ...numbers.slice(0, length).flatMap(eventsAt)]);
    expect(cost(4000)).toBeLessThan(5 * cost(1000));
  });
});
