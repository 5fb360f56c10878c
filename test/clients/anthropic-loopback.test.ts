import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import { assembleTurn, TurnInterruptedError } from '../../src/index.ts';
import { sse } from '../dialects/anthropic/wire-events.ts';
import { loopbackClients } from './loopback-clients.ts';
import { beginning, converse, rest, textDelta, untilText, whole } from './loopback-conversation.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';

let server: LoopbackServer;

beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

describe.each(loopbackClients)('assembleTurn, over $name', (client) => {
  test('closes the connection at once when it is aborted while idle', async () => {
    const { turn, exchange, seen } = await converse(server, client);
    await exchange.send(beginning);
    await untilText(turn);
    turn.abort(new Error('stop button'));
    const events = seen.length;
    await exchange.closed;
    await exchange.send(rest);
    await expect(turn.settled()).resolves.toMatchObject({
      status: 'aborted',
      entries: [],
      blocks: [{ state: 'finished' }, { state: 'cut', text: 'Hel' }],
    });
    expect(seen).toHaveLength(events);
    await expect(turn.finalTurn()).rejects.toMatchObject({
      code: 'turn_interrupted',
      cause: { message: 'stop button' },
    });
  });

  test('closes the connection of an answer that comes after the abort', async () => {
    const turn = assembleTurn(client.open(server.url), anthropic);
    const exchange = await server.nextExchange();
    turn.abort();
    await expect(turn.settled()).resolves.toMatchObject({ status: 'aborted', blocks: [] });
    exchange.head();
    await exchange.send(beginning);
    await exchange.closed;
    await expect(turn.settled()).resolves.toMatchObject({ status: 'aborted', blocks: [] });
  });

  test('closes the connection before any answer when the request has the same signal', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const turn = assembleTurn(client.open(server.url, signal), anthropic, { signal });
    const exchange = await server.nextExchange();
    controller.abort();
    await exchange.closed;
    await expect(turn.settled()).resolves.toMatchObject({ status: 'aborted', blocks: [] });
  });

  test('stops by its signal while the answer streams', async () => {
    const controller = new AbortController();
    const { turn, exchange } = await converse(server, client, { signal: controller.signal });
    await exchange.send(beginning);
    await untilText(turn);
    controller.abort('navigated away');
    await exchange.closed;
    const failure: unknown = await turn.finalTurn().catch((cause: unknown) => cause);
    expect(failure).toBeInstanceOf(TurnInterruptedError);
    expect(failure).toMatchObject({ cause: 'navigated away', turn: { status: 'aborted' } });
  });

  test('is aborted by the signal of the request alone', async () => {
    const controller = new AbortController();
    const turn = assembleTurn(client.open(server.url, controller.signal), anthropic);
    const exchange = await server.nextExchange();
    exchange.head();
    await exchange.send(beginning);
    await untilText(turn);
    controller.abort();
    await expect(turn.settled()).resolves.toMatchObject({ status: 'aborted', entries: [] });
  });

  test('fails when nobody answers, and may be tried again', async () => {
    const gone = await startLoopbackServer();
    await gone.close();
    await expect(assembleTurn(client.open(gone.url), anthropic).settled()).resolves.toMatchObject({
      status: 'failed',
      error: { code: 'transport', retryable: true },
    });
  });

  test('goes on when a loop over it breaks', async () => {
    const { turn, exchange } = await converse(server, client);
    await exchange.send(beginning);
    for await (const event of turn) if (event.type === 'text_delta') break;
    await exchange.send(rest);
    exchange.end();
    await expect(turn.finalTurn()).resolves.toMatchObject(whole);
  });

  test('fails, with what came, when the socket is cut in the middle of an event', async () => {
    const { turn, exchange } = await converse(server, client);
    await exchange.send(beginning + rest.slice(0, 40));
    await untilText(turn);
    exchange.cut();
    await expect(turn.settled()).resolves.toMatchObject({
      status: 'failed',
      error: { code: 'transport', retryable: true },
      entries: [],
      toolCalls: [],
      blocks: [{ state: 'finished' }, { state: 'cut', text: 'Hel' }],
    });
  });

  test('fails with the error that an event reports, and closes the connection', async () => {
    const { turn, exchange } = await converse(server, client);
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

  test('is truncated when the answer ends in the middle of an event', async () => {
    const { turn, exchange } = await converse(server, client);
    await exchange.send(beginning + rest.slice(0, 40));
    exchange.end();
    await expect(turn.settled()).resolves.toMatchObject({ status: 'truncated', entries: [] });
  });

  test('settles with message_stop though the socket stays open, and closes it', async () => {
    const { turn, exchange } = await converse(server, client);
    await exchange.send(beginning + rest);
    await expect(turn.finalTurn()).resolves.toMatchObject(whole);
    await exchange.closed;
  });

  test('stays complete when the socket is cut after message_stop', async () => {
    const { turn, exchange } = await converse(server, client);
    await exchange.send(beginning + rest);
    exchange.cut();
    await expect(turn.finalTurn()).resolves.toMatchObject(whole);
  });

  test('keeps two turns apart that stream at once', async () => {
    const one = await converse(server, client);
    const other = await converse(server, client);
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
      const { turn, exchange } = await converse(server, client);
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
