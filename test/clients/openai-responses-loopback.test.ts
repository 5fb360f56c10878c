import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assembleTurn, type JsonObject, type Turn } from '../../src/index.ts';
import { continueResponse, type ResponsesEntry, responses, toolOutputs } from '../../src/responses.ts';
import { converse, describeConnections } from './connection-laws.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';
import {
  added,
  argumentTexts,
  beginning,
  itemAdded,
  itemDone,
  message,
  responseEvent,
  rest,
  restOfItems,
  sse,
  textDelta,
  toolItems,
  toolTurn,
  whole,
} from './openai-responses-answer.ts';
import {
  asLoopbackClient,
  bodyOf,
  question,
  type ResponsesClient,
  type ResponsesRequest,
  responsesClients,
} from './openai-responses-clients.ts';

let server: LoopbackServer;

beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

describeConnections({
  dialect: responses,
  clients: responsesClients.map(asLoopbackClient),
  beginning,
  rest,
  whole,
});

describe.each(responsesClients)('assembleTurn of responses, over $name', (client) => {
  test.each<[string, JsonObject, JsonObject, string | null]>([
    [
      'an error in an object',
      { type: 'error', error: { type: 'server_error', code: null, message: 'Busy', param: null } },
      { type: 'server_error', retryable: true },
      null,
    ],
    [
      'a flat error',
      { type: 'error', code: 'rate_limit_exceeded', message: 'Busy', param: null },
      { type: 'rate_limit_exceeded', retryable: true },
      null,
    ],
    [
      'a response that failed',
      responseEvent('failed', { error: { code: 'server_error', message: 'Busy' } }),
      { type: 'server_error', retryable: true },
      null,
    ],
    [
      'a response that failed by what was asked for',
      responseEvent('failed', { error: { code: 'image_content_policy_violation', message: 'Busy' } }),
      { type: 'image_content_policy_violation', retryable: false },
      null,
    ],
  ])('fails with %s, and closes the connection', async (_shape, wire, expected, stopReason) => {
    const { turn, exchange } = await converse(server, client, responses);
    await exchange.send(beginning + sse(wire));
    const { error, ...settled } = await turn.settled();
    expect(settled).toMatchObject({
      status: 'failed',
      stopReason,
      entries: [],
      toolCalls: [],
      carry: {},
      blocks: [{ state: 'finished' }, { state: 'cut', text: 'Hel' }],
    });
    expect(error).toMatchObject({ code: 'provider_error', said: 'Busy', ...expected });
    await exchange.closed;
  });

  test.each([
    ['response.completed', rest, 'completed'],
    [
      'response.incomplete',
      restOfItems + sse(responseEvent('incomplete', { incomplete_details: { reason: 'max_output_tokens' } })),
      'max_output_tokens',
    ],
  ])('settles with %s though the socket stays open, and closes it', async (_event, end, stopReason) => {
    const { turn, exchange } = await converse(server, client, responses);
    await exchange.send(beginning + end);
    await expect(turn.finalTurn()).resolves.toMatchObject({ ...whole, stopReason });
    await exchange.closed;
  });

  test('stays complete when the socket is cut after response.completed', async () => {
    const { turn, exchange } = await converse(server, client, responses);
    await exchange.send(beginning + rest);
    exchange.cut();
    await expect(turn.finalTurn()).resolves.toMatchObject(whole);
  });

  test('is truncated when the answer ends before a terminal event, all items done', async () => {
    const { turn, exchange } = await converse(server, client, responses);
    await exchange.send(beginning + restOfItems);
    exchange.end();
    await expect(turn.settled()).resolves.toMatchObject({ status: 'truncated', entries: [], carry: {} });
  });

  test('goes by the place of an item where every event has another id', async () => {
    const { turn, exchange } = await converse(server, client, responses);
    await exchange.send(sse(...rotating()));
    const { entries, blocks, warnings } = await turn.finalTurn();
    expect(entries).toEqual([message('Hello', { id: 'done' })]);
    expect(blocks).toMatchObject([{ text: 'Hello', state: 'finished' }]);
    expect(warnings).toEqual([]);
  });

  test('keeps two turns apart that stream at once', async () => {
    const one = await converse(server, client, responses);
    const other = await converse(server, client, responses);
    await one.exchange.send(beginning);
    await other.exchange.send(beginning);
    await other.exchange.send(sse(textDelta(1, 'p'), itemDone(1, message('Help')), responseEvent('completed')));
    await one.exchange.send(rest);
    await expect(one.turn.finalTurn()).resolves.toMatchObject(whole);
    await expect(other.turn.finalTurn()).resolves.toMatchObject({ entries: [{}, { content: [{ text: 'Help' }] }] });
  });

  test.each<[string, (turn: ToolTurn) => ResponsesRequest, string]>([
    [
      'by its id',
      ({ assembled, outputs }) => continueResponse(assembled, outputs),
      `"previous_response_id":"resp_1","input":[${toolOutputTexts}]`,
    ],
    [
      'with all that was said',
      ({ assembled, outputs }) => continueResponse(assembled, outputs, { history: [question] }),
      `"input":[${JSON.stringify(question)},${toolItems},${toolOutputTexts}]`,
    ],
  ])('goes on from a turn with two calls %s', async (_way, goOn, members) => {
    const first = await answerWith(client, {}, toolTurn);
    const assembled = await first.turn.finalTurn();
    expect(first.body).toBe(client.write(bodyOf({})));
    expect(assembled.toolCalls.map(({ id, inputText }) => [id, inputText])).toEqual([
      ['call_a', argumentTexts[0]],
      ['call_b', argumentTexts[1]],
    ]);
    const results = assembled.toolCalls.map(({ id }) => ({ id, content: { sky: 'fog', depth: 1 } })).reverse();
    const request = goOn({ assembled, outputs: toolOutputs(assembled, results) });

    const second = await answerWith(client, request, beginning + rest);
    const { entries } = await second.turn.finalTurn();
    expect(second.body).toBe(`{"model":"gpt-local","stream":true,${members}}`);
    expect(second.body).toBe(client.write(bodyOf(request)));
    expect(entries).toMatchObject([{ type: 'reasoning' }, { type: 'message' }]);
  });
});

/** A turn with two calls, and what came of them. */
interface ToolTurn {
  readonly assembled: Awaited<ReturnType<Turn<ResponsesEntry>['finalTurn']>>;
  readonly outputs: ReturnType<typeof toolOutputs>;
}

const toolOutputTexts = [
  '{"type":"function_call_output","call_id":"call_a","output":"{\\"sky\\":\\"fog\\",\\"depth\\":1}"}',
  '{"type":"function_call_output","call_id":"call_b","output":"{\\"sky\\":\\"fog\\",\\"depth\\":1}"}',
].join(',');

/** Makes a request, and gives the whole answer to it. */
async function answerWith(
  client: ResponsesClient,
  request: ResponsesRequest,
  answer: string,
): Promise<{ readonly turn: Turn<ResponsesEntry>; readonly body: string }> {
  const turn = assembleTurn(client.open(server.url, request), responses);
  const exchange = await server.nextExchange();
  exchange.head();
  await exchange.send(answer);
  return { turn, body: exchange.body };
}

/** The events of a gateway that gives every event ids of its own. */
function rotating(): JsonObject[] {
  const item = message('Hello', { id: 'done' });
  return [
    responseEvent('created', { id: 'resp_a' }),
    responseEvent('in_progress', { id: 'resp_b' }),
    itemAdded(0, { ...item, id: 'added', status: 'in_progress', content: [] }),
    added(0, 'output_text.delta', { item_id: 'one', content_index: 0, delta: 'Hel' }),
    added(0, 'output_text.delta', { item_id: 'two', content_index: 0, delta: 'lo' }),
    added(0, 'output_text.done', { item_id: 'three', content_index: 0, text: 'Hello' }),
    itemDone(0, item),
    responseEvent('completed', { id: 'resp_c', output: [{ ...item, id: 'terminal' }] }),
  ];
}
