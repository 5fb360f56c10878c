import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import { assembleTurn } from '../../src/index.ts';
import { messageEnd, messageStart, sse, text } from '../dialects/anthropic/wire-events.ts';
import { listFixtures } from '../fixtures.ts';
import { beginning, rest, whole } from './anthropic-answer.ts';
import { anthropicClients, byFetch } from './anthropic-clients.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';
import { describeSlowStreams } from './slow-stream-laws.ts';

const fixture = listFixtures('anthropic').find(({ name }) => name === 'ok_thinking-and-parallel-calls');
let server: LoopbackServer;

beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

describeSlowStreams({
  dialect: anthropic,
  clients: anthropicClients,
  byFetch,
  beginning,
  rest,
  whole,
  answerOf: (message) => sse(messageStart(), ...text(0, message), ...messageEnd()),
  wholeOf: (message) => ({ entries: [{ content: [{ text: message }] }] }),
  longAnswer: new TextDecoder().decode(fixture?.bytes),
  longEntries: fixture?.expected.entries ?? [],
  keepAlive: [': keep-alive\n\n', sse({ type: 'ping' })],
  refusal: {
    status: 529,
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    message: 'overloaded_error: Overloaded',
  },
});

describe('assembleTurn with an idle timeout', () => {
  test('counts the bytes of a refusal as life', async () => {
    const turn = assembleTurn(byFetch.open(server.url), anthropic, { idleTimeout: 500 });
    const exchange = await server.nextExchange();
    exchange.head(503, { 'content-type': 'text/plain' });
    for (const word of ['no', ' answer', ' from', ' upstream']) {
      await pause(250);
      await exchange.send(word);
    }
    exchange.end();
    await expect(turn.settled()).resolves.toMatchObject({
      error: { code: 'http_status', body: 'no answer from upstream' },
    });
  });

  test('has the status and the start of a refusal whose body stops coming', async () => {
    const turn = assembleTurn(byFetch.open(server.url), anthropic, { idleTimeout: 300 });
    const exchange = await server.nextExchange();
    exchange.head(503, { 'content-type': 'text/plain' });
    await exchange.send('no answer');
    await exchange.closed;
    await expect(turn.settled()).resolves.toMatchObject({
      error: { code: 'http_status', status: 503, body: 'no answer' },
    });
  });
});
