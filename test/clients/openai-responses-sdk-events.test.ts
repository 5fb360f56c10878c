import type OpenAI from 'openai';
import { APIError } from 'openai';
import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { type AssembledTurn, assembleTurn, type Dialect, type TurnSource, type TurnStatus } from '../../src/index.ts';
import { type ResponsesEntry, responses } from '../../src/responses.ts';
import { type Fixture, listFixtures } from '../fixtures.ts';
import { comparable, comparableValues } from './comparable-turn.ts';
import { clientFor } from './official-completion.ts';

/** What the SDK loses of a fixture, and how the turn ends without it. */
interface Loss {
  readonly what: string;
  readonly status: TurnStatus;
}

const lostBySdk: Readonly<Record<string, Loss>> = {
  'bad_bare-error-body': { what: 'an error that is no event', status: 'truncated' },
  'bad_error-field-line': { what: 'an error that is no event', status: 'truncated' },
  'bad_malformed-event': { what: 'the data that is no JSON', status: 'failed' },
  'ok_no-last-blank-line': { what: 'the last event, which has no blank line', status: 'truncated' },
};

/** Fixtures with calls whose input is part of the item: an SDK keeps the value, and not its text. */
const inputAsPart: ReadonlySet<string> = new Set([
  'ok_apply-patch-calls',
  'ok_computer-calls',
  'ok_local-shell-call',
  'ok_tool-search-client',
]);

const fixtures = listFixtures('responses');
const named = fixtures.map((fixture) => [fixture.name, fixture] as const);

describe('assembleTurn of responses, over the events of the SDK', () => {
  test.each(named)('makes of %s what its bytes make', async (name, fixture) => {
    const [ofEvents, ofBytes] = await assembleBoth(fixture);
    const lost = lostBySdk[name];
    const view = inputAsPart.has(name) ? comparableValues : comparable;
    if (!lost) return expect(view(ofEvents)).toEqual(view(ofBytes));
    expect(comparable(ofEvents), `the SDK loses ${lost.what}`).not.toEqual(comparable(ofBytes));
    expect(ofEvents.status).toBe(lost.status);
  });

  test.each([...inputAsPart])('has of %s not the very text of the input', async (name) => {
    const [ofEvents, ofBytes] = await assembleBoth(fixtureOf(name));
    expect(comparable(ofEvents)).not.toEqual(comparable(ofBytes));
    expect(ofEvents.toolCalls.map(({ input }) => input)).toEqual(ofBytes.toolCalls.map(({ input }) => input));
  });

  test('knows the fixtures that it treats on their own', () => {
    expect(fixtures.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...Object.keys(lostBySdk), ...inputAsPart]),
    );
  });

  test('has of an error event the error alone', async () => {
    const [ofEvents, ofBytes] = await assembleBoth(fixtureOf('bad_error-nested'));
    const { error } = ofBytes;
    if (error?.code !== 'provider_error') throw new Error('The fixture fails in another way');
    expect(error.wire).toMatchObject({ type: 'error', error: { message: error.said } });
    expect(ofEvents.error).toMatchObject({ wire: { message: error.said }, cause: expect.any(APIError) });
    expect(ofEvents.error).not.toHaveProperty('wire.error');
  });
});

describe('assembleTurn of responses, over the stream helper of the SDK', () => {
  const byHelper = (client: OpenAI): TurnSource => client.responses.stream({ model: 'any', input: [] });

  test('makes of a stream that the helper can read what its bytes make', async () => {
    for (const name of ['ok_reasoning-summary-and-ciphertext', 'ok_two-calls-interleaved', 'ok_copilot-rotating-ids']) {
      const [ofEvents, ofBytes] = await assembleBoth(fixtureOf(name), byHelper);
      expect(comparable(ofEvents)).toEqual(comparable(ofBytes));
    }
  });

  test('fails with the helper over an event that it does not know, which create() hands on', async () => {
    const fixture = fixtureOf('ok_chatgpt-backend');
    const [ofHelper, ofBytes] = await assembleBoth(fixture, byHelper);
    expect(ofHelper).toMatchObject({ status: 'failed', entries: [], error: { code: 'transport' } });
    expect(ofHelper.error?.message).toContain('codex.');
    expect(ofBytes.status).toBe('complete');
  });
});

/** The turn of what the SDK makes of a fixture, and that of its bytes. */
async function assembleBoth(
  fixture: Fixture,
  open?: (client: OpenAI) => TurnSource,
): Promise<readonly [AssembledTurn<ResponsesEntry>, AssembledTurn<ResponsesEntry>]> {
  const ofBytes = assembleTurn(of(fixture.bytes), dialectOf(fixture)).settled();
  return [await assembleByEvents(fixture, open), await ofBytes];
}

function fixtureOf(name: string): Fixture {
  const fixture = fixtures.find((other) => other.name === name);
  if (!fixture) throw new Error(`There is no fixture ${name}`);
  return fixture;
}

function dialectOf({ expected: { options } }: Fixture): Dialect<ResponsesEntry> {
  return options['store'] === false ? responses({ store: false }) : responses;
}

/** Hands the whole body of a fixture to the SDK, and what the SDK makes of it to `assembleTurn`. */
async function assembleByEvents(
  fixture: Fixture,
  open: (client: OpenAI) => TurnSource = (client) => client.responses.create({ model: 'any', input: [], stream: true }),
): Promise<AssembledTurn<ResponsesEntry>> {
  const { client } = clientFor(fixture.bytes);
  return assembleTurn(open(client), dialectOf(fixture)).settled();
}
