import { request as httpRequest } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { createAnthropicService } from '../../demo/anthropic/service.ts';
import { createProvider, type Provider, type ProviderOptions, type RequestReport } from '../../demo/provider.ts';
import { script } from '../../demo/script.ts';

const started: Provider[] = [];
const question: Anthropic.MessageParam = { role: 'user', content: 'Northern lights?' };

afterEach(async () => {
  await Promise.all(started.splice(0).map((provider) => provider.close()));
});

describe('createProvider', () => {
  test('answers the official client with the script', async () => {
    const { client } = await start();
    const message = await ask(client, [question]);
    expect(message.id).toBe('msg_demo_01');
    expect(message.model).toBe('claude-local');
    expect(message.stop_reason).toBe('tool_use');
    expect(message.content.map(({ type }) => type)).toEqual(script[0]?.blocks.map(({ type }) => type));
    expect(message.content[4]).toMatchObject({ input: { kp_at_least: 3, note: 'tonight, 🌌 or a 🌠' } });
  });

  test('refuses an input that the client parsed and wrote anew', async () => {
    const { client, reports } = await start();
    const { content } = await ask(client, [question]);
    await expect(ask(client, [question, { role: 'assistant', content }, results(content)])).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('messages.1.content.5: Invalid `signature` in `thinking` block.'),
    });
    expect(reports[1]?.blocks.map(({ match }) => match === 'equal')).toEqual([
      true,
      true,
      true,
      true,
      false,
      true,
      false,
    ]);
  });

  test('refuses the tool calls alone with the error shape of the provider', async () => {
    const { client } = await start();
    const { content } = await ask(client, [question]);
    const calls = content.filter(({ type }) => type === 'tool_use');
    const refused = ask(client, [question, { role: 'assistant', content: calls }, results(content)]);
    const error: unknown = await refused.catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(Anthropic.BadRequestError);
    expect(error).toMatchObject({
      requestID: 'req_demo_02',
      error: {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: expect.stringMatching(/^messages\.1\.content\.0\.type: Expected `thinking` or `redacted_thinking`/),
        },
        request_id: 'req_demo_02',
      },
    });
  });

  test.each([
    ['no key', { headers: { 'x-api-key': '' } }, 401, 'authentication_error', 'x-api-key header is required'],
    ['another method', { method: 'GET' }, 404, 'not_found_error', 'GET /v1/messages is not found'],
    ['another path', { path: '/v1/complete' }, 404, 'not_found_error', 'POST /v1/complete is not found'],
    [
      'no version',
      { headers: { 'anthropic-version': '' } },
      400,
      'invalid_request_error',
      'anthropic-version: header is required',
    ],
    [
      'a body that is no JSON',
      { body: '{"model"' },
      400,
      'invalid_request_error',
      'The request body is not valid JSON',
    ],
    ['a body that is no object', { body: '[]' }, 400, 'invalid_request_error', 'The request body is not valid JSON'],
    ['no model', { body: '{}' }, 400, 'invalid_request_error', 'model: Field required'],
    ['no messages', { body: '{"model":"m"}' }, 400, 'invalid_request_error', 'messages: Field required'],
    ['odd messages', { body: body('{}') }, 400, 'invalid_request_error', 'messages: Input should be a valid list'],
    [
      'empty messages',
      { body: body('[]') },
      400,
      'invalid_request_error',
      'messages: at least one message is required',
    ],
    [
      'an odd message',
      { body: body('[{"role":"user","content":"a"},{"role":"tool","content":"b"}]') },
      400,
      'invalid_request_error',
      'messages.1: Input should be a message with role and content',
    ],
    [
      'too long a body',
      { body: ' '.repeat(1024 * 1024 + 1) },
      413,
      'request_too_large',
      'Request exceeds the maximum size',
    ],
  ])('refuses %s', async (_, request, status, type, message) => {
    const { provider } = await start();
    const { method, path, headers, body }: Trial = { ...sound, ...request };
    const response = await fetch(`${provider.url}${path}`, {
      method,
      headers: { 'x-api-key': 'k', 'anthropic-version': '2026-10-21', ...headers },
      ...(body !== undefined && { body }),
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ type: 'error', error: { type, message }, request_id: 'req_demo_01' });
  });

  test('gives the last answer of the script to longer histories', async () => {
    const { client } = await start({ service: createAnthropicService(script.slice(1)) });
    const { content } = await ask(client, [question]);
    const more: Anthropic.MessageParam = { role: 'user', content: 'Sure?' };
    expect(await ask(client, [question, { role: 'assistant', content }, more])).toMatchObject({ id: 'msg_demo_02' });
  });

  test('closes while it answers, and leaves no connection', async () => {
    const { client, provider } = await start({ speed: 0.001 });
    const response = await client.messages.create({ ...params([question]), stream: true }).asResponse();
    await provider.close();
    await expect(response.text()).rejects.toThrow();
    await expect(fetch(provider.url)).rejects.toThrow();
  });

  test('serves the next client after one hung up in mid-answer', async () => {
    const { client, provider } = await start({ speed: 0.05 });
    await new Promise<void>((resolve, reject) => {
      const request = httpRequest(`${provider.url}/v1/messages`, { method: 'POST', headers: rawHeaders });
      request.once('error', reject);
      request.once('response', (response) => {
        response.once('close', resolve).once('error', () => undefined);
        response.destroy();
      });
      request.end(JSON.stringify({ ...params([question]), stream: true }));
    });
    const response = await client.messages.create({ ...params([question]), stream: true }).asResponse();
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });
});

interface Trial {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const sound: Trial = { method: 'POST', path: '/v1/messages' };
const rawHeaders = { 'x-api-key': 'k', 'anthropic-version': '2026-10-21', 'content-type': 'application/json' };

async function start(options: Partial<ProviderOptions> = {}) {
  const reports: RequestReport[] = [];
  const onRequest = (report: RequestReport): void => void reports.push(report);
  const provider = await createProvider({ service: createAnthropicService(), speed: 0, onRequest, ...options });
  started.push(provider);
  const client = new Anthropic({ baseURL: provider.url, apiKey: 'local', authToken: null, maxRetries: 0 });
  return { provider, client, reports };
}

function params(messages: Anthropic.MessageParam[]) {
  return { model: 'claude-local', max_tokens: 1024, messages };
}

function ask(client: Anthropic, messages: Anthropic.MessageParam[]): Promise<Anthropic.Message> {
  return client.messages.stream(params(messages)).finalMessage();
}

function results(content: readonly Anthropic.ContentBlock[]): Anthropic.MessageParam {
  const calls = content.filter((block) => block.type === 'tool_use');
  return { role: 'user', content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: '{}' })) };
}

function body(messages: string): string {
  return `{"model":"m","messages":${messages}}`;
}
