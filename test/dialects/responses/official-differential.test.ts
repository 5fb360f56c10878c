import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { type AssembledTurn, assembleTurn, stringifyRequest } from '../../../src/index.ts';
import { type ResponsesEntry, responses } from '../../../src/responses.ts';
import { type Fixture, listFixtures } from '../../fixtures.ts';
import { differences, inPlace, type Refusal, refusals } from './official-differences.ts';
import { type OfficialOutcome, officialOutcome } from './official-response.ts';
import { listResponsesRecordings, readEvents, terminalOutput } from './recorded-events.ts';

/** Streams that the SDK refuses, and that cannot be mended without inventing events: what it says, and why. */
const refused: Readonly<Record<string, readonly [message: RegExp, why: string]>> = {
  'ok_call-without-ids': [/non-empty output item call_id/, 'It wants ids that the server does not give'],
  'ok_items-out-of-order': [/missing output at index 2/, 'It wants items to begin in the order of their places'],
  'ok_items-that-never-began': [/missing output at index 0/, 'It wants each item to begin'],
  'ok_no-output-index': [/missing output at index undefined/, 'It wants an output_index in each event'],
  'vercel-ai-openai-responses-openai-phase.1': [/missing output at index 2/, 'It wants places without gaps'],
};

/** Streams without an end, of which the SDK says nothing. */
const endless: Readonly<Record<string, string>> = {
  truncated: 'It resolves to what came, half a call included, where the bytes just end',
  failed: 'It passes over an error event, and resolves to what came before it',
};

const recordings = listResponsesRecordings().map(({ name, bytes }) => [name, bytes, {}] as const);
const invented = listFixtures('responses').filter(isReadable);
const fixtures = invented.map(({ name, bytes, expected }) => [name, bytes, expected.options] as const);

describe('responses, beside accumulateResponse of the SDK', () => {
  const kindsThatOccur = new Set<string>();
  const refusedOnes = new Set<string>();

  test.each([...recordings, ...fixtures])('gives back the same output of %s', async (name, bytes, options) => {
    const turn = await assembleTurn(of(bytes), responses(options)).settled();
    const wire = untilTheEnd(readEvents(bytes));
    const [message, why] = refused[name] ?? [];
    if (message) {
      refusedOnes.add(name);
      expect(officialOutcome(wire).error, why).toMatch(message);
      return expect(sent(turn)).toEqual(wholeOf(wire, turn));
    }
    const { outcome, events, met } = askOfficial(wire);
    if (turn.status !== 'complete') {
      kindsThatOccur.add(turn.status);
      expect(turn.entries, endless[turn.status]).toEqual([]);
      // Events that are no events at all the SDK does not get to see.
      return expect(outcome.error === undefined || turn.blocks.length === 0).toBe(true);
    }
    for (const { kind } of met) kindsThatOccur.add(kind);
    let output = outcome.output ?? [];
    for (const { kind, undo } of differences) {
      const undone = undo(output, { events, turn });
      if (undone !== output) kindsThatOccur.add(kind);
      output = undone;
    }
    expect(sent(turn)).toEqual(output);
  });

  test.skipIf(recordings.length === 0)('differs from the SDK in each of the known kinds', () => {
    const known = [...differences, ...refusals].map(({ kind }) => kind);
    expect([...kindsThatOccur].sort()).toEqual([...known, ...Object.keys(endless)].sort());
    expect([...refusedOnes].sort()).toEqual(Object.keys(refused));
  });

  test('hands out a half call of a stream that was cut, where we give nothing back', async () => {
    const cut = invented.find(({ name }) => name === 'cut_in-call-that-parses');
    if (!cut) throw new Error('the fixture is gone');
    const output = officialOutcome(readEvents(cut.bytes)).output ?? [];
    expect(output.map(({ type }) => type)).toContain('function_call');
    const turn = await assembleTurn(of(cut.bytes), responses).settled();
    expect([turn.status, turn.entries, turn.toolCalls]).toEqual(['truncated', [], []]);
  });
});

/** What the SDK makes of the events; of those that it refuses, of the mended ones, and what they were mended of. */
function askOfficial(wire: readonly JsonObject[]): {
  readonly outcome: OfficialOutcome;
  readonly events: readonly JsonObject[];
  readonly met: readonly Refusal[];
} {
  const met: Refusal[] = [];
  let events = wire;
  let outcome = officialOutcome(events);
  while (outcome.error !== undefined) {
    const { error } = outcome;
    const refusal = refusals.find((known) => !met.includes(known) && known.message.test(error));
    if (!refusal || refusal.mend(events) === events) break;
    met.push(refusal);
    events = refusal.mend(events);
    outcome = officialOutcome(events);
  }
  return { outcome, events, met };
}

/** The items of a stream that the SDK cannot read, by the plainest reading: those that are done, then the others. */
function wholeOf(events: readonly JsonObject[], { toolCalls }: AssembledTurn): readonly JsonObject[] {
  const dones = inPlace(events);
  const late = terminalOutput(events).filter(({ id }) => !dones.some((done) => done['id'] === id));
  const minted = toolCalls.filter(({ id }) => !JSON.stringify(events).includes(id)).map(({ id }) => id);
  return [...dones, ...late].map((item) =>
    item['type'] === 'function_call' && !item['call_id'] ? { ...item, call_id: item['id'] ?? minted.shift() } : item,
  );
}

/** The entries as they would be sent. */
function sent({ entries }: AssembledTurn<ResponsesEntry>): unknown {
  return JSON.parse(stringifyRequest(entries));
}

function untilTheEnd(events: readonly JsonObject[]): readonly JsonObject[] {
  const end = events.findIndex(({ type }) => /^response\.(completed|incomplete|failed|done)$/.test(String(type)));
  return end < 0 ? events : events.slice(0, end + 1);
}

/** Whether all events are JSON; those that are not the SDK never gets. */
function isReadable({ bytes }: Fixture): boolean {
  try {
    return readEvents(bytes).length > 0;
  } catch {
    return false;
  }
}
