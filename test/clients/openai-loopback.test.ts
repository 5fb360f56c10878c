import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatCompletions, toolMessages } from '../../src/chat-completions.ts';
import { assembleTurn } from '../../src/index.ts';
import { chunk, done, sse } from '../dialects/chat-completions/wire-chunks.ts';
import { converse, describeConnections, untilText } from './connection-laws.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';
import { beginning, rest, restAndDone, toolMessage, toolTurn, whole } from './openai-answer.ts';
import { bySdkChunks, clientsWithBytes, openaiClients, question } from './openai-clients.ts';

let server: LoopbackServer;

beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

describeConnections({
  dialect: chatCompletions,
  clients: openaiClients.map(({ name, open }) => ({ name, open: (url, signal) => open(url, { signal }) })),
  beginning,
  rest: restAndDone,
  whole,
});

describe.each(openaiClients)('assembleTurn of chat completions, over $name', (client) => {
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
    const { turn, exchange } = await converse(server, client, chatCompletions);
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

  test('is complete when the answer ends after a finish reason and without the sentinel', async () => {
    const { turn, exchange } = await converse(server, client, chatCompletions);
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
});

describe.each(clientsWithBytes)('assembleTurn of chat completions, over $name, which has the sentinel', (client) => {
  test('settles with [DONE] though the socket stays open, and closes it', async () => {
    const { turn, exchange } = await converse(server, client, chatCompletions);
    await exchange.send(beginning + restAndDone);
    await expect(turn.finalTurn()).resolves.toMatchObject(whole);
    await exchange.closed;
  });

  test('stays complete when the socket is cut after [DONE]', async () => {
    const { turn, exchange } = await converse(server, client, chatCompletions);
    await exchange.send(beginning + restAndDone);
    exchange.cut();
    await expect(turn.finalTurn()).resolves.toMatchObject(whole);
  });

  test('is complete with [DONE] and without a finish reason', async () => {
    const { turn, exchange } = await converse(server, client, chatCompletions);
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
    const { turn, exchange, seen } = await converse(server, bySdkChunks, chatCompletions);
    await exchange.send(beginning + restAndDone);
    await untilText(turn);
    expect(seen.map(({ type }) => type)).not.toContain('turn_stop');
    exchange.end();
    await expect(turn.finalTurn()).resolves.toMatchObject(whole);
  });

  test('is truncated by [DONE] without a finish reason', async () => {
    const { turn, exchange } = await converse(server, bySdkChunks, chatCompletions);
    await exchange.send(beginning + done);
    exchange.end();
    await expect(turn.settled()).resolves.toMatchObject({ status: 'truncated', entries: [] });
  });
});
