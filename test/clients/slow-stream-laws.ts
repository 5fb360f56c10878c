import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assembleTurn, type JsonObject } from '../../src/index.ts';
import { type ConnectionLaws, converse, type LoopbackClient } from './connection-laws.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';

/** Answers of one dialect that come slowly. */
export interface SlowStreamLaws<Entry> extends ConnectionLaws<Entry> {
  /** The one of the clients that hands on the bytes themselves. */
  readonly byFetch: LoopbackClient;
  /** A whole answer that says `message`. */
  readonly answerOf: (message: string) => string;
  /** What the turn of such an answer matches. */
  readonly wholeOf: (message: string) => object;
  /** An answer in which much is divided, and the texts of the entries that its bytes give. */
  readonly longAnswer: string;
  readonly longEntries: readonly unknown[];
  /** What comes while the service thinks, and says nothing. */
  readonly keepAlive: readonly string[];
  /** The body of a refusal, and what the error says of it. */
  readonly refusal: { readonly status: number; readonly body: JsonObject; readonly message: string };
}

/** How a turn reads an answer that comes slowly and in odd pieces, in any dialect and over any client. */
export function describeSlowStreams<Entry>(laws: SlowStreamLaws<Entry>): void {
  const { dialect, clients, beginning, rest, whole } = laws;
  let server: LoopbackServer;

  beforeAll(async () => {
    server = await startLoopbackServer();
  });
  afterAll(() => server.close());

  describe.each(clients)(`a slow turn of ${dialect.name}, over $name`, (client) => {
    test('reads answers that come one byte a chunk', async () => {
      const { turn, exchange } = await converse(server, client, dialect);
      for (const byte of new TextEncoder().encode(laws.longAnswer)) await exchange.send(new Uint8Array([byte]));
      exchange.end();
      const { entries } = await turn.finalTurn();
      expect(entries).toEqual(laws.longEntries);
    });

    test('reads code points that the chunks divide', async () => {
      const message = 'naïve 🌌 日本';
      const bytes = new TextEncoder().encode(laws.answerOf(message));
      const { turn, exchange } = await converse(server, client, dialect);
      const inCodePoint = [...bytes].flatMap((byte, at) => ((byte & 0xc0) === 0x80 ? [at] : []));
      expect(inCodePoint.length).toBeGreaterThan(7);
      let sent = 0;
      for (const cut of inCodePoint) {
        await exchange.send(bytes.subarray(sent, cut));
        sent = cut;
        await pause(2);
      }
      await exchange.send(bytes.subarray(sent));
      exchange.end();
      await expect(turn.finalTurn()).resolves.toMatchObject(laws.wholeOf(message));
    });

    test('reads a body that is compressed', async () => {
      const turn = assembleTurn(client.open(server.url), dialect);
      const exchange = await server.nextExchange();
      exchange.head(200, { 'content-encoding': 'gzip' });
      const body = gzipSync(beginning + rest);
      for (let at = 0; at < body.length; at += 50) await exchange.send(body.subarray(at, at + 50));
      exchange.end();
      await expect(turn.finalTurn()).resolves.toMatchObject(whole);
    });

    test('fails after silence, and closes the connection', async () => {
      const { turn, exchange } = await converse(server, client, dialect, { idleTimeout: 400 });
      await exchange.send(beginning);
      await exchange.closed;
      await expect(turn.settled()).resolves.toMatchObject({ status: 'failed', error: { code: 'idle_timeout' } });
    });

    test('waits as long as it takes without an idle timeout', async () => {
      const { turn, exchange } = await converse(server, client, dialect);
      for (const piece of [beginning, rest]) {
        await pause(300);
        await exchange.send(piece);
      }
      exchange.end();
      await expect(turn.finalTurn()).resolves.toMatchObject(whole);
    });

    test('has the whole body of a refusal that comes slowly', async () => {
      const { status, body, message } = laws.refusal;
      const text = JSON.stringify(body);
      const turn = assembleTurn(client.open(server.url), dialect);
      const exchange = await server.nextExchange();
      exchange.head(status, { 'content-type': 'application/json' });
      await exchange.send(text.slice(0, 20));
      await pause(50);
      await exchange.send(text.slice(20));
      exchange.end();
      const { error, ...settled } = await turn.settled();
      expect(settled.status).toBe('failed');
      expect(error).toMatchObject({ code: 'http_status', status, retryable: true });
      expect(error?.message).toContain(message);
    });
  });

  describe(`a turn of ${dialect.name} with an idle timeout`, () => {
    test('counts bytes that are no event as life', async () => {
      const { turn, exchange } = await converse(server, laws.byFetch, dialect, { idleTimeout: 1000 });
      await exchange.send(beginning);
      for (let count = 0; count < 8; count += 1) {
        await pause(200);
        await exchange.send(laws.keepAlive[count % laws.keepAlive.length] ?? '');
      }
      await exchange.send(rest);
      exchange.end();
      await expect(turn.finalTurn()).resolves.toMatchObject({ ...whole, warnings: [] });
    });
  });
}
