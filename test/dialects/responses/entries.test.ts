import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { ResponsesOptions } from '../../../src/responses.ts';
import {
  type Assembled,
  added,
  assemble,
  callItem,
  codes,
  completed,
  created,
  done,
  incomplete,
  items,
  messageItem,
  reasoningItem,
  toolCalls,
} from './wire-events.ts';

const server = (index: number): JsonObject => ({ type: 'web_search_call', id: `ws_${index}`, status: 'completed' });

/** Assembles items that are done, one after the other; one that is undefined begins and is never done. */
function whole(
  list: readonly (JsonObject | undefined)[],
  end: JsonObject = completed(),
  options: Partial<ResponsesOptions> = {},
): Promise<Assembled> {
  const events = list.map((item, index) => (item ? done(index, item) : added(index, callItem(index, ''))));
  return assemble([created(), ...events, end], options);
}

const call = (index: number): JsonObject => callItem(index, '{}');
const think = (index: number): JsonObject => reasoningItem(index);
const say = (index: number): JsonObject => messageItem(index, 'x');
const cut = incomplete('max_output_tokens');

describe('responses, what a stop cuts', () => {
  test.each<[string, JsonObject]>([
    ['a call', call(1)],
    ['a call of the server', server(1)],
    ['reasoning', think(1)],
    ['a call of a computer', { type: 'computer_call', id: 'c', call_id: 'c', action: {} }],
  ])('is %s that is the last block, and the reasoning that led to it', async (_, last) => {
    const assembled = await whole([think(0), last], cut);
    expect(assembled.turn.blocks.map(({ state }) => state)).toEqual(['finished', 'cut']);
    expect([items(assembled), toolCalls(assembled)]).toEqual([[], []]);
    expect(assembled.turn.repairs[1]).toMatchObject({ code: 'cut', index: 1 });
  });

  test.each<[string, JsonObject]>([
    ['a text', messageItem(1, 'x', { status: 'incomplete' })],
    ['a result', { type: 'tide_output', id: 'to_1' }],
    ['an item that nobody knows', { type: 'tide_table', id: 't_1' }],
  ])('is not %s', async (_, last) => {
    const assembled = await whole([call(0), last], cut);
    expect(assembled.turn.blocks.map(({ state }) => state)).toEqual(['finished', 'finished']);
    expect(items(assembled)).toEqual([call(0), last]);
    expect(toolCalls(assembled)).toEqual(['call_0 tool {}']);
  });

  test.each(['max_output_tokens', 'content_filter', 'steered', undefined])(
    'is the same for any reason: %s',
    async (reason) => {
      expect(toolCalls(await whole([say(0), call(1)], incomplete(reason)))).toEqual([]);
    },
  );

  test('is a call or reasoning that says it is incomplete, whatever comes after it', async () => {
    const [half, rest] = [callItem(0, '{}', { status: 'incomplete' }), reasoningItem(1, [], { status: 'incomplete' })];
    const assembled = await whole([half, rest, say(2)]);
    expect(assembled.turn.blocks.map(({ state }) => state)).toEqual(['cut', 'cut', 'finished']);
    expect([items(assembled), toolCalls(assembled)]).toEqual([[say(2)], []]);
    expect(codes(assembled.turn.repairs)).toEqual(['cut', 'cut']);
  });

  test('is each of the calls that no block followed once they were done', async () => {
    const begun = [added(0, callItem(0, '')), added(1, callItem(1, ''))];
    const open = await assemble([created(), ...begun, done(0, call(0)), done(1, call(1)), cut]);
    expect(open.turn.blocks.map(({ state }) => state)).toEqual(['cut', 'cut']);
    const followed = [done(0, call(0)), added(2, server(2)), done(1, call(1)), done(2, server(2)), cut];
    const assembled = await assemble([created(), ...begun, ...followed]);
    expect(assembled.turn.blocks.map(({ state }) => state)).toEqual(['finished', 'cut', 'cut']);
    expect(items(assembled)).toEqual([call(0)]);
  });

  test('is what was never done, were it complete', async () => {
    const assembled = await whole([say(0), undefined]);
    expect(assembled.turn.blocks.map(({ state }) => state)).toEqual(['finished', 'cut']);
    expect(items(assembled)).toEqual([say(0)]);
  });
});

describe('responses, reasoning', () => {
  test.each<[string, JsonObject[], number[], string[]]>([
    ['before a message', [think(0), say(1)], [0, 1], []],
    ['before calls', [think(0), call(1), call(2)], [0, 1, 2], []],
    ['before an item that nobody knows', [think(0), { type: 'tide', id: 't' }], [0, 1], []],
    ['twice before a call', [think(0), think(1), call(2)], [0, 1, 2], []],
    ['between calls', [think(0), server(1), think(2), call(3)], [0, 1, 2, 3], []],
    ['alone', [think(0)], [], ['trailing_reasoning']],
    ['alone and twice', [think(0), think(1)], [], ['trailing_reasoning', 'trailing_reasoning']],
    ['at the end', [think(0), say(1), think(2)], [0, 1], ['trailing_reasoning']],
    ['at the end twice', [say(0), think(1), think(2)], [0], ['trailing_reasoning', 'trailing_reasoning']],
  ])('goes only with what follows it: %s', async (_, list, kept, repairs) => {
    const assembled = await whole(list);
    expect(items(assembled)).toEqual(kept.map((index) => list[index]));
    expect(codes(assembled.turn.repairs)).toEqual(repairs);
  });

  test.each<[string, (JsonObject | undefined)[], number[], string[]]>([
    ['its only call', [think(0), call(1)], [], ['unpaired', 'cut']],
    ['the last of its calls', [think(0), call(1), call(2)], [0, 1], ['cut']],
    ['the call of the last', [think(0), say(1), think(2), call(3)], [0, 1], ['unpaired', 'cut']],
    ['the call of a run', [think(0), think(1), call(2)], [], ['unpaired', 'unpaired', 'cut']],
    ['itself, at the end', [say(0), think(1)], [0], ['cut']],
    ['itself, behind other reasoning', [think(0), think(1)], [], ['trailing_reasoning', 'cut']],
  ])('goes where a stop cuts what follows it: %s', async (_, list, kept, repairs) => {
    const assembled = await whole(list, cut);
    expect(items(assembled)).toEqual(kept.map((index) => list[index]));
    expect(codes(assembled.turn.repairs)).toEqual(repairs);
  });

  test('goes where its call has no name, and stays where its call has no JSON', async () => {
    const nameless = await whole([think(0), callItem(1, '{}', { name: '' }), say(2)]);
    expect(items(nameless)).toEqual([think(0), say(2)]);
    const alone = await whole([say(0), think(1), callItem(2, '{}', { name: '' })]);
    expect([items(alone), codes(alone.turn.repairs)]).toEqual([[say(0)], ['unpaired', 'nameless_call']]);
    const invalid = [think(0), callItem(1, '{')];
    expect(items(await whole(invalid))).toEqual(invalid);
  });

  test('goes by the order of output_index, not by that of arrival', async () => {
    const events = [done(1, call(1)), done(0, think(0))];
    expect(items(await assemble([created(), ...events, completed()]))).toEqual([think(0), call(1)]);
  });

  test('stays as it is with an empty summary, without ciphertext, with raw content', async () => {
    const bare = { id: 'rs_0', type: 'reasoning', summary: [] };
    const raw = { id: 'rs_0', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'r' }] };
    const without = { type: 'reasoning', summary: [], encrypted_content: 'c2VhbGVk' };
    for (const item of [bare, raw, without]) expect(items(await whole([item, say(1)]))).toEqual([item, say(1)]);
  });
});

describe('responses({ store: false })', () => {
  const bare = (index: number): JsonObject => ({ id: `rs_${index}`, type: 'reasoning', summary: [] });
  const store = { store: false };

  test.each([undefined, null, '', 3])('leaves reasoning out whose ciphertext is %j, with a warning', async (sealed) => {
    const item = { ...bare(0), encrypted_content: sealed };
    const assembled = await whole([item, call(1)], completed(), store);
    expect(items(assembled)).toEqual([call(1)]);
    expect(assembled.turn.repairs).toMatchObject([{ code: 'unsealed', index: 0 }]);
    expect(assembled.turn.warnings).toMatchObject([{ code: 'unsealed_reasoning', index: 0 }]);
    expect(assembled.turn.blocks[0]?.state).toBe('finished');
  });

  test('keeps reasoning with ciphertext, be it with an id or without', async () => {
    const list = [think(0), reasoningItem(1, ['s'], { id: undefined }), call(2)];
    const assembled = await whole(list, completed(), store);
    expect(items(assembled)).toEqual(JSON.parse(JSON.stringify(list)));
    expect(assembled.turn.warnings).toEqual([]);
  });

  test('goes by the option alone: where the service keeps its answers, an id is enough', async () => {
    const assembled = await whole([bare(0), call(1)], completed([], { store: false }));
    expect(items(assembled)).toEqual([bare(0), call(1)]);
    expect(assembled.turn.carry).toEqual({});
  });

  test('warns of nothing that did not come to an end', async () => {
    const { turn } = await assemble([created(), done(0, bare(0)), done(1, say(1))], store);
    expect([turn.status, turn.warnings]).toEqual(['truncated', []]);
  });
});

describe('responses, messages', () => {
  test.each<[string, JsonObject]>([
    ['empty', messageItem(0, '')],
    ['blank', messageItem(0, '\n')],
    ['without parts', messageItem(0, '', { content: [] })],
    ['with their phase', messageItem(0, 'x', { phase: 'commentary' })],
    ['with log probabilities', messageItem(0, 'x', { logprobs: [{ token: 'x' }] })],
    ['with members that nobody knows', messageItem(0, 'x', { tide: { level: 3 } })],
  ])('go back verbatim: %s', async (_, item) => {
    const assembled = await whole([item]);
    expect([items(assembled), assembled.turn.repairs]).toEqual([[item], []]);
  });
});
