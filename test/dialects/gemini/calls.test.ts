import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { stringifyRequest } from '../../../src/index.ts';
import { assemble, blocks, call, chunk, chunks, parts, repairs, story, toolCalls } from './wire-chunks.ts';

/** A body of one chunk with these parts, written out. */
function written(...list: readonly string[]): string {
  return `data: {"candidates": [{"content": {"parts": [${list.join(', ')}]}, "finishReason": "STOP"}], "responseId": "resp1"}\r\n\r\n`;
}

describe('a call that comes whole', () => {
  test('shows its arguments, waits for what follows, and goes back as it came', async () => {
    const told = call({ id: 'a1', name: 'tide', args: { port: 'Eider' } }, { thoughtSignature: 'c2ln' });
    const assembled = await assemble(chunks([told, { text: 'Done.' }]));
    expect(story(assembled)).toEqual([
      'turn_start',
      'block_start 0 tool_call a1 tide',
      'tool_input_delta 0 {"port":"Eider"}',
      'block_stop 0 finished',
      'block_start 1 text',
      'text_delta 1 Done.',
      'block_stop 1 finished',
      'turn_stop',
    ]);
    expect(JSON.stringify(assembled.turn.entries[0]?.parts[0])).toBe(JSON.stringify(told));
  });

  test('keeps the source text of its arguments', async () => {
    const args = '{"port" : "Ei\\u0064er", "at": 1.0, "10": 12345678901234567890}';
    const assembled = await assemble(
      written(
        '{"text": "a"}',
        `{"functionCall": {"args": ${args} , "name": "tide"}}`,
        '{"functionCall": {"name": "x", "args": {} }}',
      ),
    );
    expect(assembled.turn.toolCalls.map(({ inputText }) => inputText)).toEqual([args, '{}']);
    expect(stringifyRequest(assembled.turn.entries)).toContain(`{"functionCall":{"args":${args},"name":"tide"}}`);
  });

  test('without arguments stays without, and runs with {}', async () => {
    const assembled = await assemble(chunks([call({ name: 'tide' })]));
    expect(toolCalls(assembled)).toEqual(['call_resp1_0 tide {}']);
    expect(parts(assembled)).toEqual([call({ name: 'tide' })]);
    expect(story(assembled).filter((line) => line.startsWith('tool_input'))).toEqual([]);
  });

  test.each([['[1, 2]'], ['"{}"'], ['null'], ['7']])(
    'with arguments %s is invalid, and goes back wrapped',
    async (args) => {
      const assembled = await assemble(written(`{"functionCall": {"name": "tide", "args": ${args}}}`));
      expect(blocks(assembled)).toEqual([`tool_call invalid ${args}`]);
      expect(parts(assembled)).toEqual([call({ name: 'tide', args: { INVALID_JSON: args } })]);
      expect([toolCalls(assembled), repairs(assembled)]).toEqual([[], ['invalid_input 0']]);
    },
  );

  test.each<[JsonObject]>([[{ args: { a: 1 } }], [{ name: '', args: { a: 1 } }], [{ name: 7, args: { a: 1 } }]])(
    'without a name is left out: %j',
    async (called) => {
      const assembled = await assemble(chunks([call(called), { text: 'a' }]));
      expect(blocks(assembled)).toEqual(['tool_call invalid {"a":1}', 'text finished a']);
      expect(parts(assembled)).toEqual([{ text: 'a' }]);
      expect([toolCalls(assembled), repairs(assembled)]).toEqual([[], ['nameless_call 0']]);
    },
  );

  test('is a call whatever text stands beside it', async () => {
    const told = call({ name: 'tide', args: {} }, { text: 'Now', thought: true });
    const assembled = await assemble(chunks([told]));
    expect(assembled.turn.blocks.map(({ kind }) => kind)).toEqual(['tool_call']);
    expect(parts(assembled)).toEqual([told]);
  });

  test('gives a tool a copy of what goes back', async () => {
    const { turn } = await assemble(chunks([call({ name: 'tide', args: { at: [1] } })]));
    Object.assign(turn.toolCalls[0]?.input ?? {}, { at: 'changed' });
    expect(turn.entries[0]?.parts[0]?.functionCall?.args).toEqual({ at: [1] });
  });

  test('that comes from an SDK has the text of its parsed arguments', async () => {
    const { createTurnStage } = await import('../../../src/core/turn-stage.ts');
    const { gemini } = await import('../../../src/gemini.ts');
    const stage = createTurnStage(gemini);
    stage.pushEvent(chunk([call({ name: 'tide', args: { at: 1 } })], { finishReason: 'STOP' }));
    const last = stage.flush().at(-2);
    expect(last?.type === 'turn' && last.turn.toolCalls[0]?.inputText).toBe('{"at":1}');
  });
});

describe('ids of calls', () => {
  test('are minted where the wire has none, and kept out of the entry', async () => {
    const assembled = await assemble(
      chunks([{ text: 'a' }, call({ name: 'f', args: {} }), call({ name: 'f', args: {} })]),
    );
    expect(toolCalls(assembled)).toEqual(['call_resp1_1 f {}', 'call_resp1_2 f {}']);
    expect(stringifyRequest(assembled.turn.entries)).not.toContain('"id"');
  });

  // obsidian-gemini#230: a call that is repeated without its signature erases nothing.
  test('are minted for the second call of one id; both go back as they are', async () => {
    const told = [
      call({ id: 'a1', name: 'f', args: { a: 1 } }, { thoughtSignature: 'c2ln' }),
      call({ id: 'a1', name: 'f', args: { a: 1 } }),
    ];
    const assembled = await assemble(chunks(told));
    expect(toolCalls(assembled)).toEqual(['a1 f {"a":1}', 'call_resp1_1 f {"a":1}']);
    expect(parts(assembled)).toEqual(told);
    expect(repairs(assembled)).toEqual([]);
  });

  test('are never those of another call, whatever the wire says', async () => {
    const told = [call({ id: 'call_resp1_1', name: 'f', args: {} }), call({ name: 'g', args: {} })];
    const ids = (await assemble(chunks(told))).turn.toolCalls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(ids[0]).toBe('call_resp1_1');
  });
});
