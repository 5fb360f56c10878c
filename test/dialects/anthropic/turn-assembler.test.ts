import { of, Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { anthropic } from '../../../src/anthropic.ts';
import { assembleTurn } from '../../../src/rx/assemble-turn.ts';
import { stringifyRequest } from '../../../src/text/verbatim-json.ts';
import {
  assemble,
  call,
  content,
  delta,
  messageEnd,
  messageStart,
  sse,
  start,
  states,
  stop,
  text,
  thinking,
} from './wire-events.ts';

const codes = (list: readonly { readonly code: string }[]): string[] => list.map(({ code }) => code);

describe('anthropic, blocks', () => {
  test('keeps the input of a call as its source text, whole or in pieces', async () => {
    const source = '{"b": 1.0, "a":1e3,"id":98765432109876543210 }';
    const whole = `event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_w","name":"w","input":${source}}}\n\n`;
    const body = `${sse(messageStart())}${whole}${sse(stop(0), ...call(1, {}, source.slice(0, 20), source.slice(20)), ...messageEnd('tool_use'))}`;
    const { turn } = await assemble(body);
    expect(turn.toolCalls.map(({ inputText }) => inputText)).toEqual([source, source]);
    expect(stringifyRequest(turn.entries)).toContain(`"input":${source}},{"type":"tool_use"`);
  });

  test('gives a tool an input of its own, so that what it changes does not go back', async () => {
    const { turn } = await assemble([messageStart(), ...call(0, {}, '{"a":{"b":1}}'), ...messageEnd('tool_use')]);
    Object.assign(turn.toolCalls[0]?.input ?? {}, { a: 2 });
    expect(stringifyRequest(turn.entries)).toContain('"input":{"a":{"b":1}}');
  });

  test.each(['', '   ', '\n'])('reads the input %j as an empty object', async (blank) => {
    const { turn } = await assemble([messageStart(), ...call(0, {}, blank), ...messageEnd('tool_use')]);
    expect(turn.toolCalls).toEqual([{ id: 'toolu_0', name: 'tool', input: {}, inputText: '{}' }]);
  });

  test.each(['[1]', 'null', '"x"', '3', '{"a":', '{"a":1}{"a":1}', '{a:1}'])(
    'wraps the input %j, which is no JSON object, and does not let it be executed',
    async (bad) => {
      const assembled = await assemble([messageStart(), ...call(0, {}, bad), ...messageEnd('tool_use')]);
      expect(states(assembled)).toEqual(['tool_call invalid']);
      expect(assembled.turn.toolCalls).toEqual([]);
      expect(content(assembled)).toEqual([
        { type: 'tool_use', id: 'toolu_0', name: 'tool', input: { INVALID_JSON: bad } },
      ]);
      expect(codes(assembled.turn.repairs)).toEqual(['invalid_input']);
    },
  );

  test('does not let an empty delta reset an input that came whole', async () => {
    const { turn } = await assemble([messageStart(), ...call(0, { input: { a: 1 } }, ''), ...messageEnd('tool_use')]);
    expect(turn.toolCalls[0]?.inputText).toBe('{"a":1}');
  });

  test('takes an input in pieces over one that came whole, with a warning', async () => {
    const { turn, ui } = await assemble([
      messageStart(),
      ...call(0, { input: { a: 1 } }, '{"a":', '2}'),
      ...messageEnd('tool_use'),
    ]);
    expect(turn.toolCalls[0]?.inputText).toBe('{"a":2}');
    expect(codes(turn.warnings)).toEqual(['input_replaced']);
    expect(ui.filter(({ type }) => type === 'tool_input_delta')).toHaveLength(2);
  });

  test('gives a call without an id a deterministic one, the same in the entry', async () => {
    const events = [
      messageStart(),
      ...call(0, { id: undefined }, '{}'),
      ...call(1, { id: '' }, '{}'),
      ...messageEnd('tool_use'),
    ];
    const assembled = await assemble(events);
    expect(assembled.turn.toolCalls.map(({ id }) => id)).toEqual(['call_msg_1_0', 'call_msg_1_1']);
    expect(content(assembled)?.map(({ id }) => id)).toEqual(['call_msg_1_0', 'call_msg_1_1']);
    expect((await assemble(events)).turn.toolCalls).toEqual(assembled.turn.toolCalls);
  });

  test('leaves a call without a name out', async () => {
    const assembled = await assemble([
      messageStart(),
      ...text(0, 'Hi'),
      ...call(1, { name: '' }, '{}'),
      ...messageEnd('tool_use'),
    ]);
    expect(states(assembled)).toEqual(['text finished', 'tool_call invalid']);
    expect(codes(assembled.turn.repairs)).toEqual(['nameless_call']);
    expect(content(assembled)).toHaveLength(1);
  });

  test('fails the turn when an input nests deeper than the limit, and names the limit', async () => {
    const deep = `{"a":${'['.repeat(20)}${']'.repeat(20)}}`;
    const body = sse(messageStart(), ...text(0, 'kept'), ...call(1, {}, deep), ...messageEnd('tool_use'));
    const turn = await assembleTurn(of(body), anthropic, { limits: { inputDepth: 20 } }).settled();
    expect(turn.status).toBe('failed');
    expect(turn.error).toMatchObject({ code: 'limit_exceeded', limit: 'inputDepth', value: 20 });
    expect(turn.blocks.map(({ state }) => state)).toEqual(['finished', 'invalid']);
  });

  test('never takes a key __proto__ for a prototype', async () => {
    const { turn } = await assemble([
      messageStart(),
      ...call(0, {}, '{"__proto__":{"x":1}}'),
      ...messageEnd('tool_use'),
    ]);
    const input = turn.toolCalls[0]?.input as object;
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect(Object.keys(input)).toEqual(['__proto__']);
    const odd = delta(1, 'compaction_delta', JSON.parse('{"__proto__":{"x":1},"content":"c"}'));
    const compaction = await assemble([
      messageStart(),
      start(1, { type: 'compaction', content: null }),
      odd,
      stop(1),
      ...messageEnd(),
    ]);
    expect(JSON.stringify(compaction.turn.entries)).toContain('"__proto__":{"x":1}');
  });

  test('puts a signature together from fragments, and keeps a repeated one once', async () => {
    const block = [
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, 'thinking_delta', { thinking: 'so' }),
      delta(0, 'signature_delta', { signature: 'c2ln' }),
      delta(0, 'signature_delta', { signature: '' }),
      delta(0, 'signature_delta', { signature: 'bmVk' }),
      delta(0, 'signature_delta', { signature: 'c2lnbmVk' }),
      stop(0),
    ];
    const assembled = await assemble([messageStart(), ...block, ...text(1, 'x'), ...messageEnd()]);
    expect(content(assembled)?.[0]).toEqual({ type: 'thinking', thinking: 'so', signature: 'c2lnbmVk' });
    expect(codes(assembled.turn.warnings)).toEqual(['repeated_signature']);
  });

  test('keeps the thinking of two blocks in a row apart', async () => {
    const assembled = await assemble([
      messageStart(),
      ...thinking(0, 'one'),
      ...thinking(1, 'two'),
      ...text(2, 'x'),
      ...messageEnd(),
    ]);
    expect(content(assembled)?.map(({ type }) => type)).toEqual(['thinking', 'thinking', 'text']);
  });

  test('adds no signature to thinking that has none', async () => {
    const unsigned = [start(0, { type: 'thinking', thinking: 'hm' }), stop(0)];
    const assembled = await assemble([messageStart(), ...unsigned, ...text(1, 'x'), ...messageEnd()], {
      unsignedThinking: 'keep',
    });
    expect(content(assembled)?.[0]).toEqual({ type: 'thinking', thinking: 'hm' });
  });

  test('never writes "undefined" for a delta without its text', async () => {
    const odd = [delta(0, 'text_delta', {}), delta(0, 'text_delta', { text: null })];
    const assembled = await assemble([
      messageStart(),
      start(0, { type: 'text' }),
      ...odd,
      delta(0, 'text_delta', { text: 'ok' }),
      stop(0),
      ...messageEnd(),
    ]);
    expect(content(assembled)).toEqual([{ type: 'text', text: 'ok' }]);
  });

  test('counts a thinking block that got a text delta as unfaithful', async () => {
    const odd = [
      start(0, { type: 'thinking', thinking: '' }),
      delta(0, 'text_delta', { text: 'x' }),
      delta(0, 'signature_delta', { signature: 's' }),
      stop(0),
    ];
    const assembled = await assemble([messageStart(), ...odd, ...text(1, 'x'), ...messageEnd()]);
    expect(states(assembled)).toEqual(['reasoning unfaithful', 'text finished']);
    expect(codes(assembled.turn.warnings)).toEqual(['unknown_delta']);
  });

  test('lets known deltas grow a block of an unknown type', async () => {
    const odd = [
      start(0, { type: 'connector_text', text: 'a', citations: [] }),
      delta(0, 'text_delta', { text: 'b' }),
      delta(0, 'signature_delta', { signature: 's' }),
      delta(0, 'citations_delta', { citation: { at: 1 } }),
      delta(0, 'input_json_delta', { partial_json: '{"q":' }),
      delta(0, 'input_json_delta', { partial_json: '1}' }),
      stop(0),
    ];
    const assembled = await assemble([messageStart(), ...odd, ...messageEnd()]);
    expect(states(assembled)).toEqual(['other finished']);
    expect(content(assembled)).toEqual([
      { type: 'connector_text', text: 'ab', citations: [{ at: 1 }], signature: 's', input: { q: 1 } },
    ]);
    expect(assembled.ui.find(({ type }) => type === 'block_content')).toEqual({
      type: 'block_content',
      index: 0,
      content: { type: 'connector_text', text: 'ab', citations: [{ at: 1 }], input: { q: 1 } },
    });
  });

  test('leaves a server call out when its result is, and the other way round', async () => {
    const server = (index: number, id: string): ReturnType<typeof call> =>
      call(index, { type: 'server_tool_use', id, name: 'web_search' }, '{"q":1}');
    const result = start(1, { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] });
    const spoiled = [...server(0, 'srv_1'), result, delta(1, 'novel_delta', {}), stop(1)];
    const assembled = await assemble([messageStart(), ...spoiled, ...text(2, 'x'), ...messageEnd()]);
    expect(assembled.turn.repairs).toMatchObject([
      { code: 'unpaired', index: 0 },
      { code: 'unfaithful', index: 1 },
    ]);
    expect(content(assembled)).toEqual([{ type: 'text', text: 'x' }]);
    const nameless = [...call(0, { type: 'server_tool_use', id: 'srv_1', name: '' }, '{}'), result, stop(1)];
    const other = await assemble([messageStart(), ...nameless, ...text(2, 'x'), ...messageEnd()]);
    expect(other.turn.repairs).toMatchObject([
      { code: 'nameless_call', index: 0 },
      { code: 'unpaired', index: 1 },
    ]);
  });
});

describe('anthropic, order and ends', () => {
  test('gives deltas and stops to the newest open block of an index, then to the one under it', async () => {
    const events = [
      messageStart(),
      start(0, { type: 'text', text: '' }),
      start(0, { type: 'text', text: '' }),
      delta(0, 'text_delta', { text: 'new' }),
      stop(0),
      delta(0, 'text_delta', { text: 'old' }),
      stop(0),
      ...messageEnd(),
    ];
    const assembled = await assemble(events);
    expect(content(assembled)?.map(({ text: said }) => said)).toEqual(['old', 'new']);
    expect(assembled.turn.warnings).toMatchObject([{ code: 'duplicate_block_start', index: 1 }]);
  });

  test('warns of deltas and stops for an index that is not open, and goes on', async () => {
    const assembled = await assemble([
      messageStart(),
      delta(3, 'text_delta', { text: 'lost' }),
      stop(4),
      ...text(0, 'x'),
      stop(0),
      ...messageEnd(),
    ]);
    expect(codes(assembled.turn.warnings)).toEqual(['unexpected_delta', 'unexpected_delta', 'unexpected_delta']);
    expect(assembled.turn.status).toBe('complete');
  });

  test('hands a call on as soon as the next block begins, not before', async () => {
    const source = new Subject<string>();
    const finished: number[] = [];
    assembleTurn(source, anthropic).blocks.subscribe(({ index }) => finished.push(index));
    source.next(sse(messageStart(), ...call(0, {}, '{}')));
    expect(finished).toEqual([]);
    source.next(sse(...call(1, {}, '{}')));
    expect(finished).toEqual([0]);
    source.next(sse(...messageEnd('tool_use')));
    expect(finished).toEqual([0, 1]);
  });

  test.each(['max_tokens', 'model_context_window_exceeded', 'refusal'])(
    'cuts the last call under the stop reason %s',
    async (reason) => {
      const assembled = await assemble([
        messageStart(),
        ...call(0, {}, '{}'),
        ...call(1, {}, '{}'),
        ...messageEnd(reason),
      ]);
      expect(states(assembled)).toEqual(['tool_call finished', 'tool_call cut']);
      expect(assembled.turn.toolCalls).toHaveLength(1);
    },
  );

  test.each(['end_turn', 'tool_use', 'pause_turn', 'stop_sequence', 'a_new_reason'])(
    'cuts nothing under the stop reason %s',
    async (reason) => {
      const assembled = await assemble([messageStart(), ...call(0, {}, '{}'), ...messageEnd(reason)]);
      expect(states(assembled)).toEqual(['tool_call finished']);
    },
  );

  test('cuts both of two calls that no later block confirms', async () => {
    const calls = [
      start(0, { type: 'tool_use', id: 'a', name: 'n', input: {} }),
      start(1, { type: 'tool_use', id: 'b', name: 'n', input: {} }),
      stop(0),
      stop(1),
    ];
    expect(states(await assemble([messageStart(), ...calls, ...messageEnd('max_tokens')]))).toEqual([
      'tool_call cut',
      'tool_call cut',
    ]);
  });

  test('takes a block that was never closed as over at its last delta', async () => {
    const unclosed = [
      start(0, { type: 'tool_use', id: 'a', name: 'n', input: {} }),
      delta(0, 'input_json_delta', { partial_json: '{}' }),
    ];
    const assembled = await assemble([messageStart(), ...unclosed, ...text(1, 'x'), ...messageEnd('max_tokens')]);
    expect(states(assembled)).toEqual(['tool_call finished', 'text finished']);
    expect(assembled.turn.warnings).toMatchObject([{ code: 'missing_block_stop', index: 0 }]);
  });

  test('does not end with a stop reason alone, nor with every block closed alone', async () => {
    const [change] = messageEnd();
    const open = sse(messageStart(), start(0, { type: 'text', text: 'x' }), change ?? {});
    expect((await assemble(open)).turn.status).toBe('truncated');
    expect((await assemble(sse(messageStart(), ...text(0, 'x')))).turn.status).toBe('truncated');
    const both = await assemble(sse(messageStart(), ...text(0, 'x'), change ?? {}));
    expect(both.turn.status).toBe('complete');
    expect(codes(both.turn.warnings)).toEqual(['missing_message_stop']);
  });

  test('never lets a null stop reason overwrite one', async () => {
    const late = { type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: 30 } };
    const [change, end] = messageEnd('tool_use');
    const { turn } = await assemble([messageStart(), ...call(0, {}, '{}'), change ?? {}, late, end ?? {}]);
    expect(turn.stopReason).toBe('tool_use');
    expect(turn.usage).toMatchObject({ inputTokens: 10, outputTokens: 30 });
  });

  test('overwrites usage field by field, and keeps what is absent or null', async () => {
    const usage = {
      output_tokens: 9,
      input_tokens: null,
      cache_read_input_tokens: 4,
      output_tokens_details: { thinking_tokens: 3 },
    };
    const { turn } = await assemble([messageStart(), ...text(0, 'x'), ...messageEnd('end_turn', { usage })]);
    expect(turn.usage).toEqual({
      inputTokens: 10,
      outputTokens: 9,
      reasoningTokens: 3,
      cacheReadTokens: 4,
      cacheWriteTokens: null,
      wire: {
        input_tokens: 10,
        output_tokens: 9,
        cache_read_input_tokens: 4,
        output_tokens_details: { thinking_tokens: 3 },
      },
    });
  });

  test('lives without any usage', async () => {
    const [, end] = messageEnd();
    const { turn } = await assemble([
      messageStart({ usage: undefined }),
      ...text(0, 'x'),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      end ?? {},
    ]);
    expect(turn.status).toBe('complete');
    expect(turn.usage.outputTokens).toBeNull();
  });

  test('keeps what the message says outside its content', async () => {
    const details = { type: 'refusal', category: 'cyber' };
    const { turn } = await assemble([
      messageStart({ container: null }),
      ...text(0, 'x'),
      {
        type: 'message_delta',
        delta: { stop_reason: 'refusal', stop_details: details, container: { id: 'c' } },
        context_management: { applied_edits: [] },
      },
      { type: 'message_stop' },
    ]);
    expect(turn.envelope).toMatchObject({
      id: 'msg_1',
      role: 'assistant',
      stop_details: details,
      context_management: { applied_edits: [] },
    });
    expect(turn.carry).toEqual({ container: { id: 'c' }, contextManagement: { applied_edits: [] } });
  });

  test('discards a message when another begins, and numbers on', async () => {
    const first = [messageStart(), ...text(0, 'one'), start(1, { type: 'thinking', thinking: 'hm' })];
    const second = [messageStart({ id: 'msg_2' }), ...text(0, 'two'), ...messageEnd()];
    const assembled = await assemble([...first, ...second]);
    expect(assembled.turn).toMatchObject({ turnId: 'msg_2', status: 'complete', blocks: [{ index: 2, text: 'two' }] });
    expect(content(assembled)).toEqual([{ type: 'text', text: 'two' }]);
    expect(assembled.ui.filter(({ type }) => type === 'block_stop')).toMatchObject([
      { index: 0, state: 'finished' },
      { index: 1, state: 'cut' },
      { index: 2, state: 'finished' },
    ]);
    expect(codes(assembled.turn.warnings)).toEqual(['restarted']);
  });

  test.each([
    ['the same id', messageStart()],
    ['no id, like the first', messageStart({ id: undefined })],
  ])('ignores a second start of %s', async (_, again) => {
    const assembled = await assemble([again, ...text(0, 'one'), again, ...text(1, 'two'), ...messageEnd()]);
    expect(content(assembled)).toHaveLength(2);
    expect(assembled.turn.warnings).toEqual([]);
  });

  test.each([
    [
      'the usual shape',
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_1' },
    ],
    ['a flat shape', { type: 'error', message: 'Overloaded' }],
    ['a bare error', { error: { type: 'overloaded_error', message: 'Overloaded' } }],
  ])('fails with an error event of %s, and keeps what came', async (_, event) => {
    const assembled = await assemble([messageStart(), ...text(0, 'kept'), event]);
    expect(assembled.turn).toMatchObject({ status: 'failed', entries: [], toolCalls: [] });
    expect(assembled.turn.error).toMatchObject({ code: 'provider_error' });
    expect(assembled.turn.error?.message).toContain('Overloaded');
    expect(states(assembled)).toEqual(['text finished']);
    expect(assembled.ui.at(-1)).toMatchObject({
      type: 'turn_stop',
      status: 'failed',
      error: { code: 'provider_error' },
    });
  });

  test('says whether an error is worth another try', async () => {
    const failed = async (type: string): Promise<unknown> =>
      (await assemble([messageStart(), { type: 'error', error: { type, message: 'm' } }])).turn.error;
    await expect(failed('overloaded_error')).resolves.toMatchObject({ retryable: true, type: 'overloaded_error' });
    await expect(failed('invalid_request_error')).resolves.toMatchObject({ retryable: false });
  });

  test.each([
    ['a start without a block', { type: 'content_block_start', index: 0 }],
    ['a delta without a delta', { type: 'content_block_delta', index: 0 }],
    ['an event without a type', { hello: 1 }],
    ['a message_start without a message', { type: 'message_start' }],
    ['a message_delta without a delta', { type: 'message_delta' }],
    ['content that is no list', messageStart({ content: 'text' })],
    ['content that holds no blocks', messageStart({ content: [null, 3, 'x'] })],
  ])('lives on after %s', async (_, odd) => {
    const assembled = await assemble(
      `${sse(messageStart())}data: ${JSON.stringify(odd)}\n\n${sse(...text(0, 'x'), ...messageEnd())}`,
    );
    expect(assembled.turn.status).toBe('complete');
    expect(content(assembled)).toEqual([{ type: 'text', text: 'x' }]);
  });

  test('reports what the provider changed of the request', async () => {
    const change = { type: 'thinking_dropped', path: 'messages.1.content.0', reason: 'prefix_binding_mismatch' };
    const { turn } = await assemble([
      messageStart({ input_transformations: [change] }),
      ...text(0, 'x'),
      ...messageEnd('end_turn', { input_transformations: [change] }),
    ]);
    expect(turn.carry).toEqual({ inputTransformations: [change] });
    expect(turn.warnings).toHaveLength(1);
    expect(turn.warnings[0]?.message).toContain('messages.1.content.0');
  });

  test('stops reading warnings when there are too many, and says so', async () => {
    const strange = Array.from({ length: 1200 }, (_, at) => ({ type: `strange_${at}` }));
    const { turn } = await assemble([messageStart(), ...strange, ...text(0, 'x'), ...messageEnd()]);
    expect(turn.warnings).toHaveLength(1001);
    expect(turn.warnings.at(-1)?.code).toBe('too_many_warnings');
    expect(turn.status).toBe('complete');
  });
});
