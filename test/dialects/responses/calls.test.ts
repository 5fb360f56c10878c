import { of as just } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { assembleTurn, stringifyRequest } from '../../../src/index.ts';
import { responses } from '../../../src/responses.ts';
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
  items,
  sse,
  story,
  toolCalls,
} from './wire-events.ts';

const ids = { id: 'item_0', call_id: 'call_0' };

function whole(...wholes: readonly JsonObject[]): JsonObject[] {
  return [created(), ...wholes.map((item, index) => done(index, item)), completed()];
}

describe('responses, calls of functions', () => {
  test('keep their arguments as the text that came, and hand out a value of their own', async () => {
    const text = '{ "b": 1.0, "a":1e3, "id":98765432109876543210 }';
    const { turn } = await assemble([created(), ...call(0, text.slice(0, 9), text.slice(9)), completed()]);
    expect(turn.toolCalls.map(({ id, name, inputText }) => [id, name, inputText])).toEqual([['call_0', 'tool', text]]);
    Object.assign(turn.toolCalls[0]?.input ?? {}, { b: 2 });
    expect(turn.entries).toEqual([callItem(0, text)]);
  });

  test.each(['', '  ', '\n'])('read blank arguments as {}, and go back as they came: %j', async (text) => {
    const assembled = await assemble(whole(callItem(0, text)));
    expect(toolCalls(assembled)).toEqual(['call_0 tool {}']);
    expect(items(assembled)).toEqual([callItem(0, text)]);
    expect(assembled.turn.repairs).toEqual([]);
  });

  test.each(['[1]', 'null', '"x"', '3', '{"a":', '{"a":1}{"a":1}', '{a:1}'])(
    'are invalid with the arguments %j, are not run, and go back verbatim',
    async (text) => {
      const assembled = await assemble(whole(callItem(0, text)));
      expect(blocks(assembled)).toEqual([`tool_call invalid ${text}`]);
      expect([toolCalls(assembled), assembled.turn.repairs]).toEqual([[], []]);
      expect(items(assembled)).toEqual([callItem(0, text)]);
    },
  );

  test('are left out without a name', async () => {
    for (const name of [undefined, '', null]) {
      const assembled = await assemble(whole(callItem(0, '{}', { name })));
      expect(blocks(assembled)).toEqual(['tool_call invalid {}']);
      expect([items(assembled), toolCalls(assembled)]).toEqual([[], []]);
      expect(codes(assembled.turn.repairs)).toEqual(['nameless_call']);
    }
  });

  test('are known by their call_id, else by their id, else by one that is made up and goes back', async () => {
    const bare = { id: undefined, call_id: undefined };
    const events = whole(callItem(0, '{}'), callItem(1, '{}', { call_id: undefined }), callItem(2, '{}', bare));
    const assembled = await assemble(events);
    const known = assembled.turn.toolCalls.map(({ id }) => id);
    expect(known.slice(0, 2)).toEqual(['call_0', 'fc_1']);
    expect(known[2]).toMatch(/^call_\w+$/);
    expect(items(assembled).map(({ call_id: id }) => id)).toEqual(known);
    expect(items(assembled)[2]).not.toHaveProperty('id');
    expect((await assemble(events)).turn.toolCalls.map(({ id }) => id)).toEqual(known);
  });

  test('go back and run under ids of their own when two have the same', async () => {
    const assembled = await assemble(whole(callItem(0, '{"n":0}'), callItem(1, '{"n":1}', { call_id: 'call_0' })));
    const [first, second] = assembled.turn.toolCalls.map(({ id }) => id);
    expect([first, second === 'call_0', second === undefined]).toEqual(['call_0', false, false]);
    expect(items(assembled).map(({ call_id: id }) => id)).toEqual([first, second]);
    expect(assembled.turn.repairs).toMatchObject([{ code: 'duplicate_id', index: 1 }]);
  });

  test('keep members that belong to them: who calls, in which namespace', async () => {
    const item = callItem(0, '{}', { caller: { type: 'program', id: 'pr_1' }, namespace: 'tide', async: true });
    expect(items(await assemble(whole(item)))).toEqual([item]);
  });

  test('are whole although a call made by a program is in progress when it is done', async () => {
    const item = callItem(0, '{}', { status: 'in_progress' });
    expect(blocks(await assemble(whole(item)))).toEqual(['tool_call finished {}']);
  });
});

describe('responses, other calls that the client runs', () => {
  test.each<[string, JsonObject, string]>([
    ['custom_tool_call', { type: 'custom_tool_call', name: 'grep', input: 'a|b' }, 'grep a|b'],
    ['custom_tool_call without input', { type: 'custom_tool_call', name: 'grep', input: '' }, 'grep'],
    [
      'local_shell_call',
      { type: 'local_shell_call', action: { type: 'exec', command: ['ls'] } },
      'local_shell {"type":"exec","command":["ls"]}',
    ],
    ['shell_call', { type: 'shell_call', action: { commands: ['ls'] } }, 'shell {"commands":["ls"]}'],
    [
      'shell_call with a local environment',
      { type: 'shell_call', action: { commands: ['ls'] }, environment: { type: 'local' } },
      'shell {"commands":["ls"]}',
    ],
    [
      'apply_patch_call',
      { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a' } },
      'apply_patch {"type":"delete_file","path":"a"}',
    ],
    ['computer_call', { type: 'computer_call', action: { type: 'wait' } }, 'computer {"type":"wait"}'],
    [
      'computer_call of several actions',
      { type: 'computer_call', actions: [{ type: 'wait' }] },
      'computer [{"type":"wait"}]',
    ],
    [
      'tool_search_call',
      { type: 'tool_search_call', execution: 'client', arguments: { goal: 'tide' } },
      'tool_search {"goal":"tide"}',
    ],
  ])('are executable: %s', async (_, members, expected) => {
    const item = { ...ids, ...members };
    const assembled = await assemble(whole(item));
    expect(toolCalls(assembled).map((line) => line.trimEnd())).toEqual([`call_0 ${expected}`]);
    expect(items(assembled)).toEqual([item]);
    expect(codes(assembled.turn.warnings)).toEqual([]);
    const [{ input } = { input: null }] = assembled.turn.toolCalls;
    const value = members['input'] ?? members['action'] ?? members['operation'] ?? members['actions'];
    expect(input).toEqual(value ?? members['arguments']);
  });

  test('show the source text of their input where nothing was shown live, as one delta', async () => {
    const text = '{"commands": ["ls"], "timeout_ms": 1.0}';
    const item = JSON.stringify({ ...ids, type: 'shell_call', action: {} }).replace('{}', text);
    const body = `${sse(created())}data: {"type":"response.output_item.done","output_index":0,"item":${item}}\n\n`;
    const assembled = await assemble(body + sse(completed()));
    expect(story(assembled)[1]).toBe(`input 0 ${text}`);
    expect(assembled.turn.toolCalls[0]?.inputText).toBe(text);
    expect(stringifyRequest(assembled.turn.entries)).toBe(`[${item}]`);
  });

  test('show nothing more where commands or a diff were shown live', async () => {
    const item = { ...ids, type: 'shell_call', action: { commands: ['ls', 'pwd'] } };
    const events = [
      added(0, { ...item, action: { commands: [] } }),
      delta('shell_call_command', 0, 'ls', { command_index: 0 }),
      delta('shell_call_command', 0, 'pwd', { command_index: 1 }),
      done(0, item),
    ];
    const assembled = await assemble([created(), ...events, completed()]);
    expect(blocks(assembled)).toEqual(['tool_call finished lspwd']);
    expect(toolCalls(assembled)).toEqual(['call_0 shell {"commands":["ls","pwd"]}']);
    const patch = { ...ids, type: 'apply_patch_call', operation: { type: 'create_file', path: 'a', diff: '+a\n' } };
    const live = [added(0, { ...patch, operation: {} }), delta('apply_patch_call_operation_diff', 0, '+a')];
    expect(blocks(await assemble([created(), ...live, done(0, patch), completed()]))).toEqual([
      'tool_call finished +a',
    ]);
  });

  test.each([{ type: 'local_shell_call', action: 'ls' }, { type: 'shell_call' }, { type: 'computer_call', action: 3 }])(
    'are invalid with an input that is no object, and go back verbatim: %j',
    async (members) => {
      const item = { ...ids, ...members };
      const { turn } = await assemble(whole(item));
      const isNothing = !('action' in members);
      expect(turn.blocks.map(({ state }) => state)).toEqual([isNothing ? 'finished' : 'invalid']);
      expect(turn.entries).toEqual([item]);
    },
  );
});

describe('responses, calls of the server', () => {
  test.each<[JsonObject, string]>([
    [{ type: 'shell_call', environment: { type: 'container_reference' } }, 'shell'],
    [{ type: 'shell_call', environment: { type: 'container_auto' } }, 'shell'],
    [{ type: 'tool_search_call', execution: 'server' }, 'tool_search'],
    [{ type: 'tool_search_call' }, 'tool_search'],
    [{ type: 'mcp_call', name: 'find', arguments: '{}' }, 'find'],
    [{ type: 'web_search_call' }, 'web_search'],
    [{ type: 'file_search_call' }, 'file_search'],
    [{ type: 'image_generation_call' }, 'image_generation'],
    [{ type: 'tide_call' }, 'tide'],
    [{ type: 'mcp_list_tools' }, 'mcp_list_tools'],
    [{ type: 'program' }, 'program'],
  ])('are none of the client: %j', async (members, name) => {
    const item = { ...ids, ...members };
    const { turn } = await assemble(whole(item));
    expect(turn.blocks).toMatchObject([{ kind: 'server_tool_call', state: 'finished', id: 'item_0', name }]);
    expect([turn.toolCalls, turn.entries]).toEqual([[], [item]]);
  });
});

describe('responses, from the parsed events of an SDK', () => {
  test('hands out the same calls, and leaves the events as they were', async () => {
    const item = { ...ids, type: 'shell_call', action: { commands: ['ls'] } };
    const events = [created(), done(0, item), ...call(1, '{"a":', '1}'), completed()];
    const before = structuredClone(events);
    const turn = await assembleTurn(just(...events), responses).settled();
    expect(toolCalls({ turn, ui: [] })).toEqual(['call_0 shell {"commands":["ls"]}', 'call_1 tool {"a":1}']);
    Object.assign(turn.toolCalls[0]?.input ?? {}, { commands: [] });
    expect(events).toEqual(before);
    expect(turn.entries).toEqual([item, callItem(1, '{"a":1}')]);
  });
});
