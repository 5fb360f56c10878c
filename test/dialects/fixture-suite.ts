import { from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  type AssembledTurn,
  assembleTurn,
  type Dialect,
  sseMessages,
  stringifyRequest,
  turnEvents,
  type UiEvent,
  uiEvents,
} from '../../src/index.ts';
import { type Fixture, listFixtures } from '../fixtures.ts';

/**
 * Every fixture of a dialect gives its expected result.
 *
 * @param folder The folder in `fixtures/`.
 * @param dialectOf The dialect with the options that a fixture asks for; throws for options that do not exist.
 */
export function describeFixtures(folder: string, dialectOf: (fixture: Fixture) => Dialect): void {
  const fixtures = listFixtures(folder);
  const named = fixtures.map((fixture) => [fixture.name, fixture] as const);

  describe(`the fixtures of ${folder}`, () => {
    it('are at least 24, of every verdict', () => {
      expect(fixtures.length).toBeGreaterThanOrEqual(24);
      expect(new Set(fixtures.map(({ verdict }) => verdict))).toEqual(new Set(['ok', 'cut', 'bad']));
    });

    it.each(named)('%s has the status that its verdict names', (_name, { verdict, expected }) => {
      expect(expected.status).toBe({ ok: 'complete', cut: 'truncated', bad: 'failed' }[verdict]);
    });
  });

  describe('assembleTurn', () => {
    it.each(named)('assembles %s as expected', async (_name, fixture) => {
      const turn = assembleTurn(oneChunk(fixture.bytes), dialectOf(fixture));
      const shown = lastValueFrom(turn.ui.pipe(toArray()));
      const assembled = await turn.settled();
      const { why, options, entriesText, ...expected } = fixture.expected;
      expect({ ...comparable(assembled), events: (await shown).map(comparableEvent) }).toEqual(expected);
      if (entriesText !== undefined) expect(stringifyRequest(assembled.entries)).toBe(entriesText);
    });
  });

  describe('uiEvents', () => {
    it.each(named)('shows %s as expected, behind the single operators', async (_name, fixture) => {
      const chunks = from([fixture.bytes]);
      const shown = chunks.pipe(sseMessages(), turnEvents(dialectOf(fixture)), uiEvents(), toArray());
      expect((await lastValueFrom(shown)).map(comparableEvent)).toEqual(fixture.expected.events);
    });
  });
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The values of a turn that an expected result names, in its form. */
function comparable(turn: AssembledTurn): Record<string, unknown> {
  const { status, stopReason, entries, toolCalls, blocks, repairs, warnings, carry } = turn;
  return {
    status,
    stopReason,
    entries: JSON.parse(stringifyRequest(entries)),
    toolCalls: toolCalls.map(({ id, name, inputText }) => ({ id, name, inputText })),
    blocks: blocks.map(({ kind, state }) => ({ kind, state })),
    repairs: repairs.map(({ code, index }) => ({ code, index })),
    warnings: warnings.map(({ code }) => code),
    carry,
  };
}

/** An event without what an expected result leaves out: usage, messages, and all of an error but its code. */
function comparableEvent(event: UiEvent): object {
  switch (event.type) {
    case 'usage':
      return { type: event.type };
    case 'warning':
      return { type: event.type, code: event.code, ...(event.index !== undefined && { index: event.index }) };
    case 'turn_stop': {
      const { type, status, stopReason, error } = event;
      return { type, status, stopReason, ...(error && { error: { code: error.code } }) };
    }
    default:
      return event;
  }
}
