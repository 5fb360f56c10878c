import type { Content } from '@google/genai';
import { afterEach, describe, expect, test } from 'vitest';
import { createGeminiClient, oneResultEach, withoutSignatures } from '../../../demo/gemini/client.ts';
import { partsOf, sourceOf } from '../../../demo/gemini/contents.ts';
import { createGeminiService } from '../../../demo/gemini/service.ts';
import { createProvider, type Provider, type RequestReport } from '../../../demo/provider.ts';
import { script } from '../../../demo/script.ts';
import { stringifyRequest } from '../../../src/index.ts';
import { resultsOf, userOf } from '../histories.ts';

const [sources = []] = script.map((answer) => partsOf(answer).map(sourceOf));
const { signal } = new AbortController();
const started: Provider[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((provider) => provider.close()));
});

describe('createGeminiClient', () => {
  test('hands over the content of an answer whole', async () => {
    const { client } = await start();
    const { entries } = await client.send([userOf(client, 'Northern lights?')], signal).settled();
    expect(entries).toEqual([{ role: 'model', parts: sources.map((source) => JSON.parse(source)) }]);
  });

  test('keeps the spelling of arguments on the way in and on the way out', async () => {
    const { client, reports } = await start();
    const question = userOf(client, 'Northern lights?');
    const turn = await client.send([question], signal).settled();
    const args = script
      .flatMap(({ blocks }) => blocks)
      .flatMap((block) => ('inputText' in block ? block.inputText : []));
    expect(turn.toolCalls.map(({ inputText }) => inputText)).toEqual(args);
    const body = stringifyRequest(turn.entries);
    for (const text of args) expect(body).toContain(`"args":${text}`);
    await client.send([question, ...turn.entries, ...resultsOf(client, turn)], signal).settled();
    expect(reports[1]).toMatchObject({ refusal: null });
    expect(reports[1]?.blocks.map(({ match }) => match)).toEqual(sources.map(() => 'equal'));
  });

  test('puts all results into one content, without the ids that the wire did not give', async () => {
    const { client } = await start();
    const turn = await client.send([userOf(client, 'Northern lights?')], signal).settled();
    expect(resultsOf(client, turn)).toEqual([
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'aurora_forecast', response: { kp: 4.7, peak: '22:30' } } },
          { functionResponse: { name: 'cloud_cover', response: { '21': 80, '22': 10, '23': 10 } } },
        ],
      },
    ]);
  });

  test('sends through the SDK: its address, its headers, its settings', async () => {
    const heads: unknown[] = [];
    const { client } = await start((address, body) => heads.push({ address, body }));
    await client.send([userOf(client, 'Northern lights?')], signal).settled();
    expect(heads).toMatchObject([
      {
        address: '/v1beta/models/gemini-local:streamGenerateContent?alt=sse',
        body: {
          contents: [{ role: 'user', parts: [{ text: 'Northern lights?' }] }],
          generationConfig: { maxOutputTokens: 4096, thinkingConfig: { includeThoughts: true } },
          tools: [{ functionDeclarations: [{ name: 'aurora_forecast' }, { name: 'cloud_cover' }] }],
        },
      },
    ]);
  });

  test('takes the contents of all chunks for the content of an answer, as a mistake', async () => {
    const { client } = await start();
    const { entries } = await client.send([userOf(client, 'Northern lights?')], signal).settled();
    const [, chunked] = client.mistakes;
    const contents = chunked?.make([userOf(client, 'Why?'), ...entries, userOf(client, 'And?')]) ?? [];
    expect([contents[0], contents.at(-1)]).toEqual([userOf(client, 'Why?'), userOf(client, 'And?')]);
    const parts = contents.slice(1, -1).map((content) => content.parts ?? []);
    expect(parts.every(({ length }) => length === 1)).toBe(true);
    expect(parts.slice(-3)).toEqual([[JSON.parse(sources[3] ?? '')], [JSON.parse(sources[4] ?? '')], [{ text: '' }]]);
  });
});

const history: readonly Content[] = [
  { role: 'user', parts: [{ text: 'Why?' }] },
  {
    role: 'model',
    parts: [
      { text: 'Hm', thoughtSignature: 'a' },
      { functionCall: { name: 'b', args: {} }, thoughtSignature: 'c' },
      { functionCall: { name: 'd', args: {} } },
    ],
  },
  {
    role: 'user',
    parts: [{ functionResponse: { name: 'b', response: {} } }, { functionResponse: { name: 'd', response: {} } }],
  },
];

describe('withoutSignatures', () => {
  test('leaves out those of calls alone', () => {
    expect(withoutSignatures(history)).toEqual([
      history[0],
      {
        role: 'model',
        parts: [
          { text: 'Hm', thoughtSignature: 'a' },
          { functionCall: { name: 'b', args: {} } },
          { functionCall: { name: 'd', args: {} } },
        ],
      },
      history[2],
    ]);
  });
});

describe('oneResultEach', () => {
  test('splits the content of the results alone', () => {
    expect(oneResultEach(history)).toEqual([
      ...history.slice(0, 2),
      { role: 'user', parts: [{ functionResponse: { name: 'b', response: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'd', response: {} } }] },
    ]);
  });
});

/** A client of a local service; `onHead` is told of each request's address and body. */
async function start(onHead: (address: string, body: object) => void = () => undefined) {
  const reports: RequestReport[] = [];
  const service = createGeminiService();
  const readHead: typeof service.readHead = (address, body) => {
    onHead(`${address.pathname}${address.search}`, body);
    return service.readHead(address, body);
  };
  const onRequest = (report: RequestReport): void => void reports.push(report);
  const provider = await createProvider({ service: { ...service, readHead }, speed: 0, onRequest });
  started.push(provider);
  const client = createGeminiClient({ baseURL: provider.url, apiKey: 'local', model: 'gemini-local' });
  return { client, reports };
}
