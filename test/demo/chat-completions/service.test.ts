import OpenAI from 'openai';
import { afterEach, describe, expect, test } from 'vitest';
import { createChatCompletionsService, messageOf } from '../../../demo/chat-completions/service.ts';
import { compareBlocks } from '../../../demo/compare.ts';
import { createProvider, type Provider } from '../../../demo/provider.ts';
import { script } from '../../../demo/script.ts';

type Json = Record<string, unknown>;

/** The first answer as it must come back. */
interface Answer extends Json {
  readonly reasoning: string;
  readonly reasoning_details: readonly Json[];
  readonly tool_calls: readonly { id: string; type: string; function: { name: string; arguments: string } }[];
}

const service = createChatCompletionsService();
const sent = service.answers.map(({ blocks }) => blocks);
const answer: Answer = JSON.parse(JSON.stringify(script[0] && messageOf(script[0])));
const { reasoning_details: details, tool_calls: calls, reasoning: _reasoning, ...silent } = answer;
const [first = {}, second = {}, sealed = {}, last = {}] = details;
const question = { role: 'user', content: 'Northern lights?' };
const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: '{}' }));
const [auroraResult = {}, cloudsResult = {}] = results;
const started: Provider[] = [];

const invalidSignature = 'Invalid `signature` in `thinking` block';
const missingThinking = 'The `thinking` block that preceded this one when it was created is missing from this request.';

afterEach(async () => {
  await Promise.all(started.splice(0).map((provider) => provider.close()));
});

describe('the gateway', () => {
  test('accepts an answer that comes back as it was', () => {
    expect(refusalOf(answer, ...results)).toBeNull();
  });

  test('accepts members in another order, and null for what is not there', () => {
    const { type, ...rest } = first;
    const reordered = { ...answer, refusal: null, reasoning_details: [{ ...rest, type }, ...details.slice(1)] };
    expect(refusalOf(reordered, ...results)).toBeNull();
  });

  test('accepts details without the string that mirrors them', () => {
    const { reasoning: _mirror, ...bare } = answer;
    expect(refusalOf(bare, ...results)).toBeNull();
  });

  test('accepts a content in parts, and a system message', () => {
    const system = { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] };
    expect(verify([system, question, answer, ...results])).toBeNull();
  });

  test.each<[string, readonly Json[], string, string?]>([
    [
      'in the fragments in which they came',
      details.flatMap(fragments),
      `messages.1.reasoning_details.0: ${invalidSignature}`,
    ],
    ['in another order', [second, first, sealed, last], `messages.1.reasoning_details.0: ${invalidSignature}`],
    ['without the first', details.slice(1), `messages.1.reasoning_details.0: ${invalidSignature}`, missingThinking],
    [
      'without the sealed one',
      [first, second, last],
      `messages.1.reasoning_details.2: ${invalidSignature}`,
      missingThinking,
    ],
    ['without the last', [first, second, sealed], 'Expected the `reasoning.text` block of the original response'],
    ['with one twice', [first, first, second, sealed, last], `messages.1.reasoning_details.1: ${invalidSignature}`],
    ['as an empty list', [], `messages.1.reasoning: ${invalidSignature}`],
    ['with one byte more', edited(1, { text: `${second['text']} ` }), 'messages.1.reasoning_details.1: `thinking` or'],
    ['with another format', edited(1, { format: 'unknown' }), 'messages.1.reasoning_details.1: `thinking` or'],
    ['with another index', edited(3, { index: 2 }), 'messages.1.reasoning_details.3: `thinking` or'],
    ['with an id', edited(0, { id: null }), 'messages.1.reasoning_details.0: `thinking` or'],
    ['with another signature', edited(0, { signature: 'A' }), `messages.1.reasoning_details.0: ${invalidSignature}`],
    ['with no signature', edited(0, { signature: undefined }), `messages.1.reasoning_details.0: ${invalidSignature}`],
    [
      'with other ciphertext',
      edited(2, { data: 'A' }),
      'messages.1.reasoning_details.2: Invalid `data` in `redacted_thinking` block',
    ],
    [
      'with no ciphertext',
      edited(2, { data: undefined }),
      'messages.1.reasoning_details.2.data: Invalid input: expected string, received undefined',
    ],
    [
      'with a summary instead of a text',
      edited(0, { type: 'reasoning.summary' }),
      'messages.1.reasoning_details.0.type: Expected `thinking` or `redacted_thinking`, but found `reasoning.summary`',
    ],
  ])('refuses details that come back %s', (_, changed, ...parts) => {
    const refusal = refusalOf({ ...answer, reasoning_details: changed }, ...results);
    for (const part of parts) expect(refusal).toContain(part ?? '');
  });

  test('refuses every swap, every gap and every repetition of the details', () => {
    const places = [...details.keys()];
    const lists = places.flatMap((one) => [
      details.toSpliced(one, 1),
      details.toSpliced(one, 0, details[one] ?? {}),
      ...places.slice(0, one).map((other) => details.with(one, details[other] ?? {}).with(other, details[one] ?? {})),
    ]);
    expect(lists).toHaveLength(4 + 4 + 6);
    for (const list of lists) expect(refusalOf({ ...answer, reasoning_details: list }, ...results)).not.toBeNull();
  });

  test('refuses an answer without its reasoning', () => {
    const expected = 'Expected `thinking` or `redacted_thinking`, but found';
    expect(refusalOf({ ...silent, tool_calls: calls }, ...results)).toContain(
      `messages.1.content.type: ${expected} \`text\``,
    );
    expect(refusalOf({ ...silent, content: null, tool_calls: calls }, ...results)).toContain(
      `messages.1.tool_calls.0.type: ${expected} \`tool_use\``,
    );
  });

  test('refuses the mirrored string alone: it is thinking that nobody signed', () => {
    const { reasoning_details: _details, ...unsigned } = answer;
    expect(refusalOf(unsigned, ...results)).toBe(`messages.1.reasoning: ${invalidSignature}`);
  });

  test('refuses a mirrored string that was changed', () => {
    expect(refusalOf({ ...answer, reasoning: 'Nothing decides this.' }, ...results)).toBe(
      'messages.1.reasoning: Expected the `reasoning` block of the original response, unchanged and in its place',
    );
  });

  test.each<[string, (text: string) => string]>([
    ['a number spelt otherwise', (text) => text.replace('1.0', '1')],
    ['another long number', (text) => text.replace('117', '116')],
    ['keys in another order', (text) => text.replace('"23":0.5,"22":1', '"22":1,"23":0.5')],
    ['a blank more', (text) => `${text} `],
    ['what JSON.parse and JSON.stringify make of it', (text) => JSON.stringify(JSON.parse(text))],
  ])('refuses arguments with %s', (_, change) => {
    const changed = calls.map((call) => ({
      ...call,
      function: { ...call.function, arguments: change(call.function.arguments) },
    }));
    const refusal = refusalOf({ ...answer, tool_calls: changed }, ...results);
    expect(refusal).toMatch(/^messages\.1\.tool_calls\.[01]: Expected the `function` block of the original response/);
  });

  test.each<[string, readonly Json[]]>([
    ['in another order', calls.toReversed()],
    ['with the index of the stream', calls.map((call, index) => ({ ...call, index }))],
    ['without a type', calls.map(({ id, function: called }) => ({ id, function: called }))],
  ])('refuses calls that come back %s', (_, changed) => {
    expect(refusalOf({ ...answer, tool_calls: changed }, ...results)).toContain(
      'messages.1.tool_calls.0: Expected the `function` block',
    );
  });

  test('refuses a changed content', () => {
    expect(refusalOf({ ...answer, content: `${answer['content']} ` }, ...results)).toContain(
      'messages.1.content: Expected the `content` block',
    );
  });

  test.each<[string, readonly Json[], string]>([
    ['missing', [question], 'No tool output found for function call toolu_demo_aurora.'],
    ['partly missing', [auroraResult], 'No tool output found for function call toolu_demo_clouds.'],
    [
      'interrupted',
      [auroraResult, question, cloudsResult],
      "messages.4: Messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
    ],
    ['repeated', [...results, auroraResult], 'messages.4: each tool_use must have a single result.'],
    [
      'of other calls',
      [...results, { ...auroraResult, tool_call_id: 'toolu_other' }],
      'messages.4: unexpected `tool_use_id` found in `tool_result` blocks: toolu_other.',
    ],
  ])('refuses results that are %s', (_, messages, sentence) => {
    expect(refusalOf(answer, ...messages)).toContain(sentence);
  });

  test('refuses results that come after the next answer', () => {
    const [aurora, clouds] = calls.map((call) => ({ role: 'assistant', content: null, tool_calls: [call] }));
    const both = { role: 'assistant', content: null, tool_calls: calls };
    expect(verify([question, both, auroraResult, clouds ?? {}, cloudsResult], [])).toBe(
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_demo_clouds. ' +
        'Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    );
    expect(verify([question, aurora ?? {}, auroraResult, clouds ?? {}, cloudsResult], [])).toBeNull();
  });

  test('refuses a history that ends with an answer', () => {
    expect(verify([question, { role: 'assistant', content: 'Hm' }], [])).toContain('assistant message prefill');
  });

  test('names each part by its place in the request, and what is missing', () => {
    const messages = service.readMessages(
      [question, { ...silent, tool_calls: calls }].map((part) => JSON.stringify(part)),
    );
    expect(compareBlocks(messages, sent).map(({ path, type, match }) => [path, type, match])).toEqual([
      ['messages.1.content', 'content', 'equal'],
      ['messages.1.tool_calls.0', 'function', 'equal'],
      ['messages.1.tool_calls.1', 'function', 'equal'],
      ['messages.1.reasoning_details.0', 'reasoning.text', 'missing'],
      ['messages.1.reasoning_details.1', 'reasoning.text', 'missing'],
      ['messages.1.reasoning_details.2', 'reasoning.encrypted', 'missing'],
      ['messages.1.reasoning_details.3', 'reasoning.text', 'missing'],
    ]);
  });

  test('refuses with the error shape that the official client reads', async () => {
    const provider = await start();
    const client = new OpenAI({ baseURL: provider.url, apiKey: 'local', maxRetries: 0 });
    const request = { model: 'claude-local', messages: [{ role: 'assistant', content: 'Hm' }], stream: true } as const;
    const error: unknown = await client.chat.completions
      .create({ ...request, messages: [...request.messages] })
      .catch(String);
    expect(error).toBe(
      'Error: 400 This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  });

  test.each<[string, Trial, number, string, string]>([
    ['no key', { headers: {} }, 401, 'authentication_error', 'No auth credentials found'],
    ['another path', { path: '/completions' }, 404, 'not_found_error', 'POST /api/v1/completions is not found'],
    ['an odd role', { messages: [{ role: 'bot', content: '' }] }, 400, 'invalid_request_error', misshapen(0)],
    ['a user without content', { messages: [{ role: 'user' }] }, 400, 'invalid_request_error', misshapen(0)],
    [
      'a call without arguments',
      { messages: [question, { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'b' } }] }] },
      400,
      'invalid_request_error',
      misshapen(1),
    ],
    [
      'details that are no list',
      { messages: [{ role: 'assistant', content: '', reasoning_details: {} }] },
      400,
      'invalid_request_error',
      misshapen(0),
    ],
    [
      'a result without an id',
      { messages: [{ role: 'tool', content: '' }] },
      400,
      'invalid_request_error',
      misshapen(0),
    ],
  ])('refuses %s', async (_, trial, status, type, message) => {
    const provider = await start();
    const { path = '/chat/completions', headers = { authorization: 'Bearer k' }, messages = [question] } = trial;
    const body = JSON.stringify({ model: 'm', stream: true, messages });
    const response = await fetch(`${provider.url}${path}`, { method: 'POST', headers, body });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: { message, type, code: null, param: null } });
  });
});

interface Trial {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly messages?: readonly Json[];
}

function misshapen(index: number): string {
  return `messages.${index}: Input should be a message with role and content`;
}

/** The refusal's sentence for a history of the question and these messages. */
function refusalOf(...messages: readonly Json[]): string | null {
  return verify([question, ...messages]);
}

function verify(history: readonly Json[], answers = sent): string | null {
  for (const message of history) expect(service.isMessage(message)).toBe(true);
  const messages = service.readMessages(history.map((message) => JSON.stringify(message)));
  return service.verify(messages, answers)?.message ?? null;
}

function edited(place: number, change: Json): Json[] {
  return details.map((detail, index) => (index === place ? { ...detail, ...change } : detail));
}

/** A text in two pieces, and its signature. */
function fragments({ text, signature, ...rest }: Json): Json[] {
  if (typeof text !== 'string') return [rest];
  return [
    { ...rest, text: text.slice(0, 9) },
    { ...rest, text: text.slice(9) },
    { ...rest, signature },
  ];
}

async function start(): Promise<Provider> {
  const provider = await createProvider({ service, speed: 0 });
  started.push(provider);
  return provider;
}
