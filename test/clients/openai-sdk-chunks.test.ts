import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { type ChatCompletionsEntry, chatCompletions } from '../../src/chat-completions.ts';
import { type AssembledTurn, assembleTurn, type Dialect, type TurnStatus } from '../../src/index.ts';
import { listChatRecordings } from '../dialects/chat-completions/recorded-chunks.ts';
import { listFixtures } from '../fixtures.ts';
import { comparable, comparableValues } from './comparable-turn.ts';
import { clientFor } from './official-completion.ts';

/** What the SDK loses of a fixture, and how the turn ends without it. */
interface Loss {
  readonly what: string;
  readonly status: TurnStatus;
}

const sentinel: Loss = { what: 'the sentinel, the only end where no finish reason came', status: 'truncated' };
const lineBreak: Loss = { what: 'the last event, which has no blank line', status: 'truncated' };

const lostBySdk: Readonly<Record<string, Loss>> = {
  'bad_bare-error-body': { what: 'an error that is no event, after a finish reason', status: 'complete' },
  'bad_error-beside-a-delta': { what: 'the delta beside an error', status: 'failed' },
  'bad_error-field-line': { what: 'an error that is no event', status: 'truncated' },
  'bad_error-only': { what: 'the id beside an error', status: 'failed' },
  'bad_event-error-without-error-object': { what: 'the `event` line', status: 'truncated' },
  'bad_malformed-event': { what: 'that it was the JSON that was wrong', status: 'failed' },
  ok_audio: sentinel,
  'ok_done-without-finish-reason': sentinel,
  'ok_no-done-no-last-line-end': lineBreak,
  'ok_snowflake-unsigned-claude': sentinel,
  'ok_unknown-events': { what: 'all that comes after blank data', status: 'failed' },
};

/** Fixtures with arguments that come as an object, of whose text the SDK keeps the value only. */
const argumentsAsObject: ReadonlySet<string> = new Set(['ok_ollama-arguments-as-object']);

const fixtures = listFixtures('chat-completions');
const named = fixtures.map((fixture) => [fixture.name, fixture] as const);
const recordings = listChatRecordings();
const recorded = recordings.map((recording) => [recording.name, recording] as const);

describe('assembleTurn, over the chunks of the SDK', () => {
  test.each(named)('makes of %s what its bytes make', async (name, { bytes, expected }) => {
    const dialect = chatCompletions(expected.options);
    const ofChunks = await assembleByChunks(bytes, dialect);
    const ofBytes = await assembleTurn(of(bytes), dialect).settled();
    const lost = lostBySdk[name];
    const view = argumentsAsObject.has(name) ? comparableValues : comparable;
    if (!lost) return expect(view(ofChunks)).toEqual(view(ofBytes));
    expect(comparable(ofChunks), `the SDK loses ${lost.what}`).not.toEqual(comparable(ofBytes));
    expect(ofChunks.status).toBe(lost.status);
  });

  test('takes what chat.completions.stream gives, too', async () => {
    const fixture = fixtures.find(({ name }) => name === 'ok_openrouter-claude-late-signature');
    if (!fixture) throw new Error('The fixture is gone');
    const { client } = clientFor(fixture.bytes);
    const turn = assembleTurn(client.chat.completions.stream({ model: 'any', messages: [] }), chatCompletions);
    const { entries } = await turn.finalTurn();
    expect(entries).toEqual(fixture.expected.entries);
  });

  test('knows the fixtures that it treats on their own', () => {
    expect(fixtures.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...Object.keys(lostBySdk), ...argumentsAsObject]),
    );
  });
});

describe.skipIf(recordings.length === 0)('assembleTurn, over the chunks of the SDK, on recorded streams', () => {
  test.each(recorded)('makes of %s what its bytes make', async (_name, { bytes }) => {
    const ofChunks = await assembleByChunks(bytes, chatCompletions);
    const ofBytes = await assembleTurn(of(bytes), chatCompletions).settled();
    const { error, warnings } = ofBytes;
    const isEndLost = warnings.some(({ code }) => code === 'missing_finish_reason');
    if (isEndLost) expect(ofChunks).toMatchObject({ status: 'truncated', entries: [], toolCalls: [] });
    // What stands beside the error in its chunk is lost.
    else if (error) expect([ofChunks.error?.code, ofChunks.error?.message]).toEqual([error.code, error.message]);
    else expect(comparable(ofChunks)).toEqual(comparable(ofBytes));
  });
});

/** Hands the whole body to the SDK, and what the SDK makes of it to `assembleTurn`. */
function assembleByChunks(
  bytes: Uint8Array,
  dialect: Dialect<ChatCompletionsEntry>,
): Promise<AssembledTurn<ChatCompletionsEntry>> {
  const { client } = clientFor(bytes);
  const chunks = client.chat.completions.create({ model: 'any', messages: [], stream: true });
  return assembleTurn(chunks, dialect).settled();
}
