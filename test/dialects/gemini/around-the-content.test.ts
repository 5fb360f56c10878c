import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { Usage } from '../../../src/index.ts';
import { type Assembled, assemble, call, chunk, chunks, story } from './wire-chunks.ts';

const text = { text: 'Low tide.' };

/** What the usage events said, in order. */
function usages({ ui }: Assembled): Usage[] {
  return ui.flatMap((event) => (event.type === 'usage' ? [event.usage] : []));
}

describe('usage', () => {
  const counts = (members: JsonObject): JsonObject => ({ usageMetadata: members });

  test('is told when it changed, behind the parts of its chunk', async () => {
    const detail = { promptTokenCount: 7, promptTokensDetails: [{ modality: 'TEXT', tokenCount: 7 }] };
    const assembled = await assemble([
      { ...chunk([text]), ...counts(detail) },
      { ...chunk([text]), ...counts(structuredClone(detail)) },
      { ...chunk([text]), ...counts({ ...detail, promptTokensDetails: [{ modality: 'TEXT', tokenCount: 8 }] }) },
    ]);
    expect(story(assembled).slice(2, -2)).toEqual([
      'text_delta 0 Low tide.',
      'usage',
      'text_delta 0 Low tide.',
      'text_delta 0 Low tide.',
      'usage',
    ]);
  });

  test.each<[string, JsonObject, JsonObject, number]>([
    ['the same', { a: 1, b: [{ c: 2 }] }, { a: 1, b: [{ c: 2 }] }, 1],
    ['another value', { a: 1 }, { a: '1' }, 2],
    ['another name', { a: 1 }, { b: 1 }, 2],
    ['a member less', { a: 1, b: 2 }, { a: 1 }, 2],
    ['a member more', { a: { b: 1 } }, { a: { b: 1, c: 2 } }, 2],
    ['an element more', { a: [1] }, { a: [1, 2] }, 2],
    ['a list for an object', { a: ['x'] }, { a: { 0: 'x' } }, 2],
    ['nothing for an object', { a: {} }, { a: null }, 2],
  ])('is told as often as it changed: %s', async (_what, one, other, times) => {
    expect(usages(await assemble([counts(one), counts(other)]))).toHaveLength(times);
  });

  test('counts what was written and what was thought together', async () => {
    const assembled = await assemble([
      counts({ trafficType: 'ON_DEMAND' }),
      counts({ promptTokenCount: 40, thoughtsTokenCount: 5 }),
      counts({
        promptTokenCount: 40,
        cachedContentTokenCount: 32,
        candidatesTokenCount: 9,
        thoughtsTokenCount: 5,
        totalTokenCount: 54,
      }),
      counts({ candidatesTokenCount: 10 }),
    ]);
    const seen = usages(assembled).map(({ wire: _wire, ...neutral }) => Object.values(neutral));
    expect(seen).toEqual([
      [null, null, null, null, null],
      [40, 5, 5, null, null],
      [40, 14, 5, 32, null],
      [40, 15, 5, 32, null],
    ]);
    expect(usages(assembled).at(-1)?.wire).toEqual({ candidatesTokenCount: 10 });
    expect(assembled.turn.usage.wire).toEqual({
      trafficType: 'ON_DEMAND',
      promptTokenCount: 40,
      cachedContentTokenCount: 32,
      candidatesTokenCount: 10,
      thoughtsTokenCount: 5,
      totalTokenCount: 54,
    });
    expect(assembled.turn.envelope['usageMetadata']).toEqual(assembled.turn.usage.wire);
  });

  test('shows nothing secret', async () => {
    const assembled = await assemble([counts({ promptTokenCount: 1, sessionToken: 'c2VjcmV0' })]);
    expect(usages(assembled)[0]?.wire).toEqual({ promptTokenCount: 1 });
    expect(assembled.turn.usage.wire).toEqual({ promptTokenCount: 1 });
  });

  test('is unknown, not zero, where the wire does not say', async () => {
    const { turn } = await assemble(chunks([text]));
    expect(turn.usage).toMatchObject({ inputTokens: null, outputTokens: null, wire: null });
  });
});

describe('citations', () => {
  const cited = (members: JsonObject): JsonObject => chunk([text], members);
  const lines = (assembled: Assembled): string[] => story(assembled).filter((line) => line.startsWith('citation'));

  test.each(['citations', 'citationSources'])('are told once each, from %s', async (name) => {
    const [one, two] = [{ uri: 'https://example.test/1', startIndex: 2 }, { uri: 'https://example.test/2' }];
    const assembled = await assemble([
      cited({ citationMetadata: { [name]: [one] } }),
      cited({ citationMetadata: { [name]: [one, two] } }),
    ]);
    expect(lines(assembled)).toEqual([`citation 0 ${JSON.stringify(one)}`, `citation 0 ${JSON.stringify(two)}`]);
  });

  test('have what a search and an address gave, when it has members and is new', async () => {
    const groundingMetadata = { webSearchQueries: ['eider'] };
    const urlContextMetadata = {
      urlMetadata: [{ retrievedUrl: 'https://example.test', thoughtSignature: 'c2VjcmV0' }],
    };
    const assembled = await assemble([
      cited({ groundingMetadata: {} }),
      cited({ groundingMetadata, urlContextMetadata }),
      cited({ groundingMetadata }),
      cited({ groundingMetadata: { webSearchQueries: ['eider', 'tide'] } }),
    ]);
    expect(lines(assembled)).toEqual([
      `citation 0 ${JSON.stringify({ groundingMetadata })}`,
      'citation 0 {"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"https://example.test"}]}}',
      'citation 0 {"groundingMetadata":{"webSearchQueries":["eider","tide"]}}',
    ]);
  });

  test('come between the parts and the usage of their chunk', async () => {
    const members = { citationMetadata: { citations: [{ uri: 'u' }] } };
    const assembled = await assemble([{ ...cited(members), usageMetadata: { promptTokenCount: 1 } }]);
    expect(story(assembled).slice(1, 5)).toEqual([
      'block_start 0 text',
      'text_delta 0 Low tide.',
      'citation 0 {"uri":"u"}',
      'usage',
    ]);
  });

  test.each<[string, readonly JsonObject[]]>([
    ['before any text', []],
    ['behind reasoning', [{ text: 'Hm.', thought: true }]],
    ['behind a call', [text, call({ name: 'f' })]],
    ['behind a signed text', [{ text: '', thoughtSignature: 'c2ln' }]],
  ])('are in the envelope alone %s, and told when text is open', async (_what, before) => {
    const citationMetadata = { citations: [{ uri: 'u' }] };
    const first = await assemble([...chunks(before), chunk([], { citationMetadata })]);
    expect(lines(first)).toEqual([]);
    expect(first.turn.envelope['citationMetadata']).toEqual(citationMetadata);
    const later = await assemble([...chunks(before), chunk([], { citationMetadata }), cited({ citationMetadata })]);
    expect(lines(later)).toHaveLength(1);
  });

  // Gemini 3 ends an answer with a signed empty part, in the chunk that has the sources; a short one is that chunk alone.
  test('come when another part ends their text, behind all of it', async () => {
    const members = { groundingMetadata: { webSearchQueries: ['eider'] }, finishReason: 'STOP' };
    const tail = [{ text: ' Then flood.' }, { text: '', thoughtSignature: 'c2ln' }];
    const ends = [
      'text_delta 0  Then flood.',
      'citation 0 {"groundingMetadata":{"webSearchQueries":["eider"]}}',
      'block_stop 0 finished',
      'block_start 1 text',
      'block_stop 1 finished',
      'turn_stop',
    ];
    expect(story(await assemble([chunk([text]), chunk(tail, members)])).slice(3)).toEqual(ends);
    expect(story(await assemble([chunk([text, ...tail], members)])).slice(3)).toEqual(ends);
  });

  test.each<[string, JsonObject]>([
    ['reasoning', { text: 'Hm.', thought: true }],
    ['a call', call({ name: 'f' })],
  ])('are told of the text before %s, once', async (_what, part) => {
    const members = { citationMetadata: { citations: [{ uri: 'u' }] } };
    const assembled = await assemble([chunk([text]), chunk([part, text], members)]);
    expect(lines(assembled)).toEqual(['citation 0 {"uri":"u"}']);
  });

  test('are told from both of their names', async () => {
    const [one, two] = [{ uri: 'https://example.test/1' }, { uri: 'https://example.test/2' }];
    const assembled = await assemble([cited({ citationMetadata: { citations: [one], citationSources: [one, two] } })]);
    expect(lines(assembled)).toEqual([`citation 0 ${JSON.stringify(one)}`, `citation 0 ${JSON.stringify(two)}`]);
  });

  test.each<[unknown]>([[7], ['u'], [{ citations: 'u' }], [{}], [null]])('are none in %j', async (citationMetadata) => {
    const members = {
      citationMetadata,
      groundingMetadata: citationMetadata === null ? null : 'x',
      finishReason: 'STOP',
    };
    const assembled = await assemble([cited(members)]);
    expect([lines(assembled), assembled.turn.status]).toEqual([[], 'complete']);
  });
});

describe('the envelope', () => {
  test('has what was said outside the content, the later over the earlier', async () => {
    const { turn } = await assemble([
      { ...chunk([text], { safetyRatings: [1], avgLogprobs: -1 }), createTime: 'a', sdkHttpResponse: { headers: {} } },
      {
        ...chunk([], { safetyRatings: [2], finishReason: 'STOP', finishMessage: 'Enough.' }),
        createTime: 'b',
        modelVersion: '',
        extra: null,
      },
    ]);
    expect(turn.envelope).toEqual({
      modelVersion: 'gemini-test',
      responseId: 'resp1',
      createTime: 'b',
      safetyRatings: [2],
      avgLogprobs: -1,
      finishMessage: 'Enough.',
      finishReason: 'STOP',
    });
  });
});
