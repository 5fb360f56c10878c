import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { ToolResult } from '../../../src/core/tool-results.ts';
import type { AssembledTurn } from '../../../src/index.ts';
import { type ResponsesEntry, type ResponsesToolOutput, toolOutputs } from '../../../src/responses.ts';
import { assemble, callItem, completed, created, done, messageItem, reasoningItem } from './wire-events.ts';

const ids = { id: 'item_0', call_id: 'call_0' };

async function turnOf(...list: readonly JsonObject[]): Promise<AssembledTurn<ResponsesEntry>> {
  const { turn } = await assemble([created(), ...list.map((item, index) => done(index, item)), completed()]);
  return turn;
}

/** The output of one call whose result has this content. */
async function outputOf(
  item: JsonObject,
  content: unknown,
  isError?: boolean,
): Promise<ResponsesToolOutput | undefined> {
  const turn = await turnOf({ ...ids, ...item });
  const [output] = toolOutputs(turn, [{ id: 'call_0', content, isError }]);
  return output;
}

describe('toolOutputs', () => {
  test('gives one output for each call of the client, in the order of the items', async () => {
    const turn = await turnOf(
      reasoningItem(0),
      callItem(1, '{}'),
      { type: 'web_search_call', id: 'ws_2' },
      callItem(3, '{}'),
      messageItem(4, 'x'),
    );
    const results = [
      { id: 'call_3', content: { level: 1.5 } },
      { id: 'call_1', content: 'half past nine' },
    ];
    expect(toolOutputs(turn, results)).toEqual([
      { type: 'function_call_output', call_id: 'call_1', output: 'half past nine' },
      { type: 'function_call_output', call_id: 'call_3', output: '{"level":1.5}' },
    ]);
  });

  test.each<[unknown, string]>([
    ['', ''],
    ['text', 'text'],
    [{ level: 3 }, '{"level":3}'],
    [[1, 2], '[1,2]'],
    [[], '[]'],
    [[{ type: 'input_text', text: 'a' }, 3], '[{"type":"input_text","text":"a"},3]'],
    [undefined, 'null'],
    [false, 'false'],
    [new RangeError('No such port'), 'RangeError: No such port'],
  ])('writes the result %j of a function as text', async (content, output) => {
    const item = { type: 'function_call', name: 'f', arguments: '{}' };
    expect(await outputOf(item, content)).toEqual({ type: 'function_call_output', call_id: 'call_0', output });
  });

  test.each(['function_call', 'custom_tool_call'])('takes parts as they are, for %s', async (type) => {
    const parts = [
      { type: 'input_text', text: 'a' },
      { type: 'input_image', image_url: 'data:,' },
    ];
    const item = { type, name: 'f', arguments: '{}', input: 'x' };
    expect(await outputOf(item, parts)).toEqual({ type: `${type}_output`, call_id: 'call_0', output: parts });
  });

  test('answers a custom tool, and a local shell by the id of its call', async () => {
    expect(await outputOf({ type: 'custom_tool_call', name: 'grep', input: 'x' }, 'found')).toEqual({
      type: 'custom_tool_call_output',
      call_id: 'call_0',
      output: 'found',
    });
    expect(await outputOf({ type: 'local_shell_call', action: {} }, 'out')).toEqual({
      type: 'local_shell_call_output',
      id: 'call_0',
      output: 'out',
    });
  });

  test('answers a shell call with a text, or with what came of each command', async () => {
    const item = { type: 'shell_call', action: { commands: ['ls', 'pwd'] } };
    const told = (output: unknown): object => ({ type: 'shell_call_output', call_id: 'call_0', output });
    const outcome = (exit_code: number): object => ({ type: 'exit', exit_code });
    expect(await outputOf(item, 'a')).toEqual(told([{ stdout: 'a', stderr: '', outcome: outcome(0) }]));
    expect(await outputOf(item, 'a', true)).toEqual(told([{ stdout: 'a', stderr: '', outcome: outcome(1) }]));
    const each = [1, 2].map((code) => ({ stdout: '', stderr: 'no', outcome: outcome(code) }));
    expect(await outputOf(item, each)).toEqual(told(each));
  });

  test('marks what became of a patch', async () => {
    const item = { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a' } };
    const told = { type: 'apply_patch_call_output', call_id: 'call_0' };
    expect(await outputOf(item, 'done')).toEqual({ ...told, status: 'completed', output: 'done' });
    expect(await outputOf(item, 'no such file', true)).toEqual({ ...told, status: 'failed', output: 'no such file' });
  });

  test('answers a computer call with a screenshot, and nothing else', async () => {
    const item = { type: 'computer_call', action: { type: 'wait' } };
    const output = { type: 'computer_screenshot', image_url: 'data:,' };
    expect(await outputOf(item, output)).toEqual({ type: 'computer_call_output', call_id: 'call_0', output });
    await expect(outputOf(item, 'text')).rejects.toThrow(/call_0.*computer_screenshot/);
  });

  test('answers a tool search with the tools that were found, and nothing else', async () => {
    const item = { type: 'tool_search_call', execution: 'client', arguments: {} };
    const tools = [{ type: 'function', name: 'tide' }];
    const told = { type: 'tool_search_output', call_id: 'call_0', execution: 'client', status: 'completed' };
    expect(await outputOf(item, tools)).toEqual({ ...told, tools });
    await expect(outputOf(item, { tools })).rejects.toThrow(/call_0.*list of the tools/);
  });

  test('says by which program a function was called', async () => {
    const caller = { type: 'program', caller_id: 'pr_1' };
    const item = { type: 'function_call', name: 'f', arguments: '{}' };
    expect(await outputOf({ ...item, caller }, 'x')).toMatchObject({ call_id: 'call_0', caller });
    expect(await outputOf({ ...item, caller: { type: 'direct' } }, 'x')).not.toHaveProperty('caller');
  });

  test('answers a call whose arguments are no JSON object, for it goes back too', async () => {
    const turn = await turnOf(callItem(0, '{'), callItem(1, '{}'));
    const result = { id: 'call_1', content: 'x' };
    const told = (output: string): object => ({ type: 'function_call_output', call_id: 'call_0', output });
    expect(toolOutputs(turn, [result])[0]).toEqual(told('The arguments are no JSON object'));
    expect(toolOutputs(turn, [result, { id: 'call_0', content: 'Mend it' }])[0]).toEqual(told('Mend it'));
    expect(() => toolOutputs(turn, [])).toThrow(/call_1 has no result/);
  });

  test('marks an invalid call of a shell as failed', async () => {
    const turn = await turnOf({ ...ids, type: 'shell_call', action: 'ls' });
    const outcome = { type: 'exit', exit_code: 1 };
    expect(toolOutputs(turn, [])).toMatchObject([{ type: 'shell_call_output', output: [{ outcome }] }]);
  });

  test('answers a call without ids under the one that it was given', async () => {
    const turn = await turnOf(callItem(0, '{}', { id: undefined, call_id: undefined }));
    const [{ id } = { id: '' }] = turn.toolCalls;
    expect(toolOutputs(turn, [{ id, content: 'x' }])).toEqual([
      { type: 'function_call_output', call_id: turn.entries.map((item) => Object(item)['call_id'])[0], output: 'x' },
    ]);
  });

  test.each<[ToolResult[], RegExp]>([
    [[], /call_0 has no result/],
    [['call_0', 'call_0'].map((id) => ({ id, content: '' })), /call_0 has two results/],
    [['call_0', 'call_9'].map((id) => ({ id, content: '' })), /no call call_9 in this turn/],
    [[{ id: 'call_0', content: () => 1 }], /call call_0 is a function/],
  ])('refuses results that do not fit the calls: %j', async (results, problem) => {
    const turn = await turnOf(callItem(0, '{}'));
    expect(() => toolOutputs(turn, results)).toThrow(problem);
    expect(() => toolOutputs(turn, results)).toThrow(TypeError);
  });
});
