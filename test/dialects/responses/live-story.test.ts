import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { responses } from '../../../src/responses.ts';
import { eventsOf } from '../../laws/dialect-laws.ts';
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
  message,
  messageItem,
  of,
  reasoning,
  reasoningItem,
  sse,
  story,
} from './wire-events.ts';

const place = { content_index: 0 };

async function storyOf(...events: readonly JsonObject[]): Promise<string[]> {
  return story(await assemble([created(), ...events, completed()]));
}

describe('responses, live text', () => {
  test('is one delta for each delta of the wire with text', async () => {
    expect(await storyOf(...message(0, 'Half ', '', 'past nine'))).toEqual([
      'start 0 text',
      'text_delta 0 Half ',
      'text_delta 0 past nine',
      'stop 0 finished',
    ]);
  });

  test('is a refusal where the first part of a message is one', async () => {
    const item = { ...messageItem(0, ''), content: [{ type: 'refusal', refusal: 'No.' }] };
    const part = { type: 'refusal', refusal: '' };
    const begin = [added(0, { ...item, content: [] }), of('content_part.added', 0, { ...place, part })];
    const told = ['start 0 refusal', 'text_delta 0 No.', 'stop 0 finished'];
    expect(await storyOf(...begin, delta('refusal', 0, 'No.', place), done(0, item))).toEqual(told);
    expect(await storyOf(done(0, item))).toEqual(told);
  });

  test('is a text where a text stands before the refusal', async () => {
    const content = [...(messageItem(0, 'Well. ')['content'] as JsonObject[]), { type: 'refusal', refusal: 'No.' }];
    const pieces = [
      delta('output_text', 0, 'Well. ', place),
      delta('refusal', 0, 'No.', { content_index: 1 }),
      done(0, messageItem(0, '', { content })),
    ];
    const begin = added(0, messageItem(0, '', { content: [] }));
    expect(await storyOf(begin, ...pieces)).toEqual([
      'start 0 text',
      'text_delta 0 Well. ',
      'text_delta 0 No.',
      'stop 0 finished',
    ]);
  });

  test('is all that a reasoning item says, without anything between its parts', async () => {
    const content = [{ type: 'reasoning_text', text: 'raw' }];
    const pieces = [
      delta('reasoning_summary_text', 0, 'one', { summary_index: 0 }),
      delta('reasoning_summary_text', 0, 'two', { summary_index: 1 }),
      delta('reasoning_text', 0, 'raw', place),
    ];
    const item = reasoningItem(0, ['one', 'two'], { content });
    expect(await storyOf(added(0, reasoningItem(0)), ...pieces, done(0, item), ...message(1, 'x'))).toEqual([
      'start 0 reasoning',
      'reasoning_delta 0 one',
      'reasoning_delta 0 two',
      'reasoning_delta 0 raw',
      'stop 0 finished',
      'start 1 text',
      'text_delta 1 x',
      'stop 1 finished',
    ]);
  });

  test.each<[string, string, JsonObject]>([
    ['function_call_arguments', 'tool_call call_0 tool', callItem(0, '{}')],
    [
      'custom_tool_call_input',
      'tool_call call_0 grep',
      { type: 'custom_tool_call', id: 'ct_0', call_id: 'call_0', name: 'grep' },
    ],
    ['mcp_call_arguments', 'server_tool_call mcp_0 find', { type: 'mcp_call', id: 'mcp_0', name: 'find' }],
    [
      'code_interpreter_call_code',
      'server_tool_call ci_0 code_interpreter',
      { type: 'code_interpreter_call', id: 'ci_0' },
    ],
    ['shell_call_command', 'tool_call call_0 shell', { type: 'shell_call', id: 'sh_0', call_id: 'call_0' }],
    [
      'apply_patch_call_operation_diff',
      'tool_call call_0 apply_patch',
      { type: 'apply_patch_call', id: 'ap_0', call_id: 'call_0' },
    ],
  ])('is the text of %s as it came, be it JSON or not', async (name, head, item) => {
    const { arguments: _arguments, ...begun } = item;
    const events = [added(0, begun), delta(name, 0, '1 +'), delta(name, 0, ' "'), delta(name, 0, '')];
    expect(story(await assemble([created(), ...events]))).toEqual([
      `start 0 ${head}`,
      'input 0 1 +',
      'input 0  "',
      'stop 0 cut',
    ]);
  });

  test.each<[string, string, string]>([
    ['output_text', 'text', 'text_delta'],
    ['refusal', 'refusal', 'text_delta'],
    ['reasoning_summary_text', 'reasoning', 'reasoning_delta'],
    ['reasoning_text', 'reasoning', 'reasoning_delta'],
    ['function_call_arguments', 'tool_call', 'input'],
    ['custom_tool_call_input', 'tool_call', 'input'],
    ['mcp_call_arguments', 'server_tool_call mcp', 'input'],
  ])('opens the item of %s that never began', async (name, kind, type) => {
    const assembled = await assemble([created(), delta(name, 0, 'a'), delta(name, 0, 'b')]);
    expect(story(assembled)).toEqual([`start 0 ${kind}`, `${type} 0 a`, `${type} 0 b`, 'stop 0 cut']);
  });

  test('opens the message of an annotation that never began', async () => {
    const annotation = { type: 'url_citation', url: 'https://example.org/a' };
    const event = of('output_text.annotation.added', 0, { ...place, annotation_index: 0, annotation });
    const { ui, turn } = await assemble([created(), event]);
    expect(turn.warnings).toEqual([]);
    expect(ui).toContainEqual({ type: 'citation', index: 0, citation: annotation });
  });
});

describe('responses, whole texts', () => {
  const begin = [added(0, messageItem(0, '', { content: [] })), delta('output_text', 0, 'Half', place)];
  const part = { type: 'output_text', text: 'Half past nine' };

  test.each<[string, JsonObject[]]>([
    ['output_text.done', [of('output_text.done', 0, { ...place, text: 'Half past nine' })]],
    ['content_part.done', [of('content_part.done', 0, { ...place, part })]],
    ['output_item.done', []],
  ])('show what is left of them once: %s', async (_, whole) => {
    const rest = [...whole, done(0, messageItem(0, 'Half past nine'))];
    expect(await storyOf(...begin, ...rest)).toEqual([
      'start 0 text',
      'text_delta 0 Half',
      'text_delta 0  past nine',
      'stop 0 finished',
    ]);
  });

  test('show what is left at the terminal event, of an item that was never done', async () => {
    const assembled = await assemble([created(), ...begin, completed([messageItem(0, 'Half past nine')])]);
    expect(story(assembled)).toEqual([
      'start 0 text',
      'text_delta 0 Half',
      'text_delta 0  past nine',
      'stop 0 finished',
    ]);
    expect(items(assembled)).toEqual([messageItem(0, 'Half past nine')]);
  });

  test('show nothing more where they differ, with a warning for each block, and go back', async () => {
    const differing = [of('output_text.done', 0, { ...place, text: 'Ten' }), done(0, messageItem(0, 'Ten'))];
    const assembled = await assemble([created(), ...begin, ...differing, completed()]);
    expect(story(assembled)).toEqual([
      'start 0 text',
      'text_delta 0 Half',
      'warning whole_text_differs',
      'stop 0 finished',
    ]);
    expect(assembled.turn.warnings).toMatchObject([{ code: 'whole_text_differs', index: 0 }]);
    expect(items(assembled)).toEqual([messageItem(0, 'Ten')]);
    expect(blocks(assembled)).toEqual(['text finished Half']);
  });

  test('are measured against what was shown of their own part', async () => {
    const events = [
      added(0, reasoningItem(0)),
      delta('reasoning_summary_text', 0, 'on', { summary_index: 0 }),
      delta('reasoning_summary_text', 0, 'tw', { summary_index: 1 }),
      of('reasoning_summary_text.done', 0, { summary_index: 0, text: 'one' }),
      of('reasoning_summary_part.done', 0, { summary_index: 1, part: { type: 'summary_text', text: 'two' } }),
      done(0, reasoningItem(0, ['one', 'two', 'three'])),
    ];
    const assembled = await assemble([created(), ...events, ...message(1, 'x'), completed()]);
    expect(blocks(assembled)[0]).toBe('reasoning finished ontweothree');
    expect(assembled.turn.warnings).toEqual([]);
  });

  test('are shown at once where no delta came', async () => {
    const events = [
      done(0, reasoningItem(0, ['a', 'b'])),
      done(1, messageItem(1, 'x')),
      done(2, callItem(2, '{"a":1}')),
    ];
    expect(await storyOf(...events)).toEqual([
      'start 0 reasoning',
      'reasoning_delta 0 a',
      'reasoning_delta 0 b',
      'stop 0 finished',
      'start 1 text',
      'text_delta 1 x',
      'stop 1 finished',
      'start 2 tool_call call_2 tool',
      'input 2 {"a":1}',
      'stop 2 finished',
    ]);
  });

  test('come for an item that is over without a warning, deltas with one', async () => {
    const late = [of('output_text.done', 0, { ...place, text: 'x' }), of('content_part.done', 0, { ...place, part })];
    expect(codes((await assemble([created(), ...message(0, 'x'), ...late, completed()])).turn.warnings)).toEqual([]);
    const more = await assemble([created(), ...message(0, 'x'), delta('output_text', 0, 'y', place), completed()]);
    expect(more.turn.warnings).toMatchObject([{ code: 'unexpected_delta', index: 0 }]);
    expect(blocks(more)).toEqual(['text finished x']);
  });
});

describe('responses, when blocks begin and stop', () => {
  test('a message begins with its first part, or where another block does', async () => {
    const waiting = added(0, messageItem(0, '', { content: [] }));
    expect(
      await storyOf(waiting, added(1, callItem(1, '')), done(0, messageItem(0, 'x')), done(1, callItem(1, '{}'))),
    ).toEqual([
      'start 0 text',
      'start 1 tool_call call_1 tool',
      'text_delta 0 x',
      'stop 0 finished',
      'input 1 {}',
      'stop 1 finished',
    ]);
    const { ui } = await assemble([created(), waiting]);
    expect(ui.map(({ type }) => type)).toEqual(['turn_start', 'block_start', 'block_stop', 'turn_stop']);
  });

  test('calls and reasoning that are done stop directly before the next block begins', async () => {
    const server = { type: 'web_search_call', id: 'ws_2', status: 'completed' };
    expect(await storyOf(...reasoning(0, 'r'), ...call(1, '{}'), added(2, server), done(2, server))).toEqual([
      'start 0 reasoning',
      'reasoning_delta 0 r',
      'stop 0 finished',
      'start 1 tool_call call_1 tool',
      'input 1 {}',
      'stop 1 finished',
      'start 2 server_tool_call ws_2 web_search',
      `content 2 ${JSON.stringify(server)}`,
      'stop 2 finished',
    ]);
  });

  test('a finished block is handed on while the turn still streams', () => {
    const body = sse(
      created(),
      ...message(0, 'x'),
      ...reasoning(1),
      added(2, callItem(2, '')),
      done(2, callItem(2, '{}')),
    );
    const handedOn = eventsOf(responses, [body]).flatMap((event) => (event.type === 'block' ? [event.block] : []));
    expect(handedOn).toEqual([
      { index: 0, kind: 'text', native: messageItem(0, 'x') },
      { index: 1, kind: 'reasoning', native: reasoningItem(1) },
    ]);
  });
});
