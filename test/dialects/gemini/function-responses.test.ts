import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { functionResponses, type ToolResult } from '../../../src/gemini.ts';
import { type Assembled, assemble, call, chunk, chunks } from './wire-chunks.ts';

const calls = [call({ id: 'a1', name: 'tide', args: { port: 'Eider' } }), { text: '…' }, call({ name: 'wind' })];

function responses({ turn }: Assembled, results: readonly ToolResult[]): JsonObject[] {
  return functionResponses(turn, results).parts.map(({ functionResponse }) => functionResponse);
}

describe('functionResponses', () => {
  test('gives one content, in the order of the calls, with the ids that the wire gave', async () => {
    const { turn } = await assemble(chunks(calls));
    const results = [
      { id: 'call_resp1_2', content: 'NW 5' },
      { id: 'a1', content: { metres: 1.5 } },
    ];
    expect(JSON.stringify(functionResponses(turn, results))).toBe(
      JSON.stringify({
        role: 'user',
        parts: [
          { functionResponse: { id: 'a1', name: 'tide', response: { metres: 1.5 } } },
          { functionResponse: { name: 'wind', response: { output: 'NW 5' } } },
        ],
      }),
    );
  });

  test.each<[unknown, boolean, JsonObject]>([
    [{ level: 2 }, false, { level: 2 }],
    [Object.assign(Object.create(null), { level: 2 }), false, { level: 2 }],
    ['low', false, { output: 'low' }],
    ['', false, { output: '' }],
    [0, false, { output: 0 }],
    [[1, 2], false, { output: [1, 2] }],
    [null, false, { output: null }],
    [undefined, false, { output: null }],
    [new Date(0), false, { output: new Date(0) }],
    [new RangeError('No such port'), false, { output: 'RangeError: No such port' }],
    [new RangeError('No such port'), true, { error: 'RangeError: No such port' }],
    ['low', true, { error: 'low' }],
    [{ level: 2 }, true, { error: { level: 2 } }],
    [undefined, true, { error: null }],
  ])('wraps %j, of a tool that failed: %j', async (content, isError, response) => {
    const assembled = await assemble(chunks([call({ id: 'a', name: 'f' })]));
    expect(responses(assembled, [{ id: 'a', content, isError }])).toEqual([{ id: 'a', name: 'f', response }]);
  });

  test('has no id where the wire gave an empty one', async () => {
    const assembled = await assemble(chunks([call({ id: '', name: 'f' })]));
    expect(responses(assembled, [{ id: 'call_resp1_0', content: {} }])).toEqual([{ name: 'f', response: {} }]);
  });

  test('pairs two calls of one id by their place, under the id that both have', async () => {
    const assembled = await assemble(chunks([call({ id: 'a', name: 'f' }), call({ id: 'a', name: 'g' })]));
    const [first, second] = assembled.turn.toolCalls.map(({ id }) => id);
    const results = [
      { id: second ?? '', content: 2 },
      { id: first ?? '', content: 1 },
    ];
    expect(responses(assembled, results)).toEqual([
      { id: 'a', name: 'f', response: { output: 1 } },
      { id: 'a', name: 'g', response: { output: 2 } },
    ]);
  });

  test('answers a call whose arguments are invalid, for it goes back', async () => {
    const told = [call({ name: 'f', args: [1] }), call({ name: 'g' }), call({ args: {} })];
    const assembled = await assemble(chunks(told));
    const results = [{ id: 'call_resp1_1', content: 'low' }];
    expect(responses(assembled, results)).toEqual([
      { name: 'f', response: { error: 'The arguments are no JSON object' } },
      { name: 'g', response: { output: 'low' } },
    ]);
    const answered = responses(assembled, [...results, { id: 'call_resp1_0', content: 'Try again', isError: true }]);
    expect(answered[0]).toEqual({ name: 'f', response: { error: 'Try again' } });
  });

  test.each<[readonly string[], RegExp]>([
    [['a1'], /call call_resp1_2 has no result/],
    [['a1', 'call_resp1_2', 'a1'], /call a1 has two results/],
    [['a1', 'call_resp1_2', 'b'], /no call b in this turn/],
  ])('refuses results that do not fit the calls: %j', async (ids, message) => {
    const { turn } = await assemble(chunks(calls));
    const results = ids.map((id) => ({ id, content: '' }));
    expect(() => functionResponses(turn, results)).toThrow(TypeError);
    expect(() => functionResponses(turn, results)).toThrow(message);
  });

  test('has no call to answer in a turn that is not complete', async () => {
    const told = [call({ id: 'a', name: 'f' }), call({ name: 'g', args: [1] }), { text: 'a' }];
    const { turn } = await assemble([chunk(told)]);
    expect(turn.status).toBe('truncated');
    expect(() => functionResponses(turn, [{ id: 'a', content: '' }])).toThrow(/no call a in this turn/);
    expect(() => functionResponses(turn, [])).toThrow(/no call to answer/);
  });

  test('leaves out a call that was answered in the turn itself, by the service or by a client in between', async () => {
    const told = [
      call({ id: 'a', name: 'f' }),
      call({ name: 'g' }),
      call({ name: 'g', args: { again: true } }),
      { functionResponse: { name: 'g', response: {} } },
      { functionResponse: { id: 'b', name: 'h', response: {} } },
    ];
    const assembled = await assemble(chunks(told));
    expect(assembled.turn.toolCalls.map(({ name, input }) => [name, input])).toEqual([
      ['f', {}],
      ['g', { again: true }],
    ]);
    const results = assembled.turn.toolCalls.map(({ id }) => ({ id, content: 'low' }));
    expect(responses(assembled, results).map(({ name }) => name)).toEqual(['f', 'g']);
  });

  test.each<[string, readonly JsonObject[], readonly string[]]>([
    [
      'the id, where it has one',
      [call({ id: 'a', name: 'f' }), call({ id: 'b', name: 'f' }), { functionResponse: { id: 'b', name: 'f' } }],
      ['a'],
    ],
    [
      'their order, where it has none',
      [call({ name: 'f' }), call({ name: 'f' }), ...[1, 2].map(() => ({ functionResponse: { name: 'f' } }))],
      [],
    ],
    ['what stands before it', [{ functionResponse: { name: 'f' } }, call({ id: 'a', name: 'f' })], ['a']],
  ])('pairs a call with what answered it in the turn by %s', async (_what, told, open) => {
    const { turn } = await assemble(chunks(told));
    expect(turn.toolCalls.map(({ id }) => id)).toEqual(open);
  });

  test.each([[() => 1], [Symbol('tide')]])('refuses what has no JSON: %s', async (content) => {
    const { turn } = await assemble(chunks([call({ id: 'a', name: 'f' })]));
    expect(() => functionResponses(turn, [{ id: 'a', content }])).toThrow(/call a is a (function|symbol)/);
  });
});
