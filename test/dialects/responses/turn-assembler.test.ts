import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
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
  sse,
  story,
  toolCalls,
} from './wire-events.ts';

const usage = {
  input_tokens: 40,
  input_tokens_details: { cached_tokens: 30, cache_write_tokens: 5 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 49,
};

describe('responses, the turn', () => {
  test.each(['response.created', 'response.queued', 'response.in_progress'])('starts with %s', async (type) => {
    const { ui, turn } = await assemble([{ ...created(), type }, ...message(0, 'x'), completed()]);
    expect(ui[0]).toEqual({ type: 'turn_start', turnId: 'resp_1', model: 'model-test' });
    expect([turn.dialect, turn.turnId, turn.model]).toEqual(['responses', 'resp_1', 'model-test']);
  });

  test('tells usage of the terminal event before its late items, and nothing of usage that is null', async () => {
    const events = [created(), ...call(0, '{}'), completed([{}, messageItem(1, 'late')], { usage })];
    const assembled = await assemble(events);
    expect(story(assembled)).toEqual([
      'start 0 tool_call call_0 tool',
      'input 0 {}',
      'usage',
      'stop 0 finished',
      'start 1 text',
      'text_delta 1 late',
      'stop 1 finished',
    ]);
    expect(assembled.turn.usage).toEqual({
      inputTokens: 40,
      outputTokens: 9,
      reasoningTokens: 4,
      cacheReadTokens: 30,
      cacheWriteTokens: 5,
      wire: usage,
    });
  });

  test('says null of tokens that were not counted', async () => {
    const { turn } = await assemble([created(), ...message(0, 'x'), completed([], { usage: { input_tokens: 1 } })]);
    expect(turn.usage).toMatchObject({ inputTokens: 1, outputTokens: null, reasoningTokens: null });
  });

  test('warns of input that was withheld, after the blocks, naming the item and the reason', async () => {
    const input_transformations = [
      { id: 'rs_9', type: 'reasoning', action: 'removed', reason: 'prefix_mismatch' },
      { id: 'rs_8', type: 'reasoning', action: 'removed', reason: 'model_mismatch' },
    ];
    const assembled = await assemble([created(), ...call(0, '{}'), completed([], { usage, input_transformations })]);
    expect(story(assembled).slice(-4)).toEqual([
      'usage',
      'stop 0 finished',
      'warning input_transformed',
      'warning input_transformed',
    ]);
    const [first] = assembled.turn.warnings;
    expect(first?.message).toMatch(/rs_9.*prefix_mismatch/);
  });

  test('keeps what the response says outside its output, the later over the earlier', async () => {
    const { turn } = await assemble([
      created({ service_tier: 'auto', tools: [1] }),
      completed([], { service_tier: 'flex' }),
    ]);
    expect(turn.envelope).toMatchObject({ service_tier: 'flex', tools: [1], status: 'completed' });
    expect(turn.envelope).not.toHaveProperty('output');
  });
});

describe('responses, ends', () => {
  test('is complete with response.completed', async () => {
    const { turn } = await assemble([created(), ...message(0, 'x'), completed()]);
    expect([turn.status, turn.stopReason, turn.error]).toEqual(['complete', 'completed', undefined]);
  });

  test.each([
    ['max_output_tokens', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
    ['steered', 'steered'],
    [undefined, 'incomplete'],
    ['', 'incomplete'],
  ])('is complete with response.incomplete, and stopped by its reason: %s', async (reason, stopReason) => {
    const { turn } = await assemble([created(), ...message(0, 'x'), incomplete(reason)]);
    expect([turn.status, turn.stopReason, turn.entries.length]).toEqual(['complete', stopReason, 1]);
  });

  test('takes a response.completed that is incomplete for what its response says', async () => {
    const status = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    const { turn } = await assemble([created(), ...call(0, '{}'), completed([], status)]);
    expect([turn.stopReason, turn.toolCalls, turn.entries]).toEqual(['max_output_tokens', [], []]);
    expect(turn.blocks[0]?.state).toBe('cut');
  });

  test('has failed with response.failed, without a stop reason, with usage', async () => {
    const error = { code: 'server_error', message: 'The harbour is closed' };
    const failed = { type: 'response.failed', response: { id: 'resp_1', status: 'failed', error, usage } };
    const assembled = await assemble([created(), ...message(0, 'x'), failed]);
    const { turn } = assembled;
    expect([turn.status, turn.stopReason, turn.entries, turn.carry]).toEqual(['failed', null, [], {}]);
    expect(turn.error).toMatchObject({ code: 'provider_error', type: 'server_error', said: 'The harbour is closed' });
    expect(turn.usage.outputTokens).toBe(9);
    expect(blocks(assembled)).toEqual(['text finished x']);
  });

  test.each<[string, JsonObject]>([
    ['nested', { type: 'error', error: { type: 'tide_error', code: 'ebb', message: 'Too low' } }],
    ['flat', { type: 'error', code: 'ebb', message: 'Too low', param: null, sequence_number: 3 }],
    ['without a type', { error: { message: 'Too low' } }],
  ])('has failed with an error event, %s', async (_, error) => {
    const { turn, ui } = await assemble([created(), ...message(0, 'x'), error, completed()]);
    expect([turn.status, turn.stopReason, turn.entries]).toEqual(['failed', null, []]);
    expect(turn.error).toMatchObject({ code: 'provider_error', said: 'Too low' });
    expect(ui.at(-1)).toMatchObject({ type: 'turn_stop', status: 'failed', error: { code: 'provider_error' } });
  });

  test('is truncated where the bytes end, wherever that is', async () => {
    const events = [created(), ...reasoning(0, 'r'), ...message(1, 'x'), ...call(2, '{"a":', '1}')];
    for (let count = 1; count <= events.length; count += 1) {
      const { turn } = await assemble(events.slice(0, count));
      expect([turn.status, turn.stopReason, turn.error]).toEqual(['truncated', null, undefined]);
      expect([turn.entries, turn.toolCalls, turn.carry]).toEqual([[], [], {}]);
    }
  });

  test('does not take [DONE] for an end, nor let it spoil one', async () => {
    const body = sse(created(), ...message(0, 'x'));
    expect((await assemble(`${body}data: [DONE]\n\n`)).turn.status).toBe('truncated');
    expect((await assemble(`${body}${sse(completed())}data: [DONE]\n\n`)).turn.status).toBe('complete');
  });

  test('reads nothing after the terminal event', async () => {
    const late = [...message(1, 'late'), { type: 'error', message: 'late' }, { type: 'response.rate_limits.updated' }];
    const { turn } = await assemble([created(), ...message(0, 'x'), completed(), ...late]);
    expect([turn.status, turn.entries.length, turn.warnings]).toEqual(['complete', 1, []]);
  });

  test('finds the type of an event in its event line where the JSON has none', async () => {
    const { type: _type, ...end } = completed();
    const body = `${sse(created(), ...message(0, 'x'))}event: response.completed\ndata: ${JSON.stringify(end)}\n\n`;
    expect((await assemble(body)).turn.status).toBe('complete');
  });
});

describe('responses, what happens besides', () => {
  test.each([
    { type: 'keepalive', sequence_number: 3 },
    { type: 'codex.rate_limits', rate_limits: {} },
    of('web_search_call.searching', 0),
    of('file_search_call.completed', 0),
    of('code_interpreter_call.interpreting', 0),
    of('image_generation_call.generating', 0),
    of('mcp_call.failed', 0),
    of('mcp_list_tools.in_progress', 0),
    of('compaction.compacting', 0),
    of('content_part.added', 0, { part: { type: 'tide_table' } }),
    of('tide_part.added', 0, { part: { type: 'tide_table' } }),
  ])('is known, and no warning: $type', async (event) => {
    const { turn } = await assemble([created(), event, ...message(0, 'x'), completed()]);
    expect([turn.status, turn.warnings, turn.blocks.length]).toEqual(['complete', [], 1]);
  });

  test('is warned of once for each type that nobody knows, and passed over', async () => {
    const odd = ['tide', 'ebb', 'tide'].map((name) => of(name, 0, { delta: 'SECRET' }));
    const { turn } = await assemble([created(), ...odd, ...message(0, 'x'), completed()]);
    expect(codes(turn.warnings)).toEqual(['unknown_event', 'unknown_event']);
    expect(turn.warnings[0]?.message).toContain('response.tide');
    expect(JSON.stringify(turn)).not.toContain('SECRET');
  });

  test('is a retry in secret when another response begins: the first one is void, and stays shown', async () => {
    const assembled = await assemble([
      created({ usage }),
      ...message(0, 'first'),
      added(1, messageItem(1, '', { content: [] })),
      delta('output_text', 1, 'half', { content_index: 0 }),
      created({ id: 'resp_2', model: 'model-other' }),
      ...message(0, 'second'),
      completed([], { id: 'resp_2', model: 'model-other' }),
    ]);
    expect(story(assembled).slice(-9)).toEqual([
      'text_delta 0 first',
      'stop 0 finished',
      'start 1 text',
      'text_delta 1 half',
      'stop 1 cut',
      'warning restarted',
      'start 2 text',
      'text_delta 2 second',
      'stop 2 finished',
    ]);
    const { turn } = assembled;
    expect([turn.turnId, turn.model, turn.usage.inputTokens]).toEqual(['resp_2', 'model-other', null]);
    expect(turn.blocks.map(({ index }) => index)).toEqual([2]);
    expect(items(assembled)).toEqual([messageItem(0, 'second')]);
    expect(turn.carry).toEqual({ previousResponseId: 'resp_2' });
  });

  test('is nothing when the same response begins again, or another before any output', async () => {
    const same = await assemble([created(), ...message(0, 'x'), created(), ...message(1, 'y'), completed()]);
    expect([blocks(same), same.turn.warnings]).toEqual([['text finished x', 'text finished y'], []]);
    const early = await assemble([created(), created({ id: 'resp_2' }), ...message(0, 'x'), completed()]);
    expect(codes(early.turn.warnings)).toEqual([]);
  });
});

describe('responses, carry', () => {
  const carryOf = async (response: JsonObject, options = {}): Promise<object> =>
    (await assemble([created(response), ...message(0, 'x'), completed([], response)], options)).turn.carry;

  test('is the id of a response that the service keeps', async () => {
    expect(await carryOf({})).toEqual({ previousResponseId: 'resp_1' });
    expect(await carryOf({ store: true })).toEqual({ previousResponseId: 'resp_1' });
  });

  test('is nothing where the response or the option says that it is not kept, or where it has no id', async () => {
    expect(await carryOf({ store: false })).toEqual({});
    expect(await carryOf({}, { store: false })).toEqual({});
    expect(await carryOf({ id: undefined })).toEqual({});
  });

  test('is there after an incomplete response, and not after a cut one', async () => {
    const stopped = await assemble([created(), ...message(0, 'x'), incomplete('max_output_tokens')]);
    expect(stopped.turn.carry).toEqual({ previousResponseId: 'resp_1' });
    expect((await assemble([created(), ...message(0, 'x')])).turn.carry).toEqual({});
  });

  test('is nothing where a call was cut, which the service keeps and nothing can answer', async () => {
    const stopped = await assemble([created(), done(0, callItem(0, '{}')), incomplete('max_output_tokens')]);
    expect(stopped.turn.carry).toEqual({});
  });

  test('is warned of, where the response says that nothing is kept and reasoning is an id alone', async () => {
    const forgotten = { store: false };
    const alone = { type: 'reasoning', id: 'rs_0', summary: [] };
    const bare = await assemble([created(forgotten), done(0, alone), ...message(1, 'x'), completed([], forgotten)]);
    expect(codes(bare.turn.warnings)).toEqual(['unsealed_reasoning']);
    expect(items(bare)).toHaveLength(2);
    for (const said of [{ encrypted_content: 'c2VhbA==' }, { content: [{ type: 'reasoning_text', text: 'So.' }] }]) {
      const item = { ...alone, ...said };
      const { turn } = await assemble([
        created(forgotten),
        done(0, item),
        ...message(1, 'x'),
        completed([], forgotten),
      ]);
      expect(codes(turn.warnings)).toEqual([]);
    }
  });

  test('goes by the last id of a gateway that gives every event another', async () => {
    const end = completed([], { id: 'resp_last' });
    expect((await assemble([created(), done(0, messageItem(0, 'x')), end])).turn.carry).toEqual({
      previousResponseId: 'resp_last',
    });
    expect(toolCalls(await assemble([created(), ...call(0, '{}'), end]))).toEqual(['call_0 tool {}']);
  });
});
