import type OpenAI from 'openai';
import { afterEach, describe, expect, test } from 'vitest';
import { createProvider, type Provider } from '../../../demo/provider.ts';
import { createResponsesClient, onlyToolCalls, withoutToolCalls } from '../../../demo/responses/client.ts';
import { itemsOf } from '../../../demo/responses/items.ts';
import { createResponsesService } from '../../../demo/responses/service.ts';
import { script } from '../../../demo/script.ts';
import { resultsOf, userOf } from '../histories.ts';

type InputItem = OpenAI.Responses.ResponseInputItem;

const [items = []] = script.map(itemsOf);
const { signal } = new AbortController();
const started: Provider[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((provider) => provider.close()));
});

describe('createResponsesClient', () => {
  test('hands over the items of an answer whole', async () => {
    const { client } = await start();
    const { entries } = await client.send([userOf(client, 'Northern lights?')], signal).settled();
    expect(entries).toEqual(items);
  });

  test('makes an output item of each result', async () => {
    const { client } = await start();
    const turn = await client.send([userOf(client, 'Northern lights?')], signal).settled();
    expect(resultsOf(client, turn)).toEqual([
      { type: 'function_call_output', call_id: 'call_demo_aurora', output: '{"kp":4.7,"peak":"22:30"}' },
      { type: 'function_call_output', call_id: 'call_demo_clouds', output: '{"21":80,"22":10,"23":10}' },
    ]);
  });

  test('asks for ciphertext, and for nothing to be stored', async () => {
    const bodies: string[] = [];
    const { client } = await start((body) => bodies.push(body));
    await client.send([userOf(client, 'Northern lights?')], signal).settled();
    expect(bodies.map((body) => JSON.parse(body))).toMatchObject([
      { stream: true, store: false, include: ['reasoning.encrypted_content'], input: [{ role: 'user' }] },
    ]);
  });

  test('puts the ciphertext of the announcement in the place of the final one, as a mistake', async () => {
    const { client } = await start();
    const { entries } = await client.send([userOf(client, 'Northern lights?')], signal).settled();
    const early = reasoningIn(made(client.mistakes, 'output_item.added', entries));
    const final = items.filter(({ type }) => type === 'reasoning');
    expect(early.map(({ id, summary }) => ({ id, summary }))).toEqual(
      final.map((item) => ({ id: item.id, summary: 'summary' in item ? item.summary : [] })),
    );
    for (const [index, { encrypted_content: ciphertext }] of early.entries()) {
      expect(ciphertext).toMatch(/^gAAAA/);
      expect(final[index]).not.toMatchObject({ encrypted_content: ciphertext });
    }
  });

  test('gives the reasoning other ids, as a mistake, and leaves the rest', async () => {
    const { client } = await start();
    const { entries } = await client.send([userOf(client, 'Northern lights?')], signal).settled();
    const renamed = made(client.mistakes, 'ids of the client', entries);
    expect(reasoningIn(renamed).map(({ id }) => id)).toEqual(['rs_own_demo_01_0', 'rs_own_demo_01_2']);
    expect(renamed.filter(({ type }) => type !== 'reasoning')).toEqual(
      items.filter(({ type }) => type !== 'reasoning'),
    );
  });
});

const history: readonly InputItem[] = [
  { type: 'message', role: 'user', content: 'Why?' },
  { id: 'rs_1', type: 'reasoning', summary: [] },
  { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [] },
  { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'a', arguments: '{}' },
  { type: 'function_call_output', call_id: 'call_1', output: '{}' },
];

describe('onlyToolCalls', () => {
  test('keeps calls, outputs and questions', () => {
    expect(onlyToolCalls(history)).toEqual([history[0], history[3], history[4]]);
  });
});

describe('withoutToolCalls', () => {
  test('leaves out calls and outputs alone', () => {
    expect(withoutToolCalls(history)).toEqual(history.slice(0, 3));
  });
});

function made(
  mistakes: ReturnType<typeof createResponsesClient>['mistakes'],
  title: string,
  entries: readonly InputItem[],
): readonly InputItem[] {
  return mistakes.find((mistake) => mistake.title.includes(title))?.make(entries) ?? [];
}

function reasoningIn(list: readonly InputItem[]): OpenAI.Responses.ResponseReasoningItem[] {
  return list.flatMap((item) => (item.type === 'reasoning' ? [item] : []));
}

/** A client of a local service; `onBody` is told of each request's body. */
async function start(onBody: (body: string) => void = () => undefined) {
  const service = createResponsesService();
  const readHead: typeof service.readHead = (address, body) => {
    onBody(JSON.stringify(body));
    return service.readHead(address, body);
  };
  const provider = await createProvider({ service: { ...service, readHead }, speed: 0 });
  started.push(provider);
  const access = { baseURL: provider.url, apiKey: 'local', model: 'gpt-local', maxRetries: 0 };
  return { client: createResponsesClient(access) };
}
