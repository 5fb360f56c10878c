import { HttpResponse } from 'msw';
import { APIError } from 'openai';
import { describe, expect, test } from 'vitest';
import { chatCompletions, toolMessages } from '../../src/chat-completions.ts';
import { assembleTurn, stringifyRequest } from '../../src/index.ts';
import { chunk, done, sse } from '../dialects/chat-completions/wire-chunks.ts';
import { eventStream, useMswProvider } from './msw-provider.ts';
import { toolMessage, toolTurn } from './openai-answer.ts';
import { bySdkChunks, clientsWithBytes, openaiClients, question } from './openai-clients.ts';

const host = 'http://provider.test/v1';
const { answerWith } = useMswProvider(`${host}/chat/completions`);

describe.each(openaiClients)('assembleTurn of chat completions, over $name', (client) => {
  test('takes the promise, and what it resolves to', async () => {
    answerWith(() => eventStream(toolTurn));
    for (const source of [client.open(host), await client.open(host)]) {
      const { entries, toolCalls, stopReason } = await assembleTurn(source, chatCompletions).finalTurn();
      expect(stringifyRequest(entries)).toBe(`[${toolMessage}]`);
      expect(stopReason).toBe('tool_calls');
      expect(toolCalls.map(({ id, inputText }) => [id, inputText])).toEqual([
        ['call_a', '{"port": "Br\\u0065st", "id": 12345678901234567890 }'],
        ['call_b', '{"port":"Cork","depth":1.0}'],
      ]);
    }
  });

  test.each([
    [401, 'invalid_request_error', 'Incorrect API key provided', false],
    [429, 'requests', 'Rate limit reached', true],
    [500, 'server_error', 'The server had an error', true],
  ])('fails with HttpStatusError for a status of %i', async (status, type, message, retryable) => {
    const headers = { 'retry-after': '7', 'x-request-id': 'req_local' };
    answerWith(() => HttpResponse.json({ error: { message, type, param: null, code: null } }, { status, headers }));
    const turn = await assembleTurn(client.open(host), chatCompletions).settled();
    expect(turn).toMatchObject({ status: 'failed', entries: [], toolCalls: [], blocks: [] });
    expect(turn.error).toMatchObject({ code: 'http_status', status, retryable, headers });
    expect(turn.error?.message).toContain(`${type}: ${message}`);
  });

  test('sends back in the second request what was streamed in the first', async () => {
    const answers = [toolTurn, sse(chunk({ role: 'assistant', content: 'Done.' }, 'stop')) + done];
    const bodies = answerWith(() => eventStream(answers.shift() ?? ''));
    const { entries, toolCalls } = await assembleTurn(client.open(host), chatCompletions).finalTurn();
    const results = toolMessages(
      toolCalls,
      toolCalls.map(({ id }) => ({ id, content: 'fog' })),
    );
    const second = client.open(host, { messages: [question, ...entries, ...results] });
    await expect(assembleTurn(second, chatCompletions).finalTurn()).resolves.toMatchObject({ stopReason: 'stop' });
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toContain(`${JSON.stringify(question)},${toolMessage},{"role":"tool","tool_call_id":"call_a"`);
  });
});

// Over the parsed chunks the SDK waits for the body to be cancelled, which under msw 2 never is: see the loopback tests.
describe.each(clientsWithBytes)('assembleTurn of chat completions, over $name, which has the bytes', (client) => {
  test('fails with ProviderError for an error chunk', async () => {
    const error = { error: { message: 'Upstream is gone', code: 502, metadata: { provider_name: 'Local' } } };
    answerWith(() => eventStream(sse(chunk({ role: 'assistant', content: 'kept' }), chunk({}, null, error))));
    const turn = await assembleTurn(client.open(host), chatCompletions).settled();
    expect(turn).toMatchObject({ status: 'failed', entries: [], blocks: [{ state: 'cut', text: 'kept' }] });
    expect(turn.error).toMatchObject({ code: 'provider_error', retryable: true, wire: error });
  });

  test('fails with NotEventStreamError for a JSON answer', async () => {
    answerWith(() => HttpResponse.json({ id: 'chatcmpl-1', object: 'chat.completion', choices: [] }));
    const { status, error } = await assembleTurn(client.open(host), chatCompletions).settled();
    expect(status).toBe('failed');
    expect(error).toMatchObject({ code: 'not_event_stream', contentType: 'application/json' });
    expect(error?.message).toContain('Was the request made with `stream: true`?');
  });
});

describe('assembleTurn of chat completions, over the chunks of the SDK', () => {
  test('keeps the error of the SDK as the cause', async () => {
    answerWith(() => HttpResponse.json({ error: { message: 'no', type: 'server_error' } }, { status: 500 }));
    const { error } = await assembleTurn(bySdkChunks.open(host), chatCompletions).settled();
    expect(error?.cause).toBeInstanceOf(APIError);
  });
});
