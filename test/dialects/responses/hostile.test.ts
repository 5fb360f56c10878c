import { of as just } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { assembleTurn, stringifyRequest } from '../../../src/index.ts';
import { responses } from '../../../src/responses.ts';
import { checkStory, eventsOf } from '../../laws/dialect-laws.ts';
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
  items,
  message,
  messageItem,
  of,
  reasoningItem,
  sse,
} from './wire-events.ts';

const unprintable = { toString: 1, valueOf: 2 };
const odd: readonly unknown[] = [null, true, 7, 'text', [], ['x'], {}, { type: null }, unprintable];
const place = { content_index: 0 };

function failed(error: unknown): JsonObject {
  return { type: 'response.failed', response: { id: 'resp_1', status: 'failed', error } };
}

/** Assembles events in front of a message that is as it should be. */
async function around(...events: readonly JsonObject[]): Promise<Assembled> {
  const all = [created(), ...events, ...message(90, 'x'), completed()];
  checkStory(eventsOf(responses, [sse(...all)]));
  const assembled = await assemble(all);
  expect(assembled.turn.error).toBeUndefined();
  expect(assembled.turn.status).toBe('complete');
  expect(items(assembled)).toContainEqual(messageItem(90, 'x'));
  expect((await assembleTurn(just(...all), responses).settled()).status).toBe('complete');
  return assembled;
}

describe('responses, on malformed shapes', () => {
  test.each(odd)('lives on with an item that is %j', async (item) => {
    await around(added(0, item), done(0, item), added(1, item), done(2, item));
  });

  test.each(odd)('lives on with an item whose type is %j, and sends it back', async (type) => {
    const item = { id: 'odd', type };
    expect(items(await around(added(0, item), done(0, item)))[0]).toEqual(item);
  });

  test.each(odd)('lives on with items whose ids and names are %j', async (value) => {
    const wrong = { id: value, call_id: value, name: value, status: value, caller: value };
    const list = [messageItem(0, 'a', wrong), reasoningItem(1, [], wrong), callItem(2, '{}', wrong)];
    await around(...list.flatMap((item, index) => [added(index, item), done(index, item)]));
  });

  test.each(odd)('lives on with contents, summaries and inputs that are %j', async (value) => {
    const list: JsonObject[] = [
      messageItem(0, '', { content: value }),
      messageItem(1, '', { content: [value, { type: 'output_text', text: value, annotations: value }] }),
      messageItem(2, '', { content: [{ type: value, text: 'x', annotations: [value] }] }),
      reasoningItem(3, [], { summary: value, content: value, encrypted_content: value }),
      reasoningItem(4, [], { summary: [value, { type: 'summary_text', text: value }] }),
      callItem(5, '', { arguments: value }),
      ...['custom_tool_call', 'shell_call', 'apply_patch_call', 'computer_call', 'local_shell_call'].map(
        (type, index): JsonObject => ({
          type,
          id: `odd_${index}`,
          name: 'n',
          input: value,
          action: value,
          operation: value,
          environment: value,
        }),
      ),
      { type: 'tool_search_call', id: 'ts', execution: 'client', arguments: value },
      { type: 'computer_call', id: 'cc', actions: [value] },
      { type: 'shell_call', id: 'sc', action: { commands: value }, environment: { type: value } },
      { type: 'apply_patch_call', id: 'ap', operation: { diff: value } },
    ];
    await around(...list.flatMap((item, index) => [added(index, item), done(index, item)]));
  });

  test.each(odd)('lives on with deltas and whole texts that are %j', async (value) => {
    const names = ['output_text', 'reasoning_summary_text', 'function_call_arguments', 'shell_call_command', 'refusal'];
    await around(
      ...names.flatMap((name, index) => [
        delta(name, index, value),
        of(`${name}.done`, index, { text: value, arguments: value, command: value, refusal: value }),
        of('content_part.added', index, { ...place, part: value }),
        of('content_part.done', index, { ...place, part: { type: 'output_text', text: value } }),
        of('reasoning_summary_part.added', index, { part: { type: value, text: 'x' } }),
        of('output_text.annotation.added', index, { ...place, annotation: value, annotation_index: value }),
        of('image_generation_call.partial_image', index, { partial_image_b64: value }),
      ]),
    );
  });

  test.each([-1, 0.5, 1e15, Number.MAX_SAFE_INTEGER, 1e308, '0', null, [0], unprintable])(
    'lives on with indexes that are %j',
    async (index) => {
      const wrong = { output_index: index, content_index: index, summary_index: index, command_index: index };
      const events = [...message(0, 'a'), ...call(1, '{}'), delta('reasoning_summary_text', 2, 'r')];
      await around(...events.map((event) => ({ ...event, ...wrong })), delta('output_text', 3, 'x', wrong));
    },
  );

  test('tells the parts of a text apart whatever their numbers are, and cuts them in their order', async () => {
    const pieces = [1e15, -1, 0.5].map((index) => delta('output_text', 0, `${index};`, { content_index: index }));
    const { turn } = await assemble([created(), added(0, messageItem(0, '', { content: [] })), ...pieces]);
    expect(turn.blocks[0]?.text).toBe('1000000000000000;-1;0.5;');
    const parts = ['-1;', '0.5;', '1000000000000000;'].map((text) => ({ type: 'output_text', text }));
    expect(turn.blocks[0]?.native).toMatchObject({ content: parts });
  });

  test.each(odd)('lives on with a response that is %j, or whose members are', async (value) => {
    const wrong = { usage: value, input_transformations: [value, { type: value, id: value, reason: value }] };
    await around(
      { type: 'response.in_progress', response: value },
      { type: 'response.in_progress', response: { ...wrong, model: value, status: value } },
      { type: 'response.in_progress', response: { usage: { input_tokens: value, output_tokens_details: value } } },
    );
    const end = { type: 'response.completed', response: { ...wrong, output: value, status: value } };
    const { turn } = await assemble([created(), ...message(0, 'x'), end]);
    expect([turn.status, turn.entries.length]).toEqual(['complete', 1]);
  });

  test.each(odd)('is complete with an end whose response is %j', async (response) => {
    const completedOdd = await assemble([created(), ...message(0, 'x'), { type: 'response.completed', response }]);
    expect([completedOdd.turn.status, completedOdd.turn.stopReason]).toEqual(['complete', 'completed']);
    const incompleteOdd = await assemble([created(), ...call(0, '{}'), { type: 'response.incomplete', response }]);
    expect([incompleteOdd.turn.status, incompleteOdd.turn.toolCalls]).toEqual(['complete', []]);
    const failedOdd = await assemble([created(), ...message(0, 'x'), { type: 'response.failed', response }]);
    expect([failedOdd.turn.status, failedOdd.turn.error?.code]).toEqual(['failed', 'provider_error']);
  });

  test.each(odd)('serves a terminal output with an element that is %j', async (value) => {
    const { turn } = await assemble([created(), completed([value, messageItem(1, 'x')])]);
    expect(turn.status).toBe('complete');
    expect(turn.entries).toContainEqual(messageItem(1, 'x'));
  });

  test.each(odd)('has failed with an error that is %j, or whose members are', async (value) => {
    const members = { type: value, code: value, status: value, message: value, request_id: value };
    for (const error of [value, members]) {
      for (const wire of [{ type: 'error', error }, { ...members, type: 'error' }, failed(error), failed(members)]) {
        const { turn, ui } = await assemble([created(), ...message(0, 'x'), wire]);
        expect([turn.status, turn.error?.code]).toEqual(['failed', 'provider_error']);
        expect(ui.at(-1)?.type).toBe('turn_stop');
      }
    }
  });

  test.each(odd)('has failed with an error event whose data is %j', async (value) => {
    for (const data of [value, [value]]) {
      const body = `${sse(created(), ...message(0, 'x'))}event: error\ndata: ${JSON.stringify(data)}\n\n`;
      const { turn } = await assemble(body);
      expect([turn.status, turn.error?.code]).toEqual(['failed', 'provider_error']);
    }
  });

  test.each(odd)('passes an event over whose type is %j', async (type) => {
    await around({ type, output_index: 0, item: messageItem(0, 'a') });
  });
});

describe('responses, on items that come twice, late, or with odd names', () => {
  test('does not take deltas after the end of an item', async () => {
    const late = [
      delta('function_call_arguments', 0, '"b"'),
      of('function_call_arguments.done', 0, { arguments: '[]' }),
    ];
    const assembled = await around(...call(0, '{}'), ...late);
    expect(blocks(assembled)[0]).toBe('tool_call finished {}');
    expect(codes(assembled.turn.warnings)).toEqual(['unexpected_delta']);
  });

  test('takes an item that is done again under another id for another item', async () => {
    const again = done(0, callItem(0, '{"n":2}', { id: 'other' }));
    const assembled = await around(...call(0, '{"n":1}'), again);
    expect(
      items(assembled)
        .slice(0, 2)
        .map(({ arguments: args }) => args),
    ).toEqual(['{"n":1}', '{"n":2}']);
    expect(new Set(assembled.turn.toolCalls.map(({ id }) => id)).size).toBe(2);
  });

  test('runs no call twice that the terminal output repeats', async () => {
    const { turn } = await assemble([created(), ...call(0, '{}'), completed([callItem(0, '{}'), callItem(0, '{}')])]);
    expect(turn.toolCalls).toHaveLength(1);
    expect(turn.entries).toHaveLength(1);
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'keeps members and types called %s',
    async (name) => {
      const item = `{"id":"odd","type":"${name}","${name}":{"a":1},"content":[{"${name}":1}]}`;
      const events = `${sse(created())}data: {"type":"response.output_item.done","output_index":0,"item":${item}}\n\n`;
      const named = `data: {"type":"response.in_progress","response":{"id":"resp_1","${name}":3}}\n\n`;
      const { turn } = await assemble(events + named + sse(completed()));
      expect(stringifyRequest(turn.entries)).toBe(`[${item}]`);
      expect(Object.hasOwn(turn.envelope, name)).toBe(true);
      expect(Object.getPrototypeOf(turn.envelope)).toBe(Object.prototype);
      const wanted = { type: `response.${name}.delta`, output_index: 0, item_id: name, delta: 'x' };
      await around(wanted, { ...wanted, type: name });
    },
  );

  test('shows nothing secret, wherever it stands', async () => {
    const secrets = { encrypted_content: 'SECRET', signature: 'SECRET', fingerprint: 'SECRET', x_ciphertext: 'SECRET' };
    const events = [
      added(0, reasoningItem(0, [], secrets)),
      done(0, reasoningItem(0, ['r'], secrets)),
      done(1, { type: 'tide_table', deep: [[secrets]], ...secrets }),
      done(2, { type: 'mcp_call', id: 'm', arguments: '{}', ...secrets }),
      of('output_text.annotation.added', 3, { annotation: secrets }),
      of('image_generation_call.partial_image', 4, { partial_image_b64: 'A', ...secrets }),
      { type: 'response.tide', ...secrets },
      { type: 'response.in_progress', response: { usage: { ...secrets, input_tokens: 1 }, ...secrets } },
    ];
    const { ui } = await around(...events, added(3, messageItem(3, '')));
    expect(JSON.stringify(ui)).not.toContain('SECRET');
  });
});
