import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { HttpResponse } from 'msw';
import { describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import {
  assembleTurn,
  type ChunkSource,
  type ResponseLike,
  stringifyRequest,
  type TurnChunk,
} from '../../src/index.ts';
import { messageEnd, messageStart, sse, start, text } from '../dialects/anthropic/wire-events.ts';
import { type Fixture, listFixtures } from '../fixtures.ts';
import { eventStream, useMswProvider } from './msw-provider.ts';

/** One way to make the request and to hand its answer to `assembleTurn`. */
interface Client {
  readonly name: string;
  open(messages?: Anthropic.MessageParam[]): PromiseLike<ResponseLike<TurnChunk> | ChunkSource<TurnChunk>>;
}

const host = 'http://provider.test';
const url = `${host}/v1/messages`;
const question: Anthropic.MessageParam = { role: 'user', content: 'Hello?' };
const request = { model: 'claude-local', max_tokens: 100, stream: true } as const;

const bySdkEvents: Client = {
  name: 'the events of the SDK',
  open: (messages = [question]) => sdk().messages.create({ ...request, messages }),
};
const bySdkResponse: Client = {
  name: 'the response of the SDK',
  open: (messages = [question]) =>
    sdk()
      .messages.create({ ...request, messages })
      .asResponse(),
};
const byFetch: Client = {
  name: 'fetch',
  open: (messages = [question]) => fetch(url, { method: 'POST', body: stringifyRequest({ ...request, messages }) }),
};
const clients = [bySdkEvents, bySdkResponse, byFetch];

const fixtures = listFixtures('anthropic');
const { answerWith } = useMswProvider(url);

describe.each(clients)('assembleTurn, over $name', (client) => {
  test('takes the promise, and what it resolves to', async () => {
    const { bytes, expected } = fixtureOf('ok_thinking-and-parallel-calls');
    answerWith(() => eventStream(bytes));
    for (const source of [client.open(), await client.open()]) {
      const { entries, toolCalls } = await assembleTurn(source, anthropic).finalTurn();
      expect(entries).toEqual(expected.entries);
      expect(toolCalls.map(({ id, name, inputText }) => ({ id, name, inputText }))).toEqual(expected.toolCalls);
    }
  });

  test.each([
    [401, 'authentication_error', 'invalid x-api-key', false],
    [429, 'rate_limit_error', 'Number of requests has exceeded your rate limit', true],
    [529, 'overloaded_error', 'Overloaded', true],
  ])('fails with HttpStatusError for a status of %i', async (status, type, message, retryable) => {
    const headers = { 'retry-after': '7', 'request-id': 'req_local' };
    answerWith(() => HttpResponse.json({ type: 'error', error: { type, message } }, { status, headers }));
    const turn = await assembleTurn(client.open(), anthropic).settled();
    expect(turn).toMatchObject({ status: 'failed', entries: [], toolCalls: [], blocks: [] });
    expect(turn.error).toMatchObject({ code: 'http_status', status, retryable, headers });
    expect(turn.error?.message).toContain(`${type}: ${message}`);
  });

  test('sends back in the second request what was streamed in the first', async () => {
    const { bytes, expected } = fixtureOf('ok_thinking-and-parallel-calls');
    const answers = [eventStream(bytes), eventStream(sse(messageStart(), ...text(0, 'Done.'), ...messageEnd()))];
    const bodies = answerWith(() => answers.shift() ?? HttpResponse.error());
    const { entries, toolCalls } = await assembleTurn(client.open(), anthropic).finalTurn();
    const results = toolCalls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'ok' }));
    const second = client.open([question, ...entries, { role: 'user', content: results }]);
    await expect(assembleTurn(second, anthropic).finalTurn()).resolves.toMatchObject({ stopReason: 'end_turn' });
    expect(bodies).toHaveLength(2);
    const messages = [question, ...expected.entries, { role: 'user', content: results }];
    expect(JSON.parse(bodies[1] ?? '')).toEqual({ ...request, messages });
    expect(results.length).toBeGreaterThan(1);
  });
});

describe('assembleTurn, over a response', () => {
  // Over the parsed events the SDK waits for the body to be cancelled, which under msw 2 never is: see the loopback tests.
  test.each([bySdkResponse, byFetch])('fails with ProviderError for an error event, over $name', async (client) => {
    const error = {
      type: 'error',
      error: { type: 'overloaded_error', message: 'Overloaded' },
      request_id: 'req_local',
    };
    answerWith(() => eventStream(sse(messageStart(), ...text(0, 'kept'), start(1, { type: 'text', text: '' }), error)));
    const turn = await assembleTurn(client.open(), anthropic).settled();
    expect(turn).toMatchObject({ status: 'failed', entries: [], blocks: [{ state: 'finished' }, { state: 'cut' }] });
    expect(turn.error).toMatchObject({
      code: 'provider_error',
      type: 'overloaded_error',
      requestId: 'req_local',
      retryable: true,
      wire: error,
    });
  });

  test.each([bySdkResponse, byFetch])(
    'fails with NotEventStreamError for a JSON answer, over $name',
    async (client) => {
      answerWith(() => HttpResponse.json({ id: 'msg_1', type: 'message', content: [] }));
      const { status, error } = await assembleTurn(client.open(), anthropic).settled();
      expect(status).toBe('failed');
      expect(error).toMatchObject({ code: 'not_event_stream', contentType: 'application/json' });
      expect(error?.message).toContain('Was the request made with `stream: true`?');
    },
  );
});

describe('assembleTurn, over the parsed events of the SDK', () => {
  test('keeps the error of the SDK as the cause', async () => {
    answerWith(() =>
      HttpResponse.json({ type: 'error', error: { type: 'api_error', message: 'no' } }, { status: 500 }),
    );
    const { error } = await assembleTurn(bySdkEvents.open(), anthropic).settled();
    expect(error?.cause).toBeInstanceOf(APIError);
  });
});

describe('stringifyRequest', () => {
  test('sends tool input back as the text that the model wrote', async () => {
    const { bytes, expected } = fixtureOf('ok_exact-input-and-key-order');
    const bodies = answerWith(() => eventStream(bytes));
    const { entries } = await assembleTurn(byFetch.open(), anthropic).finalTurn();
    await byFetch.open([question, ...entries]);
    expect(expected.entriesText).toBeDefined();
    expect(bodies[1]).toContain(`,${expected.entriesText?.slice(1, -1)}]`);
  });
});

/** Made for each request, for the SDK keeps the `fetch` that it finds. */
function sdk(): Anthropic {
  return new Anthropic({ apiKey: 'unused', baseURL: host, maxRetries: 0, logLevel: 'off' });
}

function fixtureOf(name: string): Fixture {
  const fixture = fixtures.find((other) => other.name === name);
  if (!fixture) throw new Error(`There is no fixture ${name}`);
  return fixture;
}
