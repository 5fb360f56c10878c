import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { stringifyRequest } from '../../../src/index.ts';
import {
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
  incomplete,
  items,
  message,
  messageItem,
  of,
  reasoning,
  reasoningItem,
  sse,
  toolCalls,
} from './wire-events.ts';

const place = { content_index: 0 };

describe('responses, an item', () => {
  test('is what its output_item.done said, whatever came before', async () => {
    const item = messageItem(0, 'Whole', { phase: 'final_answer', extra: { kept: [1] } });
    const events = [
      added(0, messageItem(0, '', { content: [] })),
      delta('output_text', 0, 'Who', place),
      done(0, item),
    ];
    const assembled = await assemble([created(), ...events, completed([messageItem(0, 'Other')])]);
    expect(items(assembled)).toEqual([item]);
    expect(assembled.turn.blocks[0]?.native).toEqual(item);
  });

  test('has the id and the ciphertext of one event, its done', async () => {
    const terminal = [reasoningItem(0, [], { id: 'rs_terminal', encrypted_content: 'dGVybWluYWw=' })];
    const assembled = await assemble([created(), ...reasoning(0), ...message(1, 'x'), completed(terminal)]);
    expect(items(assembled)[0]).toMatchObject({ id: 'rs_0', encrypted_content: 'c2VhbGVk0' });
    expect(JSON.stringify(assembled.turn)).not.toMatch(/c3R1Yg|dGVybWluYWw/);
  });

  test('goes back in its own text: numbers, order of members, escapes', async () => {
    const item = '{"type":"tide_table","2":1.0,"1":12345678901234567890,"level":1e3,"name":"\\u00e9"}';
    const body = `${sse(created())}data: {"type":"response.output_item.done","output_index":0,"item":${item}}\n\n`;
    const { turn } = await assemble(body + sse(completed()));
    expect(stringifyRequest(turn.entries)).toBe(`[${item}]`);
  });

  test('that was cut holds what came of it', async () => {
    const events = [
      added(0, reasoningItem(0)),
      delta('reasoning_summary_text', 0, 'a', { summary_index: 0 }),
      delta('reasoning_summary_text', 0, 'b', { summary_index: 1 }),
      added(1, messageItem(1, '', { content: [] })),
      delta('output_text', 1, 'Half', place),
      added(2, callItem(2, '')),
      delta('function_call_arguments', 2, '{"a'),
    ];
    const { turn } = await assemble([created(), ...events]);
    expect(turn.blocks.map(({ state, native }) => [state, native])).toEqual([
      ['cut', reasoningItem(0, ['a', 'b'])],
      ['cut', { ...messageItem(1, ''), content: [{ type: 'output_text', text: 'Half' }] }],
      ['cut', callItem(2, '{"a')],
    ]);
  });
});

describe('responses, slots', () => {
  test('go by output_index, whatever ids the events have', async () => {
    const rotating = (event: JsonObject, n: number): JsonObject => ({ ...event, item_id: `rotating_${n}` });
    const events = [
      added(0, callItem(0, '', { id: 'a' })),
      added(1, callItem(1, '', { id: 'b' })),
      ...['{"n"', ':0}'].map((piece, n) => rotating(delta('function_call_arguments', 0, piece), n)),
      ...['{"n"', ':1}'].map((piece, n) => rotating(delta('function_call_arguments', 1, piece), n)),
      done(1, callItem(1, '{"n":1}', { id: 'c' })),
      done(0, callItem(0, '{"n":0}', { id: 'd' })),
    ];
    const assembled = await assemble([created(), ...events, completed()]);
    expect(blocks(assembled)).toEqual(['tool_call finished {"n":0}', 'tool_call finished {"n":1}']);
    expect(items(assembled).map(({ id }) => id)).toEqual(['d', 'c']);
    expect(assembled.turn.warnings).toEqual([]);
  });

  test('go by output_index where an item_id says otherwise', async () => {
    const crossed = { item_id: 'fc_1' };
    const events = [added(0, callItem(0, '')), added(1, callItem(1, ''))];
    const pieces = [delta('function_call_arguments', 0, '{"n":0}', crossed), delta('function_call_arguments', 1, '{}')];
    expect(blocks(await assemble([created(), ...events, ...pieces]))).toEqual([
      'tool_call cut {"n":0}',
      'tool_call cut {}',
    ]);
  });

  test('go back in the order of output_index, while blocks are in the order of arrival', async () => {
    const assembled = await assemble([
      created(),
      ...message(2, 'c'),
      ...message(0, 'a'),
      ...call(1, '{}'),
      completed(),
    ]);
    expect(blocks(assembled)).toEqual(['text finished c', 'text finished a', 'tool_call finished {}']);
    expect(items(assembled).map(({ id }) => id)).toEqual(['msg_0', 'fc_1', 'msg_2']);
  });

  test('order calls as the items are, for the results', async () => {
    const assembled = await assemble([created(), ...call(1, '{"n":1}'), ...call(0, '{"n":0}'), completed()]);
    expect(toolCalls(assembled)).toEqual(['call_0 tool {"n":0}', 'call_1 tool {"n":1}']);
  });

  test('are found by item_id where an event has no output_index', async () => {
    const events = [...call(0, '{"n":', '0}'), ...call(1, '{"n":', '1}')].map((event) => {
      const { output_index: index, ...rest } = event;
      return { ...rest, ...(event['item'] === undefined && { item_id: `fc_${String(index)}` }) };
    });
    const assembled = await assemble([created(), ...events, completed()]);
    expect(toolCalls(assembled)).toEqual(['call_0 tool {"n":0}', 'call_1 tool {"n":1}']);
    expect(assembled.turn.warnings).toEqual([]);
  });

  test('are new ones where nothing tells which', async () => {
    const events = [{ type: 'response.output_item.done', item: messageItem(0, 'a', { id: undefined }) }];
    const assembled = await assemble([created(), ...events, ...events, completed()]);
    expect(blocks(assembled)).toEqual(['text finished a', 'text finished a']);
  });

  test('take an item that begins twice as one, with a warning', async () => {
    const [begin, ...rest] = call(0, '{}');
    const assembled = await assemble([created(), begin ?? {}, begin ?? {}, ...rest, completed()]);
    expect(blocks(assembled)).toEqual(['tool_call finished {}']);
    expect(codes(assembled.turn.warnings)).toEqual(['duplicate_block_start']);
  });

  test('take an item that is done twice as one, with a warning', async () => {
    const assembled = await assemble([created(), ...call(0, '{}'), done(0, callItem(0, '{"b":2}')), completed()]);
    expect(items(assembled)).toEqual([callItem(0, '{}')]);
    expect(codes(assembled.turn.warnings)).toEqual(['unexpected_delta']);
  });
});

describe('responses, the terminal output', () => {
  test('counts for what was never done, and for nothing else', async () => {
    const output = [messageItem(0, 'other'), callItem(1, '{"a":1}'), messageItem(2, 'late')];
    const events = [...message(0, 'x'), added(1, callItem(1, '')), delta('function_call_arguments', 1, '{"a')];
    const assembled = await assemble([created(), ...events, completed(output)]);
    expect(blocks(assembled)).toEqual(['text finished x', 'tool_call finished {"a":1}', 'text finished late']);
    expect(items(assembled)).toEqual([messageItem(0, 'x'), callItem(1, '{"a":1}'), messageItem(2, 'late')]);
    expect(toolCalls(assembled)).toEqual(['call_1 tool {"a":1}']);
  });

  test.each([[[]], [undefined], [null], ['none']])('changes nothing where it is %j', async (output) => {
    const assembled = await assemble([created(), ...message(0, 'x'), ...call(1, '{}'), completed(output)]);
    expect(items(assembled)).toEqual([messageItem(0, 'x'), callItem(1, '{}')]);
  });

  test('does not send an item twice whose place has shifted', async () => {
    const output = [messageItem(1, 'x')];
    const assembled = await assemble([created(), ...message(1, 'x'), completed(output)]);
    expect(items(assembled)).toEqual([messageItem(1, 'x')]);
  });

  test('leaves cut what it does not have: a shifted place is not taken for that of another item', async () => {
    const events = [added(0, reasoningItem(0)), added(1, messageItem(1, '', { content: [] }))];
    const assembled = await assemble([created(), ...events, completed([messageItem(1, 'x')])]);
    expect(blocks(assembled)).toEqual(['reasoning cut', 'text finished x']);
    expect(items(assembled)).toEqual([messageItem(1, 'x')]);
  });

  test('does not serve a place with an item of another type, where ids change and places have shifted', async () => {
    const events = [added(0, reasoningItem(0)), ...message(1, 'x')];
    const assembled = await assemble([created(), ...events, completed([messageItem(1, 'x', { id: 'other' })])]);
    expect(blocks(assembled)).toEqual(['reasoning cut', 'text finished x']);
    expect(items(assembled)).toEqual([messageItem(1, 'x')]);
  });

  test('serves an item by its id where the places have shifted', async () => {
    const events = [...message(0, 'x'), added(1, callItem(1, '')), added(2, callItem(2, ''))];
    const assembled = await assemble([
      created(),
      ...events,
      completed([callItem(2, '{"n":2}'), callItem(1, '{"n":1}')]),
    ]);
    expect(toolCalls(assembled)).toEqual(['call_1 tool {"n":1}', 'call_2 tool {"n":2}']);
  });

  test('serves an item by its place where the ids change', async () => {
    const output = [messageItem(0, 'x', { id: 'other' }), callItem(1, '{"n":1}', { id: 'another' })];
    const assembled = await assemble([created(), ...message(0, 'x'), added(1, callItem(1, '')), completed(output)]);
    expect(items(assembled)).toEqual([messageItem(0, 'x'), output[1]]);
  });

  test('has the source texts of its items', async () => {
    const item = callItem(0, '{"a":1}');
    const wire = JSON.stringify(item).replace('"name"', '"n":1.0,"name"');
    const end = `data: {"type":"response.completed","response":{"id":"resp_1","output":[${wire}]}}\n\n`;
    const { turn } = await assemble(sse(created()) + end);
    expect(stringifyRequest(turn.entries)).toBe(`[${wire}]`);
  });

  test('of an incomplete response leaves what it cut to be cut', async () => {
    const output = [messageItem(0, 'x'), callItem(1, '{"a":1}', { status: 'incomplete' })];
    const assembled = await assemble([created(), incomplete('max_output_tokens', { output })]);
    expect(blocks(assembled)).toEqual(['text finished x', 'tool_call cut {"a":1}']);
    expect(items(assembled)).toEqual([messageItem(0, 'x')]);
  });

  test('leaves an item cut that was never done and that it does not have', async () => {
    const assembled = await assemble([created(), ...message(0, 'x'), added(1, messageItem(1, '')), completed()]);
    expect(blocks(assembled)).toEqual(['text finished x', 'text cut']);
    expect(items(assembled)).toEqual([messageItem(0, 'x')]);
    expect(codes(assembled.turn.repairs)).toEqual(['cut']);
  });

  test('ends also a message that never got a part', async () => {
    const begin = added(0, messageItem(0, '', { content: [] }));
    const assembled = await assemble([created(), begin, of('content_part.added', 0), completed()]);
    expect(blocks(assembled)).toEqual(['text cut']);
  });
});
