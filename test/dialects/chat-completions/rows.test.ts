import { describe, expect, test } from 'vitest';
import { reasoningFamily } from '../../../src/chat-completions.ts';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { assemble, blocks, call, chunk, chunks, done, message, shown, sse, toolCalls } from './wire-chunks.ts';

/** A whole call as it comes in one delta. */
function whole(id: string | undefined, name: string, args: unknown, head: JsonObject = {}): JsonObject {
  return call({ ...head, ...(id !== undefined && { id }), type: 'function' }, { name, arguments: args });
}

/** What the message that goes back holds of these fields. */
function fields(body: JsonObject | undefined, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, body?.[name]]));
}

const codes = (list: readonly { readonly code: string }[]): string[] => list.map(({ code }) => code);

describe('chat completions, the merge rules of the standard', () => {
  test('appends content, refusal, arguments, custom input, audio data and transcript', async () => {
    const assembled = await assemble(
      chunks([
        { role: 'assistant', content: 'a', refusal: 'r' },
        { content: 'b', refusal: 's' },
        { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '{"x"' } }] },
        { tool_calls: [{ index: 1, id: 'c2', type: 'custom', custom: { name: 'g', input: 'in' } }] },
        {
          tool_calls: [
            { index: 1, custom: { input: 'put' } },
            { index: 0, function: { arguments: ':1}' } },
          ],
        },
        { audio: { id: 'audio_1', data: 'AA', transcript: 'He' } },
        { audio: { data: 'BB', transcript: 'y', expires_at: 9 } },
      ]),
    );
    expect(message(assembled)).toEqual({
      role: 'assistant',
      content: 'ab',
      refusal: 'rs',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
        { id: 'c2', type: 'custom', custom: { name: 'g', input: 'input' } },
      ],
      audio: { id: 'audio_1' },
    });
    expect(assembled.turn.blocks.at(-1)?.native).toEqual({
      id: 'audio_1',
      data: 'AABB',
      transcript: 'Hey',
      expires_at: 9,
    });
  });

  test('appends the arguments of an older function_call, which goes back as one', async () => {
    const deltas = [{ function_call: { name: 'f', arguments: '{"x"' } }, { function_call: { arguments: ':1}' } }];
    const assembled = await assemble(chunks(deltas, 'function_call'));
    expect(message(assembled)).toEqual({
      role: 'assistant',
      content: null,
      function_call: { name: 'f', arguments: '{"x":1}' },
    });
    expect(assembled.turn.toolCalls.map(({ name, inputText }) => [name, inputText])).toEqual([['f', '{"x":1}']]);
  });

  test('appends log probabilities, which stand in the envelope', async () => {
    const choice = (delta: JsonObject, logprobs: JsonObject | null): JsonObject => ({
      choices: [{ index: 0, delta, logprobs, finish_reason: null }],
    });
    const { turn } = await assemble([
      choice({ content: 'a' }, { content: [{ token: 'a' }], refusal: null }),
      choice({ refusal: 'b' }, { content: null, refusal: [{ token: 'b' }] }),
      choice({ content: 'c' }, { content: [{ token: 'c' }], refusal: null }),
      choice({}, null),
    ]);
    expect(turn.envelope['logprobs']).toEqual({ content: [{ token: 'a' }, { token: 'c' }], refusal: [{ token: 'b' }] });
  });

  test('assembles every choice, in whatever order they come, several in a chunk', async () => {
    const parts = (...choices: readonly (readonly [number, JsonObject, string?])[]): JsonObject => ({
      id: 'chat_1',
      model: 'model-test',
      choices: choices.map(([index, delta, reason = null]) => ({ index, delta, finish_reason: reason })),
    });
    const { turn, ui } = await assemble([
      parts([1, { content: 'B' }], [0, { content: 'A' }]),
      parts([2, { refusal: 'C' }]),
      parts([1, { content: 'b' }, 'stop'], [2, {}, 'content_filter']),
      parts([0, { content: 'a' }, 'length']),
    ]);
    expect(turn.entries).toEqual([{ role: 'assistant', content: 'Aa' }]);
    expect(turn.stopReason).toBe('length');
    expect(turn.choices?.map(({ status, stopReason, entries }) => ({ status, stopReason, entries }))).toEqual([
      { status: 'complete', stopReason: 'stop', entries: [{ role: 'assistant', content: 'Bb' }] },
      {
        status: 'complete',
        stopReason: 'content_filter',
        entries: [{ role: 'assistant', content: null, refusal: 'C' }],
      },
    ]);
    expect(ui.filter(({ type }) => type === 'text_delta')).toHaveLength(2);
  });

  test('says of every choice whose answer it is', async () => {
    const { turn } = await assemble([
      { id: 'chat_9', model: 'model-9', choices: [0, 1].map((index) => ({ index, delta: { content: 'x' } })) },
    ]);
    expect([turn, ...(turn.choices ?? [])].map(({ turnId, model }) => [turnId, model])).toEqual([
      ['chat_9', 'model-9'],
      ['chat_9', 'model-9'],
    ]);
  });

  test.each([
    ['beside an empty choices', { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } }],
    ['without choices', { usage: { prompt_tokens: 3, completion_tokens: 4 } }],
    ['beside the last delta', chunk({}, null, { usage: { prompt_tokens: 3, completion_tokens: 4 } })],
    ['at the choice', { choices: [{ index: 0, delta: {}, usage: { prompt_tokens: 3, completion_tokens: 4 } }] }],
    ['under x_groq', chunk({}, null, { x_groq: { usage: { prompt_tokens: 3, completion_tokens: 4 } } })],
  ])('finds usage %s', async (_place, last) => {
    const { turn, ui } = await assemble([...chunks([{ content: 'a' }]), last]);
    expect(turn.usage).toMatchObject({ inputTokens: 3, outputTokens: 4, reasoningTokens: null });
    expect(ui.filter(({ type }) => type === 'usage')).toHaveLength(1);
  });

  test('is complete without a usage chunk', async () => {
    const { turn } = await assemble(chunks([{ content: 'a' }]));
    expect([turn.status, turn.usage.inputTokens]).toEqual(['complete', null]);
  });

  test.each([
    ['reasoning tokens', { completion_tokens_details: { reasoning_tokens: 5 } }, { reasoningTokens: 5 }],
    ['cached tokens', { prompt_tokens_details: { cached_tokens: 6 } }, { cacheReadTokens: 6 }],
    ['cache hits of DeepSeek', { prompt_cache_hit_tokens: 7 }, { cacheReadTokens: 7 }],
    ['cache writes of OpenRouter', { prompt_tokens_details: { cache_write_tokens: 8 } }, { cacheWriteTokens: 8 }],
  ])('reads %s', async (_what, usage, expected) => {
    const { turn } = await assemble([...chunks([{ content: 'a' }]), { choices: [], usage }]);
    expect(turn.usage).toMatchObject(expected);
  });

  test('keeps what stands around the message in the envelope, without the padding', async () => {
    const { turn } = await assemble([
      { choices: [], id: '', model: '', object: '', prompt_filter_results: [{ prompt_index: 0 }] },
      chunk({ content: 'a' }, 'stop', { obfuscation: 'xyz', service_tier: 'default', system_fingerprint: 'fp' }),
      { ...chunk({}), choices: [{ index: 0, content_filter_results: { hate: { filtered: false } } }] },
    ]);
    expect(turn.envelope).toMatchObject({
      id: 'chat_1',
      prompt_filter_results: [{ prompt_index: 0 }],
      service_tier: 'default',
      content_filter_results: { hate: { filtered: false } },
    });
    expect(turn.envelope).not.toHaveProperty('obfuscation');
  });
});

describe('chat completions, deviations of compatible servers', () => {
  test('index absent, whole call per delta', async () => {
    const assembled = await assemble(chunks([whole('a', 'f', '{"n":1}'), whole('b', 'f', '{"n":2}')]));
    expect(toolCalls(assembled)).toEqual(['a f {"n":1}', 'b f {"n":2}']);
  });

  test('index always 0, distinct ids', async () => {
    const zero = { index: 0 };
    const assembled = await assemble(chunks([whole('a', 'f', '{"n":1}', zero), whole('b', 'f', '{"n":2}', zero)]));
    expect(toolCalls(assembled)).toEqual(['a f {"n":1}', 'b f {"n":2}']);
  });

  test('indexes start non-zero, have gaps, are mixed present and absent', async () => {
    const assembled = await assemble(
      chunks([
        whole('a', 'f', '{"n"', { index: 2 }),
        whole('b', 'g', '{"n"', { index: 9 }),
        call({ index: 2 }, { arguments: ':1}' }),
        call({ index: 9 }, { arguments: ':2' }),
        call({}, { arguments: '}' }),
        whole('c', 'h', '{}'),
      ]),
    );
    expect(toolCalls(assembled)).toEqual(['a f {"n":1}', 'b g {"n":2}', 'c h {}']);
  });

  test('two entries, same index, in one delta', async () => {
    const entries = [
      { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } },
      { index: 0, function: { arguments: '{"n":' } },
    ];
    const assembled = await assemble(chunks([{ tool_calls: entries }, call({ index: 0 }, { arguments: '1}' })]));
    expect(toolCalls(assembled)).toEqual(['a f {"n":1}']);
  });

  test('id "" and name "" on continuations', async () => {
    const assembled = await assemble(
      chunks([
        whole('a', 'f', '', { index: 0 }),
        whole('', '', '{"n":', { index: 0 }),
        whole('', '', '1}', { index: 0 }),
      ]),
    );
    expect(toolCalls(assembled)).toEqual(['a f {"n":1}']);
  });

  test('id and name resent on every delta; id changes in mid-call', async () => {
    const assembled = await assemble(
      chunks([
        whole('a', 'f', '', { index: 0 }),
        whole('a', 'f', '{"n":', { index: 0 }),
        call({ index: 0, id: '0' }, { name: null, arguments: '1' }),
        call({ index: 0, id: 'chatcmpl-tool-zz' }, { arguments: '}' }),
        whole('b', 'g', '{', { index: 1 }),
        call({ index: 1, id: '0' }, { name: null, arguments: '}' }),
      ]),
    );
    expect(toolCalls(assembled)).toEqual(['a f {"n":1}', 'b g {}']);
  });

  test.each([undefined, ''])('id %j for the whole call: one is made, the same in the entry', async (id) => {
    const assembled = await assemble(
      chunks([whole(id, 'f', '{"n":', { index: 0 }), call({ index: 0 }, { arguments: '1}' })]),
    );
    const [made] = assembled.turn.toolCalls;
    expect(made).toMatchObject({ name: 'f', inputText: '{"n":1}' });
    expect(made?.id).toMatch(/^[\w-]+$/);
    expect(message(assembled)).toMatchObject({ tool_calls: [{ id: made?.id }] });
    expect(assembled.ui.find(({ type }) => type === 'block_start')).not.toHaveProperty('id');
  });

  test('name arrives after arguments', async () => {
    const assembled = await assemble(
      chunks([call({ index: 0, id: 'a' }, { arguments: '{"n":1}' }), call({ index: 0 }, { name: 'f' })]),
    );
    expect(toolCalls(assembled)).toEqual(['a f {"n":1}']);
  });

  test('name comes in pieces', async () => {
    const assembled = await assemble(
      chunks([call({ index: 0, id: 'a' }, { name: 'get_' }), call({ index: 0 }, { name: 'tide', arguments: '{}' })]),
    );
    expect(toolCalls(assembled)).toEqual(['a get_tide {}']);
  });

  test('name is null first', async () => {
    const assembled = await assemble(
      chunks([
        call({ index: 0, id: 'a' }, { name: null, arguments: '' }),
        call({ index: 0 }, { name: 'f', arguments: '{}' }),
      ]),
    );
    expect(toolCalls(assembled)).toEqual(['a f {}']);
  });

  test('type missing: none is added', async () => {
    const assembled = await assemble(chunks([call({ index: 0, id: 'a' }, { name: 'f', arguments: '{}' })]));
    expect(message(assembled)?.['tool_calls']).toEqual([{ id: 'a', function: { name: 'f', arguments: '{}' } }]);
  });

  test('whole args in the first delta are counted once', async () => {
    const assembled = await assemble(
      chunks([whole('a', 'f', '{"n":1}', { index: 0 }), whole('a', 'f', '', { index: 0 }), call({ index: 0 })]),
    );
    expect(toolCalls(assembled)).toEqual(['a f {"n":1}']);
    expect(assembled.ui.filter(({ type }) => type === 'tool_input_delta')).toHaveLength(1);
  });

  test.each([{ arguments: '' }, { arguments: ' ' }, { arguments: null }, {}])(
    'arguments empty or absent for a tool without any: %j',
    async (args) => {
      const assembled = await assemble(chunks([call({ index: 0, id: 'a' }, { name: 'f', ...args })]));
      expect(assembled.turn.toolCalls).toEqual([{ id: 'a', name: 'f', input: {}, inputText: '{}' }]);
      expect(message(assembled)?.['tool_calls']).toEqual([{ id: 'a', function: { name: 'f', arguments: '{}' } }]);
      expect(codes(assembled.turn.repairs)).toEqual(['empty_input']);
    },
  );

  test('finish "stop" though calls are present', async () => {
    const assembled = await assemble(chunks([whole('a', 'f', '{}')], 'stop'));
    expect([assembled.turn.stopReason, toolCalls(assembled)]).toEqual(['stop', ['a f {}']]);
  });

  test('no finish at all, and [DONE]', async () => {
    const assembled = await assemble([chunk(whole('a', 'f', '{}'))]);
    expect([assembled.turn.status, assembled.turn.stopReason, toolCalls(assembled)]).toEqual([
      'complete',
      null,
      ['a f {}'],
    ]);
    expect(codes(assembled.turn.warnings)).toEqual(['missing_finish_reason']);
  });

  test('finish twice', async () => {
    const assembled = await assemble([...chunks([{ content: 'a' }], 'length'), chunk({ content: 'b' }, 'stop')]);
    expect([assembled.turn.stopReason, message(assembled)?.['content']]).toEqual(['stop', 'ab']);
  });

  test('finish_reason and logprobs keys absent', async () => {
    const bare = (delta: JsonObject, members: JsonObject = {}): JsonObject => ({
      id: 'x',
      choices: [{ index: 0, delta, ...members }],
    });
    const assembled = await assemble([
      bare({ content: 'a' }),
      bare({ content: 'b' }),
      bare({}, { finish_reason: 'stop' }),
    ]);
    expect([assembled.turn.status, message(assembled)]).toEqual(['complete', { role: 'assistant', content: 'ab' }]);
  });

  test('content and tool_calls split over several choices of one answer', async () => {
    const at = (index: number, delta: JsonObject, reason: string | null = null): JsonObject => ({
      choices: [{ index, delta, finish_reason: reason }],
    });
    const body = [
      at(0, { content: 'Look.' }),
      at(1, whole('a', 'f', '{}')),
      at(0, {}, 'stop'),
      at(1, {}, 'tool_calls'),
    ];
    const merged = await assemble(body, { mergeChoices: true });
    expect([message(merged)?.['content'], toolCalls(merged)]).toEqual(['Look.', ['a f {}']]);
    expect(merged.turn).not.toHaveProperty('choices');
    const apart = await assemble(body);
    expect([apart.turn.toolCalls, apart.turn.choices?.[0]?.toolCalls.length]).toEqual([[], 1]);
  });

  test('args is an object, not a string: its text on the wire is kept', async () => {
    const args = '{"b": 1.50, "a":1e3, "2":0, "1":0, "id":98765432109876543210}';
    const head = `data: {"id":"x","choices":[{"index":0,"delta":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":`;
    const assembled = await assemble(`${head}${args}}}]},"finish_reason":"tool_calls"}]}\n\n${done}`);
    expect(toolCalls(assembled)).toEqual([`a f ${args}`]);
    expect(message(assembled)?.['tool_calls']).toEqual([{ id: 'a', function: { name: 'f', arguments: args } }]);
  });

  test('args is an object, not a string: its values, where the event came parsed', async () => {
    const assembled = await assemble(chunks([whole('a', 'f', { n: 1, deep: { list: [1, 'x'] } }, { index: 0 })]));
    expect(assembled.turn.toolCalls[0]?.input).toEqual({ n: 1, deep: { list: [1, 'x'] } });
  });

  test('ends without [DONE], the last event without a blank line', async () => {
    const body = sse(...chunks([{ content: 'a' }]));
    for (const end of ['', '\n', '\n\n']) {
      const { turn } = await assemble(body.trimEnd() + end);
      expect([turn.status, turn.stopReason]).toEqual(['complete', 'stop']);
    }
  });
});

describe('chat completions, reasoning fields of compatible servers', () => {
  const withCall = whole('a', 'f', '{}', { index: 0 });

  test('DeepSeek R1 (old): kept under its name; the family says that it is not taken back', async () => {
    const assembled = await assemble(
      chunks([{ content: null, reasoning_content: 'Th' }, { reasoning_content: 'ink' }, { content: 'A' }]),
    );
    expect(message(assembled)).toEqual({ role: 'assistant', content: 'A', reasoning_content: 'Think' });
    expect(reasoningFamily('deepseek/deepseek-r1').takesBack).toBe(false);
  });

  test('DeepSeek V3.2 and V4: null and "" are ignored, and an empty one is kept on a tool turn', async () => {
    const full = [
      { reasoning_content: 'Think' },
      { reasoning_content: null, content: '' },
      { reasoning_content: '' },
      withCall,
    ];
    expect(fields(message(await assemble(chunks(full))), 'reasoning_content', 'content')).toEqual({
      reasoning_content: 'Think',
      content: null,
    });
    const empty = await assemble(
      chunks([{ content: null, reasoning_content: '' }, withCall, { reasoning_content: null }]),
    );
    expect(message(empty)?.['reasoning_content']).toBe('');
    const none = await assemble(chunks([{ content: null, reasoning_content: null }, withCall]));
    expect(message(none)).not.toHaveProperty('reasoning_content');
  });

  test('Kimi: usage on the choice, tool index absent', async () => {
    const last = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls', usage: { prompt_tokens: 8 } }] };
    const assembled = await assemble([
      chunk({ reasoning_content: ' Look.' }),
      chunk(call({ id: 'functions.f:0', type: 'function' }, { name: 'f', arguments: '' })),
      chunk(call({}, { arguments: '{"n":1}' })),
      last,
    ]);
    expect(toolCalls(assembled)).toEqual(['functions.f:0 f {"n":1}']);
    expect(message(assembled)?.['reasoning_content']).toBe(' Look.');
    expect(assembled.turn.usage.inputTokens).toBe(8);
  });

  test('Qwen: reasoning_content beside ids of "" on continuations', async () => {
    const assembled = await assemble(
      chunks([
        { content: '', reasoning_content: 'Look.' },
        whole('a', 'f', '{"n"', { index: 0 }),
        whole('', '', ':1}', { index: 0 }),
      ]),
    );
    expect(toolCalls(assembled)).toEqual(['a f {"n":1}']);
    expect(message(assembled)?.['reasoning_content']).toBe('Look.');
  });

  test('GLM: reasoning_content appends and goes back', async () => {
    const assembled = await assemble(
      chunks([{ content: '\n' }, { reasoning_content: 'Lo' }, { reasoning_content: 'ok.' }, { content: 'A' }]),
    );
    expect(blocks(assembled)).toEqual(['text finished \n', 'reasoning finished Look.', 'text finished A']);
    expect(message(assembled)).toEqual({ role: 'assistant', content: '\nA', reasoning_content: 'Look.' });
  });

  test('vLLM: reasoning goes back as reasoning', async () => {
    const assembled = await assemble(chunks([{ reasoning: 'Lo' }, { reasoning: 'ok.' }, withCall]));
    expect(message(assembled)).toMatchObject({ content: null, reasoning: 'Look.' });
    expect(message(assembled)).not.toHaveProperty('reasoning_content');
  });

  test('SGLang: reasoning_content goes back as reasoning_content', async () => {
    const assembled = await assemble(
      chunks([
        { reasoning_content: 'Look.', content: null },
        { content: 'A', reasoning_content: null },
      ]),
    );
    expect(message(assembled)).toEqual({ role: 'assistant', content: 'A', reasoning_content: 'Look.' });
  });

  test('xAI Chat: reasoning_content, whole calls, nothing opaque', async () => {
    const assembled = await assemble(
      chunks([
        { reasoning_content: 'Look.', role: 'assistant' },
        { tool_calls: [{ id: 'a', index: 0, type: 'function', function: { name: 'f', arguments: '{"n":1}' } }] },
      ]),
    );
    expect(message(assembled)).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: 'Look.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"n":1}' } }],
    });
  });

  // The row of xAI's Responses is of another dialect.

  test('Mistral: content is a string or a list and flips; adjacent chunks of one type join, signature and closed stay', async () => {
    const think = (text: string, members: JsonObject = {}): JsonObject => ({
      type: 'thinking',
      thinking: [{ type: 'text', text }],
      ...members,
    });
    const assembled = await assemble(
      chunks([
        { content: '' },
        { content: [think('Lo', { closed: false })] },
        { content: [think('ok.', { closed: true, signature: 'S' }), { type: 'text', text: 'A' }] },
        { content: ' B' },
        {
          content: [
            { type: 'tool_reference', tool: 'web' },
            { type: 'text', text: 'C' },
          ],
        },
      ]),
    );
    expect(message(assembled)?.['content']).toEqual([
      think('Look.', { closed: true, signature: 'S' }),
      { type: 'text', text: 'A B' },
      { type: 'tool_reference', tool: 'web' },
      { type: 'text', text: 'C' },
    ]);
    expect([shown(assembled, 'reasoning_delta'), shown(assembled, 'text_delta')]).toEqual([
      ['Lo', 'ok.'],
      ['A', ' B', 'C'],
    ]);
  });

  test('Mistral: a thinking chunk that holds nothing but a signature is not lost', async () => {
    const signed = { type: 'thinking', thinking: [], signature: 'S' };
    const assembled = await assemble(chunks([{ content: [{ type: 'text', text: 'A' }] }, { content: [signed] }]));
    expect(message(assembled)?.['content']).toEqual([{ type: 'text', text: 'A' }, signed]);
  });

  test('Copilot Chat: reasoning_text and reasoning_opaque append, also over parallel calls', async () => {
    const assembled = await assemble(
      chunks([
        { reasoning_text: 'Lo' },
        { reasoning_text: 'ok.' },
        { reasoning_opaque: 'AB', ...whole('a', 'f', '{}', { index: 0 }) },
        { reasoning_opaque: 'CD', ...whole('b', 'f', '{}', { index: 1 }) },
      ]),
    );
    expect(fields(message(assembled), 'reasoning_text', 'reasoning_opaque')).toEqual({
      reasoning_text: 'Look.',
      reasoning_opaque: 'ABCD',
    });
    expect(shown(assembled, 'reasoning_delta')).toEqual(['Lo', 'ok.']);
  });

  test.each(['google', 'vertex'])(
    'Gemini compat: extra_content.%s stays at the call, at the message, and alone',
    async (vendor) => {
      const signed = (value: string): JsonObject => ({ extra_content: { [vendor]: { thought_signature: value } } });
      const assembled = await assemble(
        chunks([
          { content: 'A', ...signed('M') },
          call({ id: 'a', type: 'function', ...signed('S') }, { name: 'f', arguments: '{' }),
          call({ extra_content: { [vendor]: { thought_signature: '' } } }, { arguments: '}' }),
          call({ id: 'b', type: 'function' }, { name: 'f', arguments: '{}' }),
          { tool_calls: [signed('T')] },
        ]),
      );
      expect(message(assembled)).toEqual({
        role: 'assistant',
        content: 'A',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' }, ...signed('S') },
          { id: 'b', type: 'function', function: { name: 'f', arguments: '{}' }, ...signed('T') },
        ],
        ...signed('M'),
      });
    },
  );

  test('OpenRouter and kin: reasoning beside reasoning_details, shown once, both back, in the original order', async () => {
    const detail = (text: string): JsonObject => ({
      type: 'reasoning.text',
      text,
      format: 'anthropic-claude-v1',
      index: 0,
    });
    const sealed = { type: 'reasoning.encrypted', data: 'E', format: 'anthropic-claude-v1', index: 1 };
    const assembled = await assemble(
      chunks([
        { reasoning: 'Lo', reasoning_details: [detail('Lo')] },
        { reasoning: 'ok.', reasoning_details: [detail('ok.')] },
        { reasoning: null, reasoning_details: [{ type: 'reasoning.text', signature: 'S', index: 0 }] },
        { reasoning: null, reasoning_details: [sealed] },
        withCall,
      ]),
    );
    expect(fields(message(assembled), 'reasoning', 'reasoning_details')).toEqual({
      reasoning: 'Look.',
      reasoning_details: [{ ...detail('Look.'), signature: 'S' }, sealed],
    });
    expect(shown(assembled, 'reasoning_delta')).toEqual(['Lo', 'ok.']);
  });

  test('LiteLLM: ids stay byte for byte, thinking_blocks and provider_specific_fields are kept', async () => {
    const id = 'call_1__thought__Q2lnL0E9PQ==';
    const thinking = [{ type: 'thinking', thinking: 'Look.', signature: 'S' }];
    const assembled = await assemble(
      chunks([
        { reasoning_content: 'Look.', thinking_blocks: thinking },
        { thinking_blocks: null, provider_specific_fields: { thought_signatures: ['T'] } },
        whole(id, 'f', '{}', { index: 0 }),
      ]),
    );
    expect(message(assembled)).toMatchObject({
      reasoning_content: 'Look.',
      thinking_blocks: thinking,
      provider_specific_fields: { thought_signatures: ['T'] },
      tool_calls: [{ id }],
    });
  });

  test('odd gateways: delta fields that nobody knows are kept, the last value that says something', async () => {
    const assembled = await assemble(
      chunks([
        { content: 'A', thinking_signature: 'S1', thinking: 'x' },
        { thinking_signature: 'S2', thinking: '' },
        { thinking: null },
      ]),
    );
    expect(message(assembled)).toEqual({ role: 'assistant', content: 'A', thinking_signature: 'S2', thinking: 'x' });
  });

  test.each(['index', 'token_id', 'channel', 'executed_tools', 'provider_metadata', 'role'])(
    'leaves the bookkeeping field %s out of the message (D13)',
    async (name) => {
      const assembled = await assemble(chunks([{ content: 'A', [name]: 'x' }]));
      expect(message(assembled)).toEqual({ role: 'assistant', content: 'A' });
    },
  );
});
