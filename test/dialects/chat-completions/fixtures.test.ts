import { from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { chatCompletions } from '../../../src/chat-completions.ts';
import {
  type AssembledTurn,
  assembleTurn,
  sseMessages,
  stringifyRequest,
  turnEvents,
  type UiEvent,
  uiEvents,
} from '../../../src/index.ts';
import { listFixtures } from '../../fixtures.ts';

const fixtures = listFixtures('chat-completions');
const named = fixtures.map((fixture) => [fixture.name, fixture] as const);

describe('the fixtures of chat completions', () => {
  it('are at least 28, of every verdict', () => {
    expect(fixtures.length).toBeGreaterThanOrEqual(28);
    expect(new Set(fixtures.map(({ verdict }) => verdict))).toEqual(new Set(['ok', 'cut', 'bad']));
  });

  it.each(named)('%s has the status that its verdict names', (_name, { verdict, expected }) => {
    expect(expected.status).toBe({ ok: 'complete', cut: 'truncated', bad: 'failed' }[verdict]);
  });

  it.each(named)('%s asks for options that exist', (_name, { expected }) => {
    expect(['choice', 'mergeChoices', 'cumulativeReasoning']).toEqual(
      expect.arrayContaining(Object.keys(expected.options)),
    );
  });
});

describe('assembleTurn', () => {
  it.each(named)('assembles %s as expected', async (_name, fixture) => {
    const turn = assembleTurn(oneChunk(fixture.bytes), chatCompletions(fixture.expected.options));
    const shown = lastValueFrom(turn.ui.pipe(toArray()));
    const assembled = await turn.settled();
    const { why, options, entriesText, ...expected } = fixture.expected;
    expect({ ...comparable(assembled), events: (await shown).map(comparableEvent) }).toEqual(expected);
    if (entriesText !== undefined) expect(stringifyRequest(assembled.entries)).toBe(entriesText);
  });
});

describe('uiEvents', () => {
  it.each(named)('shows %s as expected, behind the single operators', async (_name, { bytes, expected }) => {
    const dialect = chatCompletions(expected.options);
    const shown = from([bytes]).pipe(sseMessages(), turnEvents(dialect), uiEvents(), toArray());
    expect((await lastValueFrom(shown)).map(comparableEvent)).toEqual(expected.events);
  });
});

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
