import { filter, firstValueFrom } from 'rxjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AssembleTurnOptions,
  assembleTurn,
  type Dialect,
  type Turn,
  TurnInterruptedError,
  type TurnSource,
  type TurnStatus,
  type UiEvent,
} from '../../src/index.ts';
import { type Exchange, type LoopbackServer, startLoopbackServer } from './loopback-server.ts';

/** One way to make a request, and to hand its answer to `assembleTurn`. */
export interface LoopbackClient {
  readonly name: string;
  /**
   * Makes the request.
   *
   * @param url Where the server is.
   * @param signal Aborts the request.
   */
  open(url: string, signal?: AbortSignal): TurnSource;
  /** How a turn ends whose bytes end in the middle of an event; truncated, unless an SDK makes a failure of it. */
  readonly halfEvent?: TurnStatus | undefined;
}

/** A turn that is streaming, and its server's side. */
export interface Conversation<Entry> {
  readonly turn: Turn<Entry>;
  readonly exchange: Exchange;
  /** What a person has seen so far. */
  readonly seen: readonly UiEvent[];
}

/** An answer of one dialect: reasoning, then the text `Hello`, that comes in two halves. */
export interface ConnectionLaws<Entry> {
  readonly dialect: Dialect<Entry>;
  readonly clients: readonly LoopbackClient[];
  /** The first half, up to `Hel`. */
  readonly beginning: string;
  /** The second half. */
  readonly rest: string;
  /** What the turn of both halves matches. */
  readonly whole: object;
}

/** Has the server begin its answer to a request. */
export async function converse<Entry>(
  server: LoopbackServer,
  client: { open(url: string): TurnSource },
  dialect: Dialect<Entry>,
  options?: AssembleTurnOptions,
): Promise<Conversation<Entry>> {
  const turn = assembleTurn(client.open(server.url), dialect, options);
  const seen: UiEvent[] = [];
  turn.ui.subscribe((event) => seen.push(event));
  const exchange = await server.nextExchange();
  exchange.head();
  return { turn, exchange, seen };
}

/** Settles when the turn has shown some text. */
export async function untilText({ ui }: Turn): Promise<void> {
  await firstValueFrom(ui.pipe(filter(({ type }) => type === 'text_delta')));
}

/** How a turn and its connection end together, in any dialect and over any client. */
export function describeConnections<Entry>({ dialect, clients, beginning, rest, whole }: ConnectionLaws<Entry>): void {
  let server: LoopbackServer;

  beforeAll(async () => {
    server = await startLoopbackServer();
  });
  afterAll(() => server.close());

  describe.each(clients)(`the connection of a turn of ${dialect.name}, over $name`, (client) => {
    const { halfEvent = 'truncated' } = client;
    const begin = (options?: AssembleTurnOptions): Promise<Conversation<Entry>> =>
      converse(server, client, dialect, options);
    const cutBlocks = [{ state: 'finished' }, { state: 'cut', text: 'Hel' }];

    test('is closed at once when the turn is aborted while idle', async () => {
      const { turn, exchange, seen } = await begin();
      await exchange.send(beginning);
      await untilText(turn);
      turn.abort(new Error('stop button'));
      const count = seen.length;
      await exchange.closed;
      await exchange.send(rest);
      await expect(turn.settled()).resolves.toMatchObject({ status: 'aborted', entries: [], blocks: cutBlocks });
      expect(seen).toHaveLength(count);
      await expect(turn.finalTurn()).rejects.toMatchObject({
        code: 'turn_interrupted',
        cause: { message: 'stop button' },
      });
    });

    test('is closed when the answer comes after the abort', async () => {
      const turn = assembleTurn(client.open(server.url), dialect);
      const exchange = await server.nextExchange();
      turn.abort();
      await expect(turn.settled()).resolves.toMatchObject({ status: 'aborted', blocks: [] });
      exchange.head();
      await exchange.send(beginning);
      await exchange.closed;
      await expect(turn.settled()).resolves.toMatchObject({ status: 'aborted', blocks: [] });
    });

    test('is closed before any answer when the request has the same signal', async () => {
      const controller = new AbortController();
      const { signal } = controller;
      const turn = assembleTurn(client.open(server.url, signal), dialect, { signal });
      const exchange = await server.nextExchange();
      controller.abort();
      await exchange.closed;
      await expect(turn.settled()).resolves.toMatchObject({ status: 'aborted', blocks: [] });
    });

    test('is closed by the signal of the turn while the answer streams', async () => {
      const controller = new AbortController();
      const { turn, exchange } = await begin({ signal: controller.signal });
      await exchange.send(beginning);
      await untilText(turn);
      controller.abort('navigated away');
      await exchange.closed;
      const failure: unknown = await turn.finalTurn().catch((cause: unknown) => cause);
      expect(failure).toBeInstanceOf(TurnInterruptedError);
      expect(failure).toMatchObject({ cause: 'navigated away', turn: { status: 'aborted' } });
    });

    test('aborts the turn by the signal of the request alone', async () => {
      const controller = new AbortController();
      const turn = assembleTurn(client.open(server.url, controller.signal), dialect);
      const exchange = await server.nextExchange();
      exchange.head();
      await exchange.send(beginning);
      await untilText(turn);
      controller.abort();
      await expect(turn.settled()).resolves.toMatchObject({ status: 'aborted', entries: [] });
    });

    test('fails the turn when nobody answers, and may be tried again', async () => {
      const gone = await startLoopbackServer();
      await gone.close();
      await expect(assembleTurn(client.open(gone.url), dialect).settled()).resolves.toMatchObject({
        status: 'failed',
        error: { code: 'transport', retryable: true },
      });
    });

    test('stays open when a loop over the turn breaks', async () => {
      const { turn, exchange } = await begin();
      await exchange.send(beginning);
      for await (const event of turn) if (event.type === 'text_delta') break;
      await exchange.send(rest);
      exchange.end();
      await expect(turn.finalTurn()).resolves.toMatchObject(whole);
    });

    test('fails the turn, with what came, when it is cut in the middle of an event', async () => {
      const { turn, exchange } = await begin();
      await exchange.send(beginning + rest.slice(0, 40));
      await untilText(turn);
      exchange.cut();
      await expect(turn.settled()).resolves.toMatchObject({
        status: 'failed',
        error: { code: 'transport', retryable: true },
        entries: [],
        toolCalls: [],
        blocks: cutBlocks,
      });
    });

    test(`leaves the turn ${halfEvent} when it ends in the middle of an event`, async () => {
      const { turn, exchange } = await begin();
      await exchange.send(beginning + rest.slice(0, 40));
      exchange.end();
      await expect(turn.settled()).resolves.toMatchObject({ status: halfEvent, entries: [] });
    });

    test('is not left behind by any of 50 turns, aborted or ended', async () => {
      const before = server.openSockets;
      for (let count = 0; count < 50; count += 1) {
        const isAborted = count % 2 === 0;
        const { turn, exchange } = await begin();
        await exchange.send(isAborted ? beginning : beginning + rest);
        await untilText(turn);
        if (isAborted) turn.abort();
        else exchange.end();
        await expect(turn.settled()).resolves.toMatchObject({ status: isAborted ? 'aborted' : 'complete' });
        await exchange.closed;
      }
      // One is kept for the next request.
      expect(server.openSockets).toBeLessThanOrEqual(before + 1);
    });
  });
}
