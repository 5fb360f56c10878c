import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import { chatCompletions } from '../../src/chat-completions.ts';
import { responses } from '../../src/responses.ts';
import { strictProvider } from '../../src/testing.ts';
import { usualScript as script } from './converse.ts';

const secret = 'accumulators';
const quiet = { apiKey: 'none', maxRetries: 0, logLevel: 'off' } as const;
const inputs = [
  { city: 'Harlow', radius: 1 },
  { city: 'Harlow', days: 2 },
];

describe('the helpers of the official clients put the answers together as they were scripted', () => {
  test('Anthropic', async () => {
    const client = new Anthropic({ ...quiet, fetch: strictProvider(anthropic, { secret, script, chunking: 11 }) });
    const stream = client.messages.stream({
      model: 'claude-opus-5-5',
      max_tokens: 4096,
      messages: [{ role: 'user', content: 'How do I get to Harlow?' }],
    });
    const { content, stop_reason } = await stream.finalMessage();
    expect(stop_reason).toBe('tool_use');
    expect(content.map(({ type }) => type)).toEqual([
      'thinking',
      'redacted_thinking',
      'text',
      'tool_use',
      'thinking',
      'tool_use',
    ]);
    expect(content[0]).toMatchObject({ thinking: 'Both the weather and the tides decide this.' });
    expect(content.flatMap((block) => (block.type === 'tool_use' ? [block.input] : []))).toEqual(inputs);
  });

  test('chat completions', async () => {
    const client = new OpenAI({ ...quiet, fetch: strictProvider(chatCompletions, { secret, script, chunking: 11 }) });
    const stream = client.chat.completions.stream({
      model: 'deepseek/deepseek-v4',
      messages: [{ role: 'user', content: 'How do I get to Harlow?' }],
    });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: 'I will look. ' } });
    const calls = choices[0]?.message.tool_calls?.map((call) => call.type === 'function' && call.function.arguments);
    expect(calls?.map((text) => JSON.parse(String(text)) as unknown)).toEqual(inputs);
  });

  test('Responses', async () => {
    const provider = strictProvider(responses, { secret, script, chunking: 11 });
    const client = new OpenAI({ ...quiet, fetch: provider });
    const stream = client.responses.stream({ model: 'gpt-6', input: 'How do I get to Harlow?' });
    const { output, status } = await stream.finalResponse();
    expect(status).toBe('completed');
    expect(output.map(({ type }) => type)).toEqual([
      'reasoning',
      'reasoning',
      'message',
      'function_call',
      'reasoning',
      'function_call',
    ]);
    const calls = output.flatMap((item) => (item.type === 'function_call' ? [item.arguments] : []));
    expect(calls.map((text) => JSON.parse(text) as unknown)).toEqual(inputs);
  });
});

describe('responses that the service keeps', () => {
  const settings = { model: 'gpt-6', stream: true } as const;
  const question: OpenAI.Responses.ResponseInputItem = { role: 'user', content: 'How do I get to Harlow?' };

  async function outputOf(client: OpenAI, input: OpenAI.Responses.ResponseInput): Promise<OpenAI.Responses.Response> {
    for await (const event of await client.responses.create({ ...settings, input })) {
      if (event.type === 'response.completed') return event.response;
    }
    throw new Error('The response was not completed');
  }

  /** Asks once, and again with what came: reasoning has an id there, and no ciphertext. */
  async function again(change: (output: OpenAI.Responses.ResponseInput) => void): Promise<OpenAI.Responses.Response> {
    const client = new OpenAI({ ...quiet, fetch: strictProvider(responses, { secret, script }) });
    const { output } = await outputOf(client, [question]);
    const results = output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: 'fine' }]
        : [],
    );
    const items = output as OpenAI.Responses.ResponseInput;
    change(items);
    return outputOf(client, [question, ...items, ...results]);
  }

  test('are known by the ids of their items', async () => {
    await expect(again(() => undefined)).resolves.toMatchObject({ status: 'completed' });
  });

  test('and by no id that was never given', async () => {
    await expect(again((output) => Object.assign(output[0] ?? {}, { id: 'rs_unknown' }))).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining("Item with id 'rs_unknown' not found."),
    });
  });

  test('and not with a member that the helper of the client adds', async () => {
    const adds = again((output) => Object.assign(Object(output[2]).content[0], { parsed: null }));
    await expect(adds).rejects.toMatchObject({ status: 400, message: expect.stringContaining('parsed') });
  });

  test('cannot be gone on with by their own', async () => {
    const client = new OpenAI({ ...quiet, fetch: strictProvider(responses, { secret, script }) });
    const asked = client.responses.create({ ...settings, input: [question], previous_response_id: 'resp_1' });
    await expect(asked).rejects.toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
    });
  });
});

test('a gateway serves no model whose sealed reasoning it does not write', async () => {
  const client = new OpenAI({ ...quiet, fetch: strictProvider(chatCompletions, { secret, script }) });
  const messages = [{ role: 'user' as const, content: 'How do I get to Harlow?' }];
  const asked = client.chat.completions.create({ model: 'openai/gpt-6', stream: true, messages });
  await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining('not a valid model ID') });
});
