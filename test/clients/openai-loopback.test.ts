import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatCompletions, toolMessages } from '../../src/chat-completions.ts';
import { assembleTurn, TurnInterruptedError } from '../../src/index.ts';
import { chunk, done, sse } from '../dialects/chat-completions/wire-chunks.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';
import { bySdkChunks, clientsWithBytes, openaiClients, question } from './openai-clients.ts';
import {
  beginning,
  converse,
  rest,
  restAndDone,
  toolMessage,
  toolTurn,
  untilText,
  whole,
} from './openai-conversation.ts';

let server: LoopbackServer;

beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

describe.each(openaiClients)('assembleTurn of chat completions, over $name', (client) => {
  test('closes the connection at once when it is aborted while idle', async () => {
    const { turn, exchange, seen } = await converse(server, client);
    await exchange.send(beginning);
    await untilText(turn);
    turn.abort(new Error('stop button'));
    const count = seen.length;
    await exchange.closed;
    await exchange.send(restAndDone);
    await expect(turn.settled()).resolves.toMatchObject({
      status: 'aborted',
      entries: [],
      blocks: [{ state: 'finished' }, { state: 'cut', text: 'Hel' }],
    });
    expect(seen).toHaveLength(count);
    await expect(turn.finalTurn()).rejects.toMatchObject({
      code: 'turn_interrupted',
      cause: { message: 'stop button' },
    });
  });

  test('closes the connection before any answer when the request has the same signal', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const turn = assembleTurn(client.open(server.url, { signal }), chatCompletions, { signal });
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
    const turn = assembleTurn(client.open(server.url, { signal: controller.signal }), chatCompletions);
    const exchange = await server.nextExchange();
    exchange.head();
    await exchange.send(beginning);
    await untilText(turn);
    controller.abort();
    await expect(turn.settled()).resolves.toMatchObject({ status: 'aborted', entries: [] });
  });

  test('fails, with what came, when the socket is cut in the middle of a chunk', async () => {
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

  test.each([
    ['an error in place of the choices', { error: { message: 'Busy', code: 502 } }, null],
    ['an error without choices', chunk({}, null, { choices: [], error: { message: 'Busy', code: 502 } }), null],
    ['an error beside a delta', chunk({ content: '' }, 'error', { error: { message: 'Busy', code: 502 } }), null],
    [
      'an error with a type',
      { error: { message: 'Busy', type: 'server_error', param: null, code: null } },
      'server_error',
    ],
  ])('fails with %s, and closes the connection', async (_shape, wire, type) => {
    const { turn, exchange } = await converse(server, client);
    await exchange.send(beginning + sse(wire));
    const { error, ...settled } = await turn.settled();
    expect(settled).toMatchObject({
      status: 'failed',
      entries: [],
      toolCalls: [],
      blocks: [{ state: 'finished' }, { state: 'cut', text: 'Hel' }],
    });
    expect(error).toMatchObject({ code: 'provider_error', type, retryable: true });
    expect(error?.message).toContain('Busy');
    await exchange.closed;
  });

  test('is truncated when the answer ends in the middle of a chunk', async () => {
    const { turn, exchange } = await converse(server, client);
    await exchange.send(beginning + rest.slice(0, 40));
    exchange.end();
    await expect(turn.settled()).resolves.toMatchObject({ status: 'truncated', entries: [] });
  });

  test('is complete when the answer ends after a finish reason and without the sentinel', async () => {
    const { turn, exchange } = await converse(server, client);
    await exchange.send(beginning + rest);
    exchange.end();
    await expect(turn.finalTurn()).resolves.toMatchObject({ ...whole, warnings: [] });
  });

  test('takes back in the second request the very message of the first', async () => {
    const first = assembleTurn(client.open(server.url), chatCompletions);
    const one = await server.nextExchange();
    one.head();
    await one.send(toolTurn);
    one.end();
    const { entries, toolCalls } = await first.finalTurn();
    const results = toolMessages(toolCalls, toolCalls.map(({ id }) => ({ id, content: 'fog' })).reverse());
    const messages = [question, ...entries, ...results];
    const second = assembleTurn(client.open(server.url, { messages }), chatCompletions);
    const two = await server.nextExchange();
    two.head();
    await two.send(beginning + restAndDone);
    two.end();
    await expect(second.finalTurn()).resolves.toMatchObject(whole);
    expect(two.body).toContain(
      `"messages":[${JSON.stringify(question)},${toolMessage},${JSON.stringify(results).slice(1)}`,
    );
    expect(results.map(({ tool_call_id: id }) => id)).toEqual(['call_a', 'call_b']);
  });

  test('leaves no connection behind after 30 turns, aborted or ended', async () => {
    const before = server.openSockets;
    for (let count = 0; count < 30; count += 1) {
      const isAborted = count % 2 === 0;
      const { turn, exchange } = await converse(server, client);
      await exchange.send(isAborted ? beginning : beginning + restAndDone);
      await untilText(turn);
      if (isAborted) turn.abort();
      else exchange.end();
      const { status } = await turn.settled();
      expect(status).toBe(isAborted ? 'aborted' : 'complete');
      await exchange.closed;
    }
    // One is kept for the next request.
    expect(server.openSockets).toBeLessThanOrEqual(before + 1);
  });
});

describe.each(clientsWithBytes)('assembleTurn of chat completions, over $name, which has the sentinel', (client) => {
  test('settles with [DONE] though the socket stays open, and closes it', async () => {
    const { turn, exchange } = await converse(server, client);
    await exchange.send(beginning + restAndDone);
    await expect(turn.finalTurn()).resolves.toMatchObject(whole);
    await exchange.closed;
  });

  test('stays complete when the socket is cut after [DONE]', async () => {
    const { turn, exchange } = await converse(server, client);
    await exchange.send(beginning + restAndDone);
    exchange.cut();
    await expect(turn.finalTurn()).resolves.toMatchObject(whole);
  });

  test('is complete with [DONE] and without a finish reason', async () => {
    const { turn, exchange } = await converse(server, client);
    await exchange.send(beginning + done);
    await expect(turn.finalTurn()).resolves.toMatchObject({
      stopReason: null,
      entries: [{ content: 'Hel' }],
      warnings: [{ code: 'missing_finish_reason' }],
    });
  });
});

describe('assembleTurn of chat completions, over the chunks of the SDK, which keeps the sentinel to itself', () => {
  test('settles when the answer ends', async () => {
    const { turn, exchange, seen } = await converse(server, bySdkChunks);
    await exchange.send(beginning + restAndDone);
    await untilText(turn);
    expect(seen.map(({ type }) => type)).not.toContain('turn_stop');
    exchange.end();
    await expect(turn.finalTurn()).resolves.toMatchObject(whole);
  });

  test('is truncated by [DONE] without a finish reason', async () => {
    const { turn, exchange } = await converse(server, bySdkChunks);
    await exchange.send(beginning + done);
    exchange.end();
    await expect(turn.settled()).resolves.toMatchObject({ status: 'truncated', entries: [] });
  });
});
