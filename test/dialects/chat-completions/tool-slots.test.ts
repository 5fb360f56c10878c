import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { type Assembled, assemble, blocks, call, chunk, chunks, message, toolCalls } from './wire-chunks.ts';

/** Assembles one tool delta a chunk: `[head, function]`. */
function assembleCalls(deltas: readonly (readonly [JsonObject, JsonObject?])[]): Promise<Assembled> {
  return assemble(
    chunks(
      deltas.map(([head, called]) => call(head, called)),
      'tool_calls',
    ),
  );
}

/** The calls of the message that goes back. */
function callsOf(assembled: Assembled): readonly SentCall[] {
  // Every call of these tests is one of a function.
  return (message(assembled)?.['tool_calls'] ?? []) as SentCall[];
}

interface SentCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

function names(assembled: Assembled): readonly string[] {
  return callsOf(assembled).map(({ function: { name } }) => name);
}

describe('tool slots, a known id', () => {
  test('finds its call, whatever the index is', async () => {
    const assembled = await assembleCalls([
      [
        { index: 0, id: 'a' },
        { name: 'f', arguments: '{"x"' },
      ],
      [
        { index: 1, id: 'b' },
        { name: 'g', arguments: '{"y"' },
      ],
      [{ id: 'a' }, { arguments: ':1}' }],
      [{ index: 0, id: 'b' }, { arguments: ':2}' }],
    ]);
    expect(toolCalls(assembled)).toEqual(['a f {"x":1}', 'b g {"y":2}']);
  });

  test('goes on with its name resent', async () => {
    const assembled = await assembleCalls([
      [
        { index: 0, id: 'a' },
        { name: 'f', arguments: '{"x"' },
      ],
      [
        { index: 0, id: 'a' },
        { name: 'f', arguments: ':1}' },
      ],
    ]);
    expect(toolCalls(assembled)).toEqual(['a f {"x":1}']);
  });

  test('begins another call with a name and another index', async () => {
    const assembled = await assembleCalls([
      [
        { index: 0, id: 'a' },
        { name: 'f', arguments: '{}' },
      ],
      [
        { index: 1, id: 'a' },
        { name: 'f', arguments: '{"x":1}' },
      ],
    ]);
    expect(names(assembled)).toEqual(['f', 'f']);
    expect(blocks(assembled)).toEqual(['tool_call finished {}', 'tool_call finished {"x":1}']);
  });

  test('begins another call with another name once there are arguments', async () => {
    const assembled = await assembleCalls([
      [
        { index: 0, id: 'a' },
        { name: 'f', arguments: '{}' },
      ],
      [
        { index: 0, id: 'a' },
        { name: 'g', arguments: '{"x":1}' },
      ],
    ]);
    expect(names(assembled)).toEqual(['f', 'g']);
    expect(blocks(assembled)).toEqual(['tool_call finished {}', 'tool_call finished {"x":1}']);
  });

  test('takes its first name after the arguments', async () => {
    const assembled = await assembleCalls([
      [{ index: 0, id: 'a' }, { arguments: '{"x"' }],
      [
        { index: 0, id: 'a' },
        { name: 'f', arguments: ':1}' },
      ],
    ]);
    expect(toolCalls(assembled)).toEqual(['a f {"x":1}']);
  });

  test('means the newest of two calls that share it', async () => {
    const assembled = await assembleCalls([
      [
        { index: 0, id: '0' },
        { name: 'f', arguments: '{}' },
      ],
      [
        { index: 1, id: '0' },
        { name: 'g', arguments: '' },
      ],
      [{ index: 1, id: '0' }, { arguments: '{"x":1}' }],
    ]);
    expect(names(assembled)).toEqual(['f', 'g']);
    expect(blocks(assembled)).toEqual(['tool_call finished {}', 'tool_call finished {"x":1}']);
  });

  test('executes what the entry holds, also of two calls that share it', async () => {
    const assembled = await assembleCalls([
      [
        { index: 0, id: '0' },
        { name: 'f', arguments: '{}' },
      ],
      [
        { index: 1, id: '0' },
        { name: 'g', arguments: '{"x":1}' },
      ],
    ]);
    const sent = callsOf(assembled).map(({ id, function: called }) => `${id} ${called.name} ${called.arguments}`);
    expect(toolCalls(assembled)).toEqual(sent);
  });
});

describe('tool slots, an index', () => {
  test('finds the newest call there', async () => {
    const assembled = await assembleCalls([
      [
        { index: 0, id: 'a' },
        { name: 'f', arguments: '{}' },
      ],
      [
        { index: 0, id: 'b' },
        { name: 'f', arguments: '{"x"' },
      ],
      [{ index: 0 }, { arguments: ':1}' }],
    ]);
    expect(toolCalls(assembled)).toEqual(['a f {}', 'b f {"x":1}']);
  });

  test('begins a call when it was not seen before', async () => {
    const assembled = await assembleCalls([
      [
        { index: 7, id: 'a' },
        { name: 'f', arguments: '{}' },
      ],
      [
        { index: 3, id: 'b' },
        { name: 'f', arguments: '{"x"' },
      ],
      [{ index: 7 }, { arguments: ' ' }],
      [{ index: 3 }, { arguments: ':1}' }],
    ]);
    expect(toolCalls(assembled)).toEqual(['a f {} ', 'b f {"x":1}']);
  });

  test('belongs to the open call that has none yet, without id and name', async () => {
    const assembled = await assembleCalls([
      [{ id: 'a' }, { name: 'f', arguments: '{"x"' }],
      [{ index: 0 }, { arguments: ':1' }],
      [{ index: 0 }, { arguments: '}' }],
    ]);
    expect(toolCalls(assembled)).toEqual(['a f {"x":1}']);
  });

  test('begins a call beside one that has none, with a name', async () => {
    const assembled = await assembleCalls([
      [{ id: 'a' }, { name: 'f', arguments: '{}' }],
      [
        { index: 0, id: 'b' },
        { name: 'g', arguments: '{}' },
      ],
    ]);
    expect(toolCalls(assembled)).toEqual(['a f {}', 'b g {}']);
  });

  test('takes several entries of one delta in order', async () => {
    const entries = [
      { index: 0, id: 'a', function: { name: 'f', arguments: '' } },
      { index: 0, function: { arguments: '{"x"' } },
      { index: 1, id: 'b', function: { name: 'g', arguments: '{}' } },
      { index: 0, function: { arguments: ':1}' } },
    ];
    const assembled = await assemble(chunks([{ tool_calls: entries }], 'tool_calls'));
    expect(toolCalls(assembled)).toEqual(['a f {"x":1}', 'b g {}']);
  });
});

describe('tool slots, the open call', () => {
  test('takes what has neither id nor index', async () => {
    const assembled = await assembleCalls([
      [{ id: 'a' }, { name: 'f', arguments: '{"x"' }],
      [{}, { arguments: ':1}' }],
      [{ id: 'b' }, { name: 'f', arguments: '{"x"' }],
      [{}, { arguments: ':2}' }],
    ]);
    expect(toolCalls(assembled)).toEqual(['a f {"x":1}', 'b f {"x":2}']);
  });

  test('ends with another name', async () => {
    const assembled = await assembleCalls([
      [{}, { name: 'f', arguments: '' }],
      [{}, { name: 'g', arguments: '{}' }],
    ]);
    expect(blocks(assembled)).toEqual(['tool_call finished ', 'tool_call finished {}']);
    expect(assembled.turn.toolCalls.map(({ name }) => name)).toEqual(['f', 'g']);
  });

  test('begins when there is none', async () => {
    const assembled = await assembleCalls([
      [{}, { arguments: '{"x"' }],
      [{}, { name: 'f', arguments: ':1}' }],
    ]);
    expect(assembled.turn.toolCalls.map(({ name, inputText }) => [name, inputText])).toEqual([['f', '{"x":1}']]);
  });
});

describe('tool slots, at the call that was found', () => {
  test('begins another with another id and a name', async () => {
    const assembled = await assembleCalls([
      [
        { index: 0, id: 'a' },
        { name: 'f', arguments: '' },
      ],
      [
        { index: 0, id: 'b' },
        { name: 'f', arguments: '{}' },
      ],
    ]);
    expect(toolCalls(assembled)).toEqual(['a f {}', 'b f {}']);
  });

  test('goes on under another id without a name, and keeps the first', async () => {
    const assembled = await assembleCalls([
      [
        { index: 0, id: 'a' },
        { name: 'f', arguments: '{"x"' },
      ],
      [{ index: 0, id: 'z1' }, { arguments: ':' }],
      [
        { index: 0, id: 'z2' },
        { name: '', arguments: '1}' },
      ],
    ]);
    expect(toolCalls(assembled)).toEqual(['a f {"x":1}']);
  });

  test('takes an id that comes late', async () => {
    const assembled = await assembleCalls([
      [{ index: 0 }, { name: 'f', arguments: '{"x"' }],
      [{ index: 0, id: 'a' }, { arguments: ':1}' }],
    ]);
    expect(toolCalls(assembled)).toEqual(['a f {"x":1}']);
  });

  test.each([[{ index: 0 }], [{}]])(
    'goes on with the same name while the arguments are not whole, at %j',
    async (head) => {
      const assembled = await assembleCalls([
        [head, { name: 'f', arguments: '{"x"' }],
        [head, { name: 'f', arguments: ':1}' }],
        [head, { name: 'f', arguments: ' ' }],
        [head, { name: 'f' }],
      ]);
      expect(blocks(assembled)).toEqual(['tool_call finished {"x":1} ']);
    },
  );

  test.each([[{ index: 0 }], [{}]])('begins another with the same name after whole arguments, at %j', async (head) => {
    const assembled = await assembleCalls([
      [head, { name: 'f', arguments: '{"x":1}' }],
      [head, { name: 'f', arguments: '{"x":' }],
      [head, { arguments: '2}' }],
    ]);
    expect(blocks(assembled)).toEqual(['tool_call finished {"x":1}', 'tool_call finished {"x":2}']);
  });

  test.each([
    ['pieces', 'get_', 'weather'],
    ['a longer name', 'get_', 'get_weather'],
  ])('puts a name together of %s', async (_kind, first, second) => {
    const assembled = await assembleCalls([
      [{ index: 0, id: 'a' }, { name: first }],
      [{ index: 0 }, { name: second, arguments: '' }],
      [{ index: 0 }, { arguments: '{}' }],
    ]);
    expect(toolCalls(assembled)).toEqual(['a get_weather {}']);
  });

  test('begins another with another name after arguments', async () => {
    const assembled = await assembleCalls([
      [{ index: 0 }, { name: 'f', arguments: '{}' }],
      [{ index: 0 }, { name: 'g', arguments: '{}' }],
    ]);
    expect(assembled.turn.toolCalls.map(({ name }) => name)).toEqual(['f', 'g']);
  });
});

describe('tool slots, what goes back', () => {
  test('sets id, name and type once, and leaves a missing type out', async () => {
    const assembled = await assembleCalls([
      [
        { index: 0, id: 'a' },
        { name: 'f', arguments: '{"x"' },
      ],
      [
        { index: 0, id: '', type: '' },
        { name: '', arguments: ':1' },
      ],
      [
        { index: 0, id: null, type: null },
        { name: null, arguments: '}' },
      ],
      [
        { index: 1, id: 'b', type: 'function' },
        { name: 'g', arguments: '{}' },
      ],
      [{ index: 1, type: 'custom' }, { arguments: ' ' }],
    ]);
    expect(message(assembled)?.['tool_calls']).toEqual([
      { id: 'a', function: { name: 'f', arguments: '{"x":1}' } },
      { id: 'b', type: 'function', function: { name: 'g', arguments: '{} ' } },
    ]);
  });

  test('keeps what is unknown at the call and at its function, and never loses a member of it', async () => {
    const assembled = await assembleCalls([
      [
        { index: 0, id: 'a', extra_content: { google: { thought_signature: 'S' } } },
        { name: 'f', strict: true },
      ],
      [
        { index: 0, extra_content: { google: { thought_signature: '' }, other: 1 } },
        { arguments: '{}', strict: null },
      ],
      [{ index: 0, extra_content: null }],
    ]);
    expect(message(assembled)?.['tool_calls']).toEqual([
      {
        id: 'a',
        function: { name: 'f', strict: true, arguments: '{}' },
        extra_content: { google: { thought_signature: 'S' }, other: 1 },
      },
    ]);
  });

  test('gives each call without an id one of its own, the same at every reading', async () => {
    const deltas = [call({ index: 0 }, { name: 'f', arguments: '{}' }), call({ index: 1, id: '' }, { name: 'f' })];
    const first = await assemble(chunks(deltas, 'tool_calls'));
    const ids = first.turn.toolCalls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(callsOf(first).map(({ id }) => id)).toEqual(ids);
    expect(toolCalls(await assemble(chunks(deltas, 'tool_calls')))).toEqual(toolCalls(first));
    const other = chunks(deltas, 'tool_calls').map((event) => ({ ...event, id: 'chat_2' }));
    expect((await assemble(other)).turn.toolCalls.map(({ id }) => id)).not.toEqual(ids);
  });

  test('names the calls to execute in the order of the entry, also when a name comes late', async () => {
    const assembled = await assembleCalls([
      [{ index: 0, id: 'a' }],
      [
        { index: 1, id: 'b' },
        { name: 'g', arguments: '{}' },
      ],
      [{ index: 0 }, { name: 'f', arguments: '{}' }],
    ]);
    expect(callsOf(assembled).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(toolCalls(assembled)).toEqual(['a f {}', 'b g {}']);
  });

  test('ignores an element that is no object, with a warning', async () => {
    const deltas = [{ tool_calls: ['odd', null] }, call({ index: 0, id: 'a' }, { name: 'f', arguments: '{}' })];
    const assembled = await assemble(chunks(deltas, 'tool_calls'));
    expect(toolCalls(assembled)).toEqual(['a f {}']);
    expect(assembled.turn.warnings.map(({ code }) => code)).toEqual(['malformed_event']);
  });
});

describe('tool slots, what is shown (D10)', () => {
  test('ends a text with arguments of a call, and not with an empty piece of them', async () => {
    const assembled = await assemble(
      chunks([
        call({ index: 0, id: 'a' }, { name: 'f', arguments: '{' }),
        { content: 'One ' },
        call({ index: 0 }, { arguments: '' }),
        { content: 'two. ' },
        call({ index: 0 }, { arguments: '}' }),
        { content: 'Three.' },
      ]),
    );
    expect(blocks(assembled)).toEqual(['tool_call finished {}', 'text finished One two. ', 'text finished Three.']);
  });

  test('begins a block with a name or arguments, and not before', async () => {
    const assembled = await assemble(
      chunks([
        { content: 'One ' },
        call({ index: 0, id: 'a', type: 'function' }, { name: '', arguments: '' }),
        { content: 'two.' },
        call({ index: 0 }, { name: 'f' }),
      ]),
    );
    expect(blocks(assembled)).toEqual(['text finished One two.', 'tool_call finished ']);
    expect(assembled.ui.filter(({ type }) => type === 'block_start').at(-1)).toEqual({
      type: 'block_start',
      index: 1,
      kind: 'tool_call',
      id: 'a',
      name: 'f',
    });
  });
});

describe('tool slots, what a limit cuts (D5)', () => {
  test('cuts every call that nothing confirms: two whose arguments came in turns', async () => {
    const assembled = await assemble([
      chunk(call({ index: 0, id: 'a' }, { name: 'f', arguments: '{"x"' })),
      chunk(call({ index: 1, id: 'b' }, { name: 'g', arguments: '{}' })),
      chunk(call({ index: 0 }, { arguments: ':1}' }), 'length'),
    ]);
    expect(blocks(assembled)).toEqual(['tool_call cut {"x":1}', 'tool_call cut {}']);
    expect(assembled.turn.entries).toEqual([]);
  });

  test('does not let an empty delta undo what confirmed a call', async () => {
    const assembled = await assemble([
      chunk(call({ index: 0, id: 'a' }, { name: 'f', arguments: '{}' })),
      chunk(call({ index: 1, id: 'b' }, { name: 'g', arguments: '{"y' })),
      chunk(call({ index: 0, id: '' }, { name: '', arguments: '' }), 'length'),
    ]);
    expect(blocks(assembled)).toEqual(['tool_call finished {}', 'tool_call cut {"y']);
    expect(toolCalls(assembled)).toEqual(['a f {}']);
  });

  test.each(['length', 'content_filter', 'model_length', 'max_tokens'])(
    'cuts the last call under %s',
    async (reason) => {
      const assembled = await assemble(chunks([call({ index: 0, id: 'a' }, { name: 'f', arguments: '{}' })], reason));
      expect(blocks(assembled)).toEqual(['tool_call cut {}']);
    },
  );

  test.each(['stop', 'tool_calls', 'function_call', 'eos', 'unheard_of'])(
    'does not cut it under %s',
    async (reason) => {
      const assembled = await assemble(chunks([call({ index: 0, id: 'a' }, { name: 'f', arguments: '{}' })], reason));
      expect(toolCalls(assembled)).toEqual(['a f {}']);
    },
  );
});
