import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import type { AssembledTurn } from '../../../src/core/turn.ts';
import type { TurnEvent } from '../../../src/core/turn-event.ts';
import { createTurnStage } from '../../../src/core/turn-stage.ts';
import { isClientCall } from '../../../src/dialects/responses/item-kind.ts';
import { type ResponsesEntry, responses } from '../../../src/responses.ts';
import { stringifyRequest } from '../../../src/text/verbatim-json.ts';
import { checkStory, eventsOf } from '../../laws/dialect-laws.ts';
import { wireEvents } from './random-events.ts';
import { listOf } from './recorded-events.ts';
import { completed, created, sse } from './wire-events.ts';

const runs = { numRuns: process.env['CI'] ? 3000 : 600 };

describe('responses, on random events', () => {
  test('tells one story, and throws nothing', () => {
    fc.assert(
      fc.property(wireEvents, (events) => checkStory(eventsOf(responses, [sse(...events)]))),
      runs,
    );
  });

  test('is complete only with an event that says so, and gives nothing back otherwise', () => {
    fc.assert(
      fc.property(wireEvents, (events) => {
        const turn = turnOf(eventsOf(responses, [sse(...events)]));
        const hasEnd = events.some(({ type }) => type === 'response.completed' || type === 'response.incomplete');
        expect(turn.status).toBe(hasEnd ? 'complete' : 'truncated');
        if (!hasEnd) expect([turn.entries, turn.toolCalls, turn.carry]).toEqual([[], [], {}]);
      }),
      runs,
    );
  });

  test('gives back items that came whole, each call of the client once, never reasoning at the end', () => {
    fc.assert(
      fc.property(wireEvents, (events) => {
        const { entries, toolCalls } = turnOf(eventsOf(responses, [sse(...events)]));
        const whole = events.flatMap(wholeItems);
        for (const entry of entries) expect(whole.some((item) => isSameItem(entry, item))).toBe(true);
        expect(isJsonObject(entries.at(-1)) && Object(entries.at(-1))['type']).not.toBe('reasoning');
        const ids = entries
          .map((entry): JsonObject => ({ ...entry }))
          .filter(isClientCall)
          .map((call) => call['call_id']);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toEqual(expect.arrayContaining(toolCalls.map(({ id }) => id)));
      }),
      runs,
    );
  });

  test('sends back text that is JSON, and shows nothing secret', () => {
    fc.assert(
      fc.property(wireEvents, (events) => {
        const told = eventsOf(responses, [sse(...events)]);
        const { entries } = turnOf(told);
        expect(JSON.parse(stringifyRequest(entries))).toEqual(JSON.parse(JSON.stringify(entries)));
        const shown = told.filter(({ type }) => type !== 'turn' && type !== 'block');
        expect(JSON.stringify(shown)).not.toContain('c2VhbGVk');
      }),
      runs,
    );
  });

  test('is the same turn from the parsed events of an SDK', () => {
    fc.assert(
      fc.property(wireEvents, (events) => {
        const plain = JSON.parse(JSON.stringify(events)) as JsonObject[];
        const stage = createTurnStage(responses, { clock: () => 0 });
        const parsed = [...plain.flatMap((event) => stage.pushEvent(event)), ...stage.flush()];
        expect(parsed).toEqual(eventsOf(responses, [sse(...events)]));
      }),
      runs,
    );
  });

  test('tells no more than in proportion to what comes', () => {
    fc.assert(
      fc.property(wireEvents, fc.integer({ min: 2, max: 20 }), (events, times) => {
        const running = events.filter(({ type }) => !/created|completed|incomplete/.test(String(type)));
        const once = eventsOf(responses, [sse(created(), ...running, completed())]).length;
        const many = Array.from({ length: times }, () => running).flat();
        expect(eventsOf(responses, [sse(created(), ...many, completed())]).length).toBeLessThan(4 * once * times);
      }),
      { numRuns: 100 },
    );
  });
});

function turnOf(events: readonly TurnEvent[]): AssembledTurn<ResponsesEntry> {
  const last = events.at(-2);
  if (last?.type !== 'turn') throw new Error('the turn is not the last but one');
  return last.turn as AssembledTurn<ResponsesEntry>;
}

/** The items that an event says whole. */
function wholeItems({ type, item, response }: JsonObject): readonly JsonObject[] {
  if (type === 'response.output_item.done' && isJsonObject(item)) return [item];
  return isJsonObject(response) ? listOf(response['output']) : [];
}

/** Whether an entry is an item, but for the id of a call that had none, or one that was taken. */
function isSameItem(entry: ResponsesEntry, item: JsonObject): boolean {
  const [sent, came] = [entry, item].map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);
  return isDeepStrictEqual({ ...sent, call_id: 0 }, { ...came, call_id: 0 });
}
