import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { Limits } from '../../../src/core/limits.ts';
import { responses } from '../../../src/responses.ts';
import { createChunkStage } from '../../../src/rx/chunk-stage.ts';
import { checkStory } from '../../laws/dialect-laws.ts';
import {
  type Assembled,
  added,
  assemble,
  blocks,
  call,
  callItem,
  codes,
  completed,
  created,
  delta,
  done,
  message,
  messageItem,
  of,
  reasoningItem,
  sse,
} from './wire-events.ts';

const long = 'x'.repeat(3000);
const open = added(0, messageItem(0, '', { content: [] }));

/** Assembles within limits, and checks that the story is whole, be it at the end of the bytes or at any event. */
async function within(limits: Partial<Limits>, ...events: readonly JsonObject[]): Promise<Assembled> {
  const body = sse(created(), ...events);
  const stage = createChunkStage(responses, { clock: () => 0, limits });
  const told = stage.push(body);
  checkStory(stage.isOver ? told : [...told, ...stage.flush()]);
  return assemble(body, {}, limits);
}

function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`;
}

describe('responses, within the limit of a turn', () => {
  test.each<[string, JsonObject[]]>([
    ['pieces of a text', [open, ...Array.from({ length: 30 }, () => delta('output_text', 0, 'x'.repeat(100)))]],
    ['a text that an item begins with', [added(0, reasoningItem(0, [long]))]],
    ['a message that an item begins with', [added(0, messageItem(0, long)), delta('output_text', 0, 'x')]],
    ['arguments that an item begins with', [added(0, callItem(0, long))]],
    ['a whole text', [open, of('output_text.done', 0, { text: long })]],
    ['a whole part', [open, of('content_part.done', 0, { part: { type: 'output_text', text: long } })]],
    ['ciphertext', [done(0, reasoningItem(0, [], { encrypted_content: long }))]],
    ['ciphertext of an item that begins', [added(0, reasoningItem(0, [], { encrypted_content: long }))]],
    ['an item that nobody knows', [done(0, { type: 'tide_table', level: long })]],
    ['an annotation', [open, of('output_text.annotation.added', 0, { annotation: { quote: long } })]],
    ['an image', [of('image_generation_call.partial_image', 0, { partial_image_b64: long })]],
    ['an item of the terminal output', [completed([messageItem(0, 'x', { extra: long })])]],
    ['members of the response', [{ type: 'response.in_progress', response: { metadata: long } }]],
  ])('counts %s', async (_, events) => {
    const { turn } = await within({ turnLength: 2000 }, ...events);
    expect([turn.status, turn.error?.code]).toEqual(['failed', 'limit_exceeded']);
    expect(turn.error).toMatchObject({ limit: 'turnLength', value: 2000 });
    expect([turn.entries, turn.toolCalls]).toEqual([[], []]);
    expect((await within({ turnLength: 20_000 }, ...events)).turn.error).toBeUndefined();
  });

  test('counts an answer once, although it comes in pieces and four times whole', async () => {
    const events = [...message(0, ...(long.match(/.{100}/g) ?? [])), completed([messageItem(0, long)])];
    expect((await within({ turnLength: 6000 }, ...events)).turn.status).toBe('complete');
  });

  test('ends the block of an item whose first text is beyond it', async () => {
    const events = [added(0, messageItem(0, long)), delta('output_text', 0, 'x')];
    const assembled = await within({ turnLength: 4500 }, ...events);
    expect(assembled.turn.error).toMatchObject({ limit: 'turnLength' });
    expect(blocks(assembled)).toEqual(['text cut']);
  });

  test('keeps what was received', async () => {
    const events = [
      ...message(0, 'Kept.'),
      ...call(1, '{}'),
      added(2, callItem(2, '')),
      delta('function_call_arguments', 2, long),
    ];
    const assembled = await within({ turnLength: 2000 }, ...events);
    expect(blocks(assembled)).toEqual(['text finished Kept.', 'tool_call finished {}', 'tool_call cut']);
    expect(assembled.ui.at(-1)).toMatchObject({ status: 'failed', error: { code: 'limit_exceeded' } });
  });
});

describe('responses, within the other limits', () => {
  test('has as many blocks as there may be, and no more', async () => {
    const events = [0, 1, 2].map((index) => done(index, messageItem(index, 'x')));
    expect((await within({ blocks: 3 }, ...events, completed())).turn.status).toBe('complete');
    const assembled = await within({ blocks: 2 }, ...events, completed());
    expect(assembled.turn.error).toMatchObject({ code: 'limit_exceeded', limit: 'blocks', value: 2 });
    expect(blocks(assembled)).toEqual(['text finished x', 'text finished x']);
  });

  test('counts messages that wait for their first part', async () => {
    const waiting = [0, 1, 2].map((index) => added(index, messageItem(index, '', { content: [] })));
    expect((await within({ blocks: 2 }, ...waiting)).turn.error).toMatchObject({ limit: 'blocks' });
  });

  test('counts the blocks of an answer that is void, and ends all of the other', async () => {
    const waiting = [1, 2, 3].map((index) => added(index, messageItem(index, '', { content: [] })));
    const first = [...message(0, 'x'), ...message(1, 'y')];
    const second = [created({ id: 'resp_2' }), ...call(0, '{}').slice(0, 1), ...waiting];
    const assembled = await within({ blocks: 4 }, ...first, ...second);
    expect(assembled.turn.error).toMatchObject({ limit: 'blocks' });
    expect(blocks(assembled)).toEqual(['tool_call cut', 'text cut']);
  });

  test.each<[string, (depth: number) => JsonObject]>([
    ['arguments', (depth) => callItem(0, `{"a":${nested(depth)}}`)],
    ['an action', (depth) => ({ type: 'shell_call', id: 's', action: { a: JSON.parse(nested(depth)) } })],
    ['actions', (depth) => ({ type: 'computer_call', id: 'c', actions: [JSON.parse(nested(depth))] })],
    ['an operation', (depth) => ({ type: 'apply_patch_call', id: 'p', operation: { a: JSON.parse(nested(depth)) } })],
  ])('reads %s no deeper than it may nest', async (_, item) => {
    expect((await within({ inputDepth: 60 }, done(0, item(40)), completed())).turn.toolCalls).toHaveLength(1);
    const { turn } = await within({ inputDepth: 60 }, ...message(1, 'Kept.'), done(0, item(80)), completed());
    expect(turn.error).toMatchObject({ code: 'limit_exceeded', limit: 'inputDepth', value: 60 });
    expect(turn.blocks[0]).toMatchObject({ state: 'finished', text: 'Kept.' });
  });

  test('reads arguments that nest as deep as a message is long', async () => {
    const { turn } = await within({}, done(0, callItem(0, `{"a":${nested(1_000_000)}}`)), completed());
    expect(turn.error).toMatchObject({ code: 'limit_exceeded', limit: 'inputDepth' });
    const action = `{"type":"shell_call","id":"s","action":{"a":${nested(100_000)}}}`;
    const body = `${sse(created())}data: {"type":"response.output_item.done","output_index":0,"item":${action}}\n\n`;
    expect((await assemble(body)).turn.error).toMatchObject({ code: 'limit_exceeded', limit: 'inputDepth' });
  });

  test('takes custom input for a text, however deep it nests', async () => {
    const item = { type: 'custom_tool_call', id: 'c', call_id: 'c', name: 'n', input: nested(1000) };
    expect((await within({ inputDepth: 5 }, done(0, item), completed())).turn.toolCalls).toHaveLength(1);
  });

  test('warns of a thousand things, and then that there are more', async () => {
    const unknown = Array.from({ length: 1500 }, (_, n) => of(`tide_${n}`, 0));
    const { turn } = await within({}, ...unknown, completed());
    expect(turn.warnings).toHaveLength(1001);
    expect(codes(turn.warnings).at(-1)).toBe('too_many_warnings');
  });
});
