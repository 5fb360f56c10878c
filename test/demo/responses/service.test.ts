import OpenAI from 'openai';
import { afterEach, describe, expect, test } from 'vitest';
import { createProvider, type Provider } from '../../../demo/provider.ts';
import { itemsOf } from '../../../demo/responses/items.ts';
import { createResponsesService } from '../../../demo/responses/service.ts';
import { script } from '../../../demo/script.ts';

type Json = Record<string, unknown>;

const service = createResponsesService();
const sent = service.answers.map(({ blocks }) => blocks);
const [answer = [], lastAnswer = []] = script.map((scripted): Json[] => itemsOf(scripted).map((item) => ({ ...item })));
const [opening = {}, message = {}, reasoning = {}, aurora = {}, clouds = {}] = answer;
const question = { role: 'user', content: 'Northern lights?' };
const outputs = [aurora, clouds].map(({ call_id }) => ({ type: 'function_call_output', call_id, output: '{}' }));
const [auroraOutput = {}, cloudsOutput = {}] = outputs;
const started: Provider[] = [];

const noFollowing = (id: string) =>
  `Item '${id}' of type 'reasoning' was provided without its required following item.`;
const undecipherable = (id: string) =>
  `The encrypted content for item ${id} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
const mismatch = (id: string) =>
  `The encrypted content for item ${id} could not be verified. ` +
  'Reason: Encrypted content item_id did not match the target item id.';

afterEach(async () => {
  await Promise.all(started.splice(0).map((provider) => provider.close()));
});

describe('the service', () => {
  test('accepts an answer that comes back as it was', () => {
    expect(refusalOf(...answer, ...outputs)).toBeNull();
  });

  test('accepts members in another order, and outputs in another order', () => {
    const { type, ...rest } = opening;
    expect(refusalOf({ ...rest, type }, ...answer.slice(1), cloudsOutput, auroraOutput)).toBeNull();
  });

  test('accepts both answers, each beside what was sent', () => {
    expect(refusalOf(...answer, ...outputs, ...lastAnswer, question)).toBeNull();
  });

  test.each<[string, readonly Json[], string]>([
    [
      'the calls alone',
      [aurora, clouds, ...outputs],
      "Item 'fc_demo_aurora' of type 'function_call' was provided without its required 'reasoning' item: 'rs_demo_01_2'.",
    ],
    [
      'all but the reasoning',
      [message, aurora, clouds, ...outputs],
      "Item 'msg_demo_01_1' of type 'message' was provided without its required 'reasoning' item: 'rs_demo_01_0'.",
    ],
    [
      'all but the later reasoning',
      [opening, message, aurora, clouds, ...outputs],
      "Item 'fc_demo_aurora' of type 'function_call' was provided without its required 'reasoning' item: 'rs_demo_01_2'.",
    ],
    [
      'the second call, whose reasoning came before the first',
      [opening, message, clouds, cloudsOutput],
      "Item 'fc_demo_clouds' of type 'function_call' was provided without its required 'reasoning' item: 'rs_demo_01_2'.",
    ],
    [
      'reasoning behind what it led to',
      [opening, message, aurora, reasoning, clouds, ...outputs],
      "Item 'fc_demo_aurora' of type 'function_call' was provided without its required 'reasoning' item: 'rs_demo_01_2'.",
    ],
    ['all but the calls', [opening, message, reasoning], noFollowing('rs_demo_01_2')],
    ['all but the calls, and a message', [opening, message, reasoning, question], noFollowing('rs_demo_01_2')],
    ['all but the message', [opening, reasoning, aurora, clouds, ...outputs], noFollowing('rs_demo_01_0')],
    ['all but the first call', [opening, message, reasoning, clouds, cloudsOutput], noFollowing('rs_demo_01_2')],
    ['the opening alone', [opening], noFollowing('rs_demo_01_0')],
    ['a call whose output is missing', answer, 'No tool output found for function call call_demo_aurora.'],
    [
      'a call whose output is partly missing',
      [...answer, auroraOutput],
      'No tool output found for function call call_demo_clouds.',
    ],
    [
      'an output whose call is missing',
      [opening, message, reasoning, aurora, ...outputs],
      'No tool call found for function call output with call_id call_demo_clouds.',
    ],
  ])('refuses %s', (_, items, sentence) => {
    expect(refusalOf(...items)).toEqual({
      status: 400,
      type: 'invalid_request_error',
      message: sentence,
      param: 'input',
    });
  });

  test.each<[string, Json, string]>([
    ['ciphertext that was changed', { encrypted_content: 'gAAAAABo' }, undecipherable('rs_demo_01_0')],
    ['ciphertext that is empty', { encrypted_content: '' }, undecipherable('rs_demo_01_0')],
    ['ciphertext of another item', { encrypted_content: reasoning['encrypted_content'] }, mismatch('rs_demo_01_0')],
    ['an id that was minted', { id: 'rs_mine' }, mismatch('rs_mine')],
    ['the id of another item', { id: reasoning['id'] }, mismatch('rs_demo_01_2')],
    [
      'changed ciphertext without an id',
      { id: undefined, encrypted_content: 'gAAAAABo' },
      'The encrypted content gAAA...AABo could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
    ],
  ])('refuses %s', (_, change, sentence) => {
    expect(refusalOf({ ...opening, ...change }, ...answer.slice(1), ...outputs)).toEqual({
      status: 400,
      type: 'invalid_request_error',
      message: sentence,
      code: 'invalid_encrypted_content',
    });
  });

  test('refuses the ciphertext with which an item was announced', () => {
    const [added] = service.answers[0]?.frames({ model: 'm', inputTokens: 1 }).flatMap(({ text }) => {
      const [, ciphertext] = /output_item\.added.+"encrypted_content":"([^"]+)"/.exec(text) ?? [];
      return ciphertext ?? [];
    }) ?? [''];
    expect(added).toMatch(/^gAAAA/);
    const refusal = refusalOf({ ...opening, encrypted_content: added }, ...answer.slice(1), ...outputs);
    expect(refusal?.message).toBe(undecipherable('rs_demo_01_0'));
  });

  test('does not find reasoning that comes without its ciphertext', () => {
    const { encrypted_content: _ciphertext, ...bare } = opening;
    expect(refusalOf(bare, ...answer.slice(1), ...outputs)).toMatchObject({
      status: 404,
      message: expect.stringContaining("Item with id 'rs_demo_01_0' not found. Items are not persisted when `store`"),
    });
  });

  test.each<[string, number, Json, string]>([
    ['a summary', 0, { summary: [] }, 'input.1: Expected the `reasoning` block of the original response'],
    ['a phase', 1, { phase: undefined }, 'input.2: Expected the `message` block'],
    ['arguments', 3, { arguments: '{"place":"Tromsø"}' }, 'input.4: Expected the `function_call` block'],
    ['the id of a call', 4, { id: undefined }, 'input.5: Expected the `function_call` block'],
  ])('refuses %s that was changed', (_, place, change, sentence) => {
    const items = answer.map((item, index) => (index === place ? { ...item, ...change } : item));
    expect(refusalOf(...items, ...outputs)?.message).toContain(sentence);
  });

  test('refuses every swap, every gap and every repetition', () => {
    const places = [...answer.keys()];
    const lists = places.flatMap((one) => [
      answer.toSpliced(one, 1),
      answer.toSpliced(one, 0, answer[one] ?? {}),
      ...places.slice(0, one).map((other) => answer.with(one, answer[other] ?? {}).with(other, answer[one] ?? {})),
    ]);
    expect(lists).toHaveLength(5 + 5 + 10);
    for (const list of lists) expect(refusalOf(...list, ...outputs)).not.toBeNull();
  });

  test('accepts calls that it never gave', () => {
    const bare = { type: 'function_call', call_id: 'call_1', name: 'a', arguments: '{}' };
    const output = { type: 'function_call_output', call_id: 'call_1', output: '' };
    expect(verify([question, bare, output], [])).toBeNull();
  });

  test('refuses reasoning that it never gave', () => {
    expect(verify([question, ...answer, ...outputs], [])?.message).toBe(undecipherable('rs_demo_01_0'));
  });

  test('answers the official client, and refuses with the error shape that it reads', async () => {
    const client = new OpenAI({ baseURL: (await start()).url, apiKey: 'local', maxRetries: 0 });
    const ask = (input: readonly OpenAI.Responses.ResponseInputItem[]) =>
      client.responses.create({ model: 'gpt-local', input: [...input], store: false, stream: true });
    const types: string[] = [];
    for await (const { type } of await ask([{ role: 'user', content: 'Northern lights?' }])) types.push(type);
    expect(types.at(-1)).toBe('response.completed');
    const call = { type: 'function_call', call_id: 'call_1', name: 'a', arguments: '{}' } as const;
    await expect(ask([call])).rejects.toMatchObject({
      status: 400,
      message: '400 No tool output found for function call call_1.',
      type: 'invalid_request_error',
      param: 'input',
      code: null,
      requestID: 'req_demo_02',
    });
  });

  test.each<[string, { path?: string; headers?: Record<string, string>; body?: string }, number, string, string]>([
    [
      'no key',
      { headers: {} },
      401,
      'invalid_request_error',
      "You didn't provide an API key. You need to provide your API key in an Authorization header.",
    ],
    ['another path', { path: '/response' }, 404, 'not_found_error', 'POST /v1/response is not found'],
    ['no input', { body: '{"model":"m"}' }, 400, 'invalid_request_error', 'input: Field required'],
    [
      'an empty input',
      { body: '{"model":"m","input":[]}' },
      400,
      'invalid_request_error',
      'input: at least one item is required',
    ],
    [
      'an odd item',
      { body: '{"model":"m","input":[{"type":"reasoning"}]}' },
      400,
      'invalid_request_error',
      'input.0: Input should be an item with all that its type needs',
    ],
  ])('refuses %s', async (_, trial, status, type, sentence) => {
    const provider = await start();
    const { path = '/responses', headers = { authorization: 'Bearer k' }, body = '' } = trial;
    const response = await fetch(`${provider.url}${path}`, { method: 'POST', headers, body });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: { message: sentence, type, param: null, code: null } });
  });
});

/** The refusal of a history of the question and these items. */
function refusalOf(...items: readonly Json[]) {
  return verify([question, ...items]);
}

function verify(history: readonly Json[], answers = sent) {
  for (const item of history) expect(service.isMessage(item)).toBe(true);
  return service.verify(service.readMessages(history.map((item) => JSON.stringify(item))), answers);
}

async function start(): Promise<Provider> {
  const provider = await createProvider({ service, speed: 0 });
  started.push(provider);
  return provider;
}
