import { setTimeout as pause } from 'node:timers/promises';
import type { Content } from '@google/genai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { functionResponses, type GeminiEntry, gemini } from '../../src/gemini.ts';
import { assembleTurn, type JsonObject, type Turn } from '../../src/index.ts';
import { chunk, sse } from '../dialects/gemini/wire-chunks.ts';
import { converse, describeConnections, untilText } from './connection-laws.ts';
import { argumentTexts, beginning, rawChunk, rest, signatures, toolContent, toolTurn, whole } from './gemini-answer.ts';
import {
  asLoopbackClient,
  byFetch,
  bySdkChunks,
  type GeminiClient,
  geminiClients,
  question,
  sdkStream,
} from './gemini-clients.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';

let server: LoopbackServer;

beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

describeConnections({ dialect: gemini, clients: geminiClients.map(asLoopbackClient), beginning, rest, whole });

describe.each(geminiClients)('assembleTurn of gemini, over $name', (client) => {
  test.each<[string, string, JsonObject]>([
    [
      'an error event',
      sse({ error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } }),
      { type: 'UNAVAILABLE', retryable: true },
    ],
    [
      'an error event that another try does not mend',
      sse({ error: { code: 400, message: 'Busy', status: 'INVALID_ARGUMENT' } }),
      { type: 'INVALID_ARGUMENT', retryable: false },
    ],
    [
      'an error that is no event',
      '{\n  "error": {\n    "code": 500,\n    "message": "Busy",\n    "status": "INTERNAL"\n  }\n}\n',
      { type: 'INTERNAL', retryable: true },
    ],
  ])('fails with %s, and closes the connection', async (_shape, wire, expected) => {
    const { turn, exchange } = await converse(server, client, gemini);
    await exchange.send(beginning);
    await untilText(turn);
    await exchange.send(wire);
    // What is no event is known at the end of the bytes.
    if (!wire.startsWith('data:')) exchange.end();
    const { error, ...settled } = await turn.settled();
    expect(settled).toMatchObject({ status: 'failed', entries: [], toolCalls: [] });
    expect(settled.blocks).toMatchObject([{ state: 'finished' }, { state: 'cut', text: 'Hel' }]);
    expect(error).toMatchObject({ code: 'provider_error', said: 'Busy', ...expected });
    expect(error).toHaveProperty('wire.error.message', 'Busy');
    await exchange.closed;
  });

  test('is complete only when the bytes end, whatever the finish reason says', async () => {
    const { turn, exchange, seen } = await converse(server, client, gemini);
    await exchange.send(beginning + rest);
    await untilText(turn);
    await exchange.send(sse(chunk([{ text: '!' }], { finishReason: 'STOP' })));
    expect(seen.map(({ type }) => type)).not.toContain('turn_stop');
    exchange.end();
    await expect(turn.finalTurn()).resolves.toMatchObject({ entries: [{ parts: [{}, { text: 'Hello!' }] }] });
  });

  test('fails when the socket is cut, even after a finish reason', async () => {
    const { turn, exchange } = await converse(server, client, gemini);
    await exchange.send(beginning + rest);
    await untilText(turn);
    exchange.cut();
    await expect(turn.settled()).resolves.toMatchObject({
      status: 'failed',
      error: { code: 'transport' },
      entries: [],
    });
  });

  test('is truncated when the answer ends without a finish reason', async () => {
    const { turn, exchange } = await converse(server, client, gemini);
    await exchange.send(beginning);
    exchange.end();
    await expect(turn.settled()).resolves.toMatchObject({ status: 'truncated', entries: [] });
  });

  test('is complete when the prompt was refused', async () => {
    const { turn, exchange } = await converse(server, client, gemini);
    await exchange.send(sse({ promptFeedback: { blockReason: 'SAFETY' }, responseId: 'resp_1' }));
    exchange.end();
    await expect(turn.finalTurn()).resolves.toMatchObject({ stopReason: 'SAFETY', entries: [], blocks: [] });
  });

  test('keeps two turns apart that stream at once', async () => {
    const one = await converse(server, client, gemini);
    const other = await converse(server, client, gemini);
    await one.exchange.send(beginning);
    await other.exchange.send(beginning);
    await one.exchange.send(rest);
    await other.exchange.send(sse(chunk([{ text: 'p' }], { finishReason: 'STOP' })));
    one.exchange.end();
    other.exchange.end();
    await expect(one.turn.finalTurn()).resolves.toMatchObject(whole);
    await expect(other.turn.finalTurn()).resolves.toMatchObject({ entries: [{ parts: [{}, { text: 'Help' }] }] });
  });

  test('takes the signatures of two calls back to the service, byte for byte', async () => {
    const { body } = await talk(client);
    for (const signature of signatures) expect(body.split(`"thoughtSignature":"${signature}"`)).toHaveLength(2);
    expect(JSON.parse(body).contents).toEqual([question, JSON.parse(toolContent), JSON.parse(responses)]);
  });
});

describe('the second request of a conversation', () => {
  test('holds over fetch the very text of the turn', async () => {
    const { body } = await talk(byFetch);
    expect(body).toBe(`{"contents":[${JSON.stringify(question)},${toolContent},${responses}]}`);
  });

  test('holds over the SDK the same parts, their members in its own order and the args written anew', async () => {
    const { body } = await talk(bySdkChunks);
    const [ofText, ofCall, ofTail] = signatures;
    const parts = [
      '{"text":"Two places.","thought":true}',
      `{"text":"Looking.","thoughtSignature":"${ofText}"}`,
      '{"functionCall":{"args":{"port":"Brest","id":12345678901234567000},"id":"call_a","name":"look"},' +
        `"thoughtSignature":"${ofCall}"}`,
      '{"functionCall":{"args":{"port":"Cork","depth":1},"name":"look"}}',
      `{"text":"","thoughtSignature":"${ofTail}"}`,
    ];
    expect(body).toBe(
      `{"contents":[{"parts":[{"text":"What do you see?"}],"role":"user"},{"parts":[${parts.join(',')}],"role":"model"},` +
        `{"parts":${partsOf(responses)},"role":"user"}],"generationConfig":{}}`,
    );
  });

  test('has over the SDK no member of a part that the SDK does not know', async () => {
    const part = '{"futurePart":{"a":1},"thoughtSignature":"c2ln","partMetadata":{"b":2},"newFlag":true}';
    const answer = rawChunk(`${part},{"text":"ok"}`, 'STOP');
    const bodyOver = async (client: GeminiClient): Promise<string> => {
      const { entries } = await (await ask(client, [question], answer)).turn.finalTurn();
      return (await ask(client, [question, ...entries, question], beginning + rest)).body;
    };
    expect(await bodyOver(byFetch)).toContain(`{"role":"model","parts":[${part},{"text":"ok"}]}`);
    expect(await bodyOver(bySdkChunks)).toContain(
      '{"parts":[{"thoughtSignature":"c2ln","partMetadata":{"b":2}},{"text":"ok"}],"role":"model"}',
    );
  });

  test('may hold a call that came in pieces, which the SDK would refuse as such', async () => {
    const pieces =
      rawChunk('{"functionCall":{"name":"look","willContinue":true},"thoughtSignature":"c2ln"}') +
      rawChunk(
        '{"functionCall":{"partialArgs":[{"jsonPath":"$.port","stringValue":"Bre","willContinue":true}],"willContinue":true}}',
      ) +
      rawChunk('{"functionCall":{"partialArgs":[{"jsonPath":"$.port","stringValue":"st"}],"willContinue":true}}') +
      rawChunk('{"functionCall":{}}', 'STOP');
    const first = await (await ask(bySdkChunks, [question], pieces)).turn.finalTurn();
    const answers = functionResponses(first, [{ id: first.toolCalls[0]?.id ?? '', content: 'fog' }]);
    const { body } = await ask(bySdkChunks, [question, ...first.entries, answers], beginning + rest);
    expect(body).toContain(
      '{"parts":[{"functionCall":{"args":{"port":"Brest"},"name":"look"},"thoughtSignature":"c2ln"}],"role":"model"}',
    );
    const inPieces: Content = { role: 'model', parts: [{ functionCall: { name: 'look', willContinue: true } }] };
    await expect(sdkStream(server.url, { contents: [question, inPieces] })).rejects.toThrow(/willContinue/);
  });
});

describe('the stream of the SDK of Google without a signal', () => {
  test('is aborted as a turn, but the connection stays open', async () => {
    const turn = assembleTurn(sdkStream(server.url, {}), gemini);
    const exchange = await server.nextExchange();
    exchange.head();
    await exchange.send(beginning);
    await untilText(turn);
    turn.abort();
    await expect(turn.settled()).resolves.toMatchObject({ status: 'aborted', entries: [] });
    const isClosed = exchange.closed.then(() => true);
    await expect(Promise.race([isClosed, pause(200, false)])).resolves.toBe(false);
    exchange.end();
    await exchange.closed;
  });

  test('makes the same turn', async () => {
    const turn = assembleTurn(sdkStream(server.url, {}), gemini);
    const exchange = await server.nextExchange();
    expect(exchange.body).toBe('{"contents":[{"parts":[{"text":"What do you see?"}],"role":"user"}]}');
    exchange.head();
    await exchange.send(beginning + rest);
    exchange.end();
    await expect(turn.finalTurn()).resolves.toMatchObject(whole);
  });
});

/** The content that answers the calls of `toolTurn`. */
const responses =
  '{"role":"user","parts":[{"functionResponse":{"id":"call_a","name":"look","response":{"sky":"fog"}}},' +
  '{"functionResponse":{"name":"look","response":{"output":"clear"}}}]}';

function partsOf(content: string): string {
  return JSON.stringify(JSON.parse(content).parts);
}

/** Has a turn with two calls, answers them, and gives the body of the second request. */
async function talk(client: GeminiClient): Promise<{ readonly body: string }> {
  const first = await (await ask(client, [question], toolTurn)).turn.finalTurn();
  expect(first.toolCalls.map(({ input }) => input)).toEqual(argumentTexts.map((text) => JSON.parse(text)));
  const [a, b] = first.toolCalls.map(({ id }) => id);
  expect(a).toBe('call_a');
  const answers = functionResponses(first, [
    { id: b ?? '', content: 'clear' },
    { id: a ?? '', content: { sky: 'fog' } },
  ]);
  const second = await ask(client, [question, ...first.entries, answers], beginning + rest);
  await expect(second.turn.finalTurn()).resolves.toMatchObject(whole);
  return second;
}

/** Makes a request, and gives the whole answer to it. */
async function ask(
  client: GeminiClient,
  contents: readonly Content[],
  answer: string,
): Promise<{ readonly turn: Turn<GeminiEntry>; readonly body: string }> {
  const turn = assembleTurn(client.open(server.url, { contents }), gemini);
  const exchange = await server.nextExchange();
  exchange.head();
  await exchange.send(answer);
  exchange.end();
  return { turn, body: exchange.body };
}
