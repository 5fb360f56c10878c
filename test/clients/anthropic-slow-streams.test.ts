import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import { assembleTurn } from '../../src/index.ts';
import { messageEnd, messageStart, sse, text } from '../dialects/anthropic/wire-events.ts';
import { listFixtures } from '../fixtures.ts';
import { beginning, rest, whole } from './anthropic-answer.ts';
import { anthropicClients, byFetch } from './anthropic-clients.ts';
import { converse } from './connection-laws.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';

let server: LoopbackServer;

beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

describe.each(anthropicClients)('assembleTurn, over $name', (client) => {
  test('reads answers that come one byte a chunk', async () => {
    const fixture = listFixtures('anthropic').find(({ name }) => name === 'ok_thinking-and-parallel-calls');
    const { turn, exchange } = await converse(server, client, anthropic);
    for (const byte of fixture?.bytes ?? []) await exchange.send(new Uint8Array([byte]));
    exchange.end();
    const { entries, toolCalls } = await turn.finalTurn();
    expect(entries).toEqual(fixture?.expected.entries);
    expect(toolCalls.map(({ id, name, inputText }) => ({ id, name, inputText }))).toEqual(fixture?.expected.toolCalls);
  });

  test('reads code points that the chunks divide', async () => {
    const message = 'naïve 🌌 日本';
    const bytes = new TextEncoder().encode(sse(messageStart(), ...text(0, message), ...messageEnd()));
    const { turn, exchange } = await converse(server, client, anthropic);
    const inCodePoint = [...bytes].flatMap((byte, at) => ((byte & 0xc0) === 0x80 ? [at] : []));
    expect(inCodePoint.length).toBeGreaterThan(7);
    let sent = 0;
    for (const cut of inCodePoint) {
      await exchange.send(bytes.subarray(sent, cut));
      sent = cut;
      await pause(2);
    }
    await exchange.send(bytes.subarray(sent));
    await expect(turn.finalTurn()).resolves.toMatchObject({ entries: [{ content: [{ text: message }] }] });
  });

  test('reads a body that is compressed', async () => {
    const turn = assembleTurn(client.open(server.url), anthropic);
    const exchange = await server.nextExchange();
    exchange.head(200, { 'content-encoding': 'gzip' });
    const body = gzipSync(beginning + rest);
    for (let at = 0; at < body.length; at += 50) await exchange.send(body.subarray(at, at + 50));
    exchange.end();
    await expect(turn.finalTurn()).resolves.toMatchObject(whole);
  });

  test('fails after silence, and closes the connection', async () => {
    const { turn, exchange } = await converse(server, client, anthropic, { idleTimeout: 400 });
    await exchange.send(beginning);
    await exchange.closed;
    await expect(turn.settled()).resolves.toMatchObject({ status: 'failed', error: { code: 'idle_timeout' } });
  });

  test('waits as long as it takes without an idle timeout', async () => {
    const { turn, exchange } = await converse(server, client, anthropic);
    for (const piece of [beginning, rest]) {
      await pause(300);
      await exchange.send(piece);
    }
    await expect(turn.finalTurn()).resolves.toMatchObject(whole);
  });

  test('has the whole body of a refusal that comes slowly', async () => {
    const turn = assembleTurn(client.open(server.url), anthropic);
    const exchange = await server.nextExchange();
    exchange.head(529, { 'content-type': 'application/json' });
    await exchange.send('{"type":"error","error":{"type":"overloaded_error",');
    await pause(50);
    await exchange.send('"message":"Overloaded"}}');
    exchange.end();
    await expect(turn.settled()).resolves.toMatchObject({
      status: 'failed',
      error: {
        code: 'http_status',
        status: 529,
        retryable: true,
        message: expect.stringContaining('overloaded_error: Overloaded'),
      },
    });
  });
});

describe('assembleTurn with an idle timeout', () => {
  test('counts bytes that are no event as life', async () => {
    const { turn, exchange } = await converse(server, byFetch, anthropic, { idleTimeout: 1000 });
    await exchange.send(beginning);
    for (let count = 0; count < 8; count += 1) {
      await pause(200);
      await exchange.send(count % 2 === 0 ? ': keep-alive\n\n' : sse({ type: 'ping' }));
    }
    await exchange.send(rest);
    await expect(turn.finalTurn()).resolves.toMatchObject(whole);
  });

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
