import { HttpResponse } from 'msw';
import { APIError } from 'openai';
import { describe, expect, test } from 'vitest';
import { assembleTurn, stringifyRequest } from '../../src/index.ts';
import { continueResponse, responses, toolOutputs } from '../../src/responses.ts';
import { eventStream, useMswProvider } from './msw-provider.ts';
import {
  answerOf,
  argumentTexts,
  beginning,
  frame,
  responseEvent,
  sse,
  toolItems,
  toolTurn,
  wholeOf,
} from './openai-responses-answer.ts';
import { bodyOf, bySdkEvents, clientsWithBytes, question, responsesClients } from './openai-responses-clients.ts';

const host = 'http://provider.test/v1';
const { answerWith } = useMswProvider(`${host}/responses`);

describe.each(responsesClients)('assembleTurn of responses, over $name', (client) => {
  test('takes the promise, and what it resolves to', async () => {
    const bodies = answerWith(() => eventStream(toolTurn));
    for (const source of [client.open(host), await client.open(host)]) {
      const { entries, toolCalls, stopReason, carry } = await assembleTurn(source, responses).finalTurn();
      expect(stringifyRequest(entries)).toBe(`[${toolItems}]`);
      expect([stopReason, carry]).toEqual(['completed', { previousResponseId: 'resp_1' }]);
      expect(toolCalls.map(({ inputText }) => inputText)).toEqual(argumentTexts);
    }
    expect(bodies).toEqual([client.write(bodyOf({})), client.write(bodyOf({}))]);
  });

  test.each([
    [400, 'invalid_request_error', "Item 'rs_1' of type 'reasoning' was provided without its required item", false],
    [401, 'invalid_request_error', 'Incorrect API key provided', false],
    [404, 'invalid_request_error', 'Previous response with id resp_1 not found', false],
    [429, 'requests', 'Rate limit reached', true],
    [500, 'server_error', 'The server had an error', true],
    [503, 'service_unavailable_error', 'Overloaded', true],
  ])('fails with HttpStatusError for a status of %i', async (status, type, message, retryable) => {
    const headers = { 'retry-after': '7', 'retry-after-ms': '6500', 'x-request-id': 'req_local' };
    const body = { error: { message, type, param: null, code: null } };
    const bodies = answerWith(() => HttpResponse.json(body, { status, headers }));
    const turn = await assembleTurn(client.open(host), responses).settled();
    expect(turn).toMatchObject({ status: 'failed', entries: [], toolCalls: [], blocks: [], carry: {} });
    expect(turn.error).toMatchObject({ code: 'http_status', status, retryable, headers });
    expect(turn.error?.message).toContain(`${type}: ${message}`);
    expect(bodies).toHaveLength(1);
  });

  test('sends back in the second request what was streamed in the first', async () => {
    const answers = [toolTurn, answerOf('Done.')];
    const bodies = answerWith(() => eventStream(answers.shift() ?? ''));
    const turn = await assembleTurn(client.open(host), responses).finalTurn();
    const outputs = toolOutputs(
      turn,
      turn.toolCalls.map(({ id }) => ({ id, content: 'fog' })),
    );
    const request = continueResponse(turn, outputs, { history: [question] });
    await expect(assembleTurn(client.open(host, request), responses).finalTurn()).resolves.toMatchObject(
      wholeOf('Done.'),
    );
    expect(bodies[1]).toContain(`"input":[${JSON.stringify(question)},${toolItems},{"type":"function_call_output"`);
    expect(bodies).toHaveLength(2);
  });
});

// Over the parsed events the SDK waits for the body to be cancelled, which under msw 2 never is: see the loopback tests.
describe.each(clientsWithBytes)('assembleTurn of responses, over $name, which has the bytes', (client) => {
  test('fails with ProviderError for an error event, and has it as it came', async () => {
    const error = { type: 'error', sequence_number: 0, error: { type: 'server_error', message: 'Busy', param: null } };
    answerWith(() => eventStream(beginning + sse(error)));
    const turn = await assembleTurn(client.open(host), responses).settled();
    expect(turn).toMatchObject({ status: 'failed', entries: [], blocks: [{ state: 'finished' }, { state: 'cut' }] });
    expect(turn.error).toMatchObject({ code: 'provider_error', type: 'server_error', retryable: true, wire: error });
  });

  test('fails with NotEventStreamError for a JSON answer', async () => {
    answerWith(() => HttpResponse.json({ id: 'resp_1', object: 'response', status: 'completed', output: [] }));
    const { status, error } = await assembleTurn(client.open(host), responses).settled();
    expect(status).toBe('failed');
    expect(error).toMatchObject({ code: 'not_event_stream', contentType: 'application/json' });
    expect(error?.message).toContain('Was the request made with `stream: true`?');
  });

  test('keeps the source text of an item that holds its input as an object', async () => {
    const item =
      '{"id":"sh_1", "type":"shell_call", "call_id":"call_1", "status":"completed", "action":{"commands":["ls"], "timeout_ms":1.0}}';
    const done = `{"type":"response.output_item.done","output_index":0,"item":${item}}`;
    answerWith(() => eventStream(frame('response.output_item.done', done) + sse(responseEvent('completed'))));
    const { entries, toolCalls } = await assembleTurn(client.open(host), responses).finalTurn();
    expect(toolCalls).toMatchObject([
      { id: 'call_1', name: 'shell', inputText: '{"commands":["ls"], "timeout_ms":1.0}' },
    ]);
    expect(stringifyRequest({ input: entries })).toBe(`{"input":[${item}]}`);
  });
});

describe('assembleTurn of responses, when the request is refused', () => {
  test.each(responsesClients)('has of a refusal the body, or what the SDK keeps of it, over $name', async (client) => {
    const error = { message: 'no', type: 'server_error', param: null, code: null };
    answerWith(() => HttpResponse.json({ error, request: 'req_local' }, { status: 500 }));
    const turn = await assembleTurn(client.open(host), responses).settled();
    const body = client.name === 'fetch' ? { error, request: 'req_local' } : error;
    expect(turn.error).toMatchObject({ code: 'http_status', body: JSON.stringify(body) });
  });

  test.each(responsesClients)('has the text of a refusal that is no JSON, over $name', async (client) => {
    answerWith(
      () => new Response('upstream connect error', { status: 502, headers: { 'content-type': 'text/plain' } }),
    );
    const { error } = await assembleTurn(client.open(host), responses).settled();
    expect(error).toMatchObject({ code: 'http_status', status: 502, retryable: true });
    expect(error?.message).toContain('upstream connect error');
  });
});

describe('assembleTurn of responses, over the events of the SDK', () => {
  test('keeps the error of the SDK as the cause', async () => {
    answerWith(() => HttpResponse.json({ error: { message: 'no', type: 'server_error' } }, { status: 500 }));
    const { error } = await assembleTurn(bySdkEvents.open(host), responses).settled();
    expect(error?.cause).toBeInstanceOf(APIError);
  });
});
