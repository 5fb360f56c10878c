import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import { sse } from '../dialects/anthropic/wire-events.ts';
import { beginning, rest, textDelta, whole } from './anthropic-answer.ts';
import { anthropicClients } from './anthropic-clients.ts';
import { converse, describeConnections, untilText } from './connection-laws.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';

let server: LoopbackServer;

beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

describeConnections({ dialect: anthropic, clients: anthropicClients, beginning, rest, whole });

describe.each(anthropicClients)('assembleTurn, over $name', (client) => {
  test('fails with the error that an event reports, and closes the connection', async () => {
    const { turn, exchange } = await converse(server, client, anthropic);
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Busy' }, request_id: 'req_local' };
    await exchange.send(beginning + sse(error));
    await expect(turn.settled()).resolves.toMatchObject({
      status: 'failed',
      error: { code: 'provider_error', type: 'overloaded_error', requestId: 'req_local', retryable: true, wire: error },
      entries: [],
      blocks: [{ state: 'finished' }, { state: 'cut', text: 'Hel' }],
    });
    await exchange.closed;
  });

  test('settles with message_stop though the socket stays open, and closes it', async () => {
    const { turn, exchange } = await converse(server, client, anthropic);
    await exchange.send(beginning + rest);
    await expect(turn.finalTurn()).resolves.toMatchObject(whole);
    await exchange.closed;
  });

  test('stays complete when the socket is cut after message_stop', async () => {
    const { turn, exchange } = await converse(server, client, anthropic);
    await exchange.send(beginning + rest);
    exchange.cut();
    await expect(turn.finalTurn()).resolves.toMatchObject(whole);
  });

  test('keeps two turns apart that stream at once', async () => {
    const one = await converse(server, client, anthropic);
    const other = await converse(server, client, anthropic);
    for (const word of ['a', 'b', 'c']) {
      await one.exchange.send(word === 'a' ? beginning : sse(textDelta(word)));
      await other.exchange.send(word === 'a' ? beginning : sse(textDelta(word.toUpperCase())));
    }
    await one.exchange.send(rest);
    one.exchange.end();
    other.turn.abort();
    await expect(one.turn.finalTurn()).resolves.toMatchObject({ entries: [{ content: [{}, { text: 'Helbclo' }] }] });
    await expect(other.turn.settled()).resolves.toMatchObject({ status: 'aborted' });
  });

  test('leaves no connection behind after 50 turns, aborted, ended, or left open by the server', async () => {
    const before = server.openSockets;
    for (let count = 0; count < 50; count += 1) {
      const { turn, exchange } = await converse(server, client, anthropic);
      await exchange.send(count % 3 === 0 ? beginning : beginning + rest);
      await untilText(turn);
      if (count % 3 === 0) turn.abort();
      if (count % 3 === 1) exchange.end();
      await expect(turn.settled()).resolves.toMatchObject({ status: count % 3 === 0 ? 'aborted' : 'complete' });
      await exchange.closed;
    }
    // One is kept for the next request.
    expect(server.openSockets).toBeLessThanOrEqual(before + 1);
  });
});
