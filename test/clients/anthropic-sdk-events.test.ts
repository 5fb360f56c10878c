import Anthropic from '@anthropic-ai/sdk';
import { of } from 'rxjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnthropicEntry, anthropic } from '../../src/anthropic.ts';
import { type AssembledTurn, assembleTurn, type Dialect, type TurnSource } from '../../src/index.ts';
import { type Fixture, listFixtures } from '../fixtures.ts';
import { comparable, comparableValues } from './comparable-turn.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';

/** Fixtures of which the SDK itself loses something, and what. */
const lostBySdk: Readonly<Record<string, string>> = {
  'bad_bare-error-body': 'an error that is no event',
  'bad_error-field-line': 'an error that is no event',
  'bad_error-first': 'an event without its `event` line',
  'bad_malformed-event': 'that it was the JSON that was wrong',
  'ok_no-event-lines-and-done': 'all events without their `event` line',
  'ok_no-last-blank-line': 'the last event, which has no blank line',
};

/** Fixtures with a tool input that comes whole in the start of its block, its text with blanks or odd numbers. */
const wholeInputs = new Set(['ok_input-in-block-start', 'cut_after-prefilled-call']);

const request = {
  model: 'claude-local',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello?' }],
} satisfies Anthropic.MessageCreateParams;

const fixtures = listFixtures('anthropic');
const named = fixtures.map((fixture) => [fixture.name, fixture] as const);
let server: LoopbackServer;

beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

describe('assembleTurn, over the parsed events of the SDK', () => {
  test.each(named)('makes of %s what its bytes make', async (name, fixture) => {
    const ofEvents = await assembleByEvents(fixture);
    const ofBytes = await assembleByBytes(fixture);
    const view = wholeInputs.has(name) ? comparableValues : comparable;
    if (name in lostBySdk) expect(view(ofEvents), `the SDK loses ${lostBySdk[name]}`).not.toEqual(view(ofBytes));
    else expect(view(ofEvents)).toEqual(view(ofBytes));
  });

  test.each([
    ['messages.stream', (client: Anthropic) => client.messages.stream(request)],
    ['beta.messages.create', (client: Anthropic) => client.beta.messages.create({ ...request, stream: true })],
  ])('takes what %s gives, too', async (_name, open) => {
    const fixture = fixtures.find(({ name }) => name === 'ok_interleaved-thinking');
    if (!fixture) throw new Error('The fixture is gone');
    expect(comparable(await assembleByEvents(fixture, open))).toEqual(comparable(await assembleByBytes(fixture)));
  });

  test('knows the fixtures that it treats on their own', () => {
    expect(fixtures.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...Object.keys(lostBySdk), ...wholeInputs]),
    );
  });
});

function dialectOf({ expected: { options } }: Fixture): Dialect<AnthropicEntry> {
  return options['unsignedThinking'] === 'keep' ? anthropic({ unsignedThinking: 'keep' }) : anthropic;
}

/** Hands the whole body of a fixture to the SDK, and what the SDK makes of it to `assembleTurn`. */
async function assembleByEvents(
  fixture: Fixture,
  open: (client: Anthropic) => TurnSource = (client) => client.messages.create({ ...request, stream: true }),
): Promise<AssembledTurn<AnthropicEntry>> {
  const client = new Anthropic({ apiKey: 'unused', baseURL: server.url, maxRetries: 0, logLevel: 'off' });
  const turn = assembleTurn(open(client), dialectOf(fixture));
  const exchange = await server.nextExchange();
  exchange.head();
  await exchange.send(fixture.bytes);
  exchange.end();
  return turn.settled();
}

function assembleByBytes(fixture: Fixture): Promise<AssembledTurn<AnthropicEntry>> {
  return assembleTurn(of(fixture.bytes), dialectOf(fixture)).settled();
}
