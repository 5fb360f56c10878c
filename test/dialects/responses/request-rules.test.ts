import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { AssembledTurn } from '../../../src/core/turn.ts';
import { responsesRules } from '../../../src/dialects/responses/request-rules.ts';
import { checkRequest } from '../../../src/replay/check-request.ts';
import { responses } from '../../../src/responses.ts';
import { assemble, completed, created, done, messageItem, reasoningItem } from './wire-events.ts';

const user = { role: 'user', content: 'When is high water?' };
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c1' };
const bare = { type: 'reasoning', id: 'rs_1', summary: [] };
const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'tide', arguments: '{}' };
const second = { ...call, id: 'fc_2', call_id: 'call_2' };
const output = { type: 'function_call_output', call_id: 'call_1', output: '06:40' };
const secondOutput = { ...output, call_id: 'call_2' };
const said = { type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text: 'At 06:40.' }] };

/** A request of OpenAI with these items. */
function ask(...input: unknown[]): JsonObject {
  return { model: 'gpt-5.2', input };
}

/** A request of a server of open models. */
function askOther(...input: unknown[]): JsonObject {
  return { model: 'qwen3-coder', input };
}

function askDeepSeek(...input: unknown[]): JsonObject {
  return { model: 'deepseek-v4-flash', input };
}

function withParameters(model: string, parameters: JsonObject): JsonObject {
  return { model, input: 'Hello', ...parameters };
}

/** Findings as `severity code path`. */
function found(body: JsonObject, context: Parameters<typeof checkRequest>[2] = {}): string[] {
  return checkRequest(body, responses, context).map(({ severity, code, path }) => `${severity} ${code} ${path}`);
}

type Row = readonly [title: string, body: JsonObject, findings: readonly string[]];

const about: Readonly<Record<string, readonly Row[]>> = {
  'reasoning and what it led to': [
    ['reasoning before a call', ask(user, reasoning, call, output), []],
    ['reasoning before a message', ask(user, reasoning, said, user), []],
    ['reasoning before a hosted tool', ask(user, bare, { type: 'web_search_call', id: 'ws_1' }, said), []],
    ['reasoning before a reference', ask(user, bare, { type: 'item_reference', id: 'msg_9' }), []],
    ['two reasoning items before one call', ask(user, bare, { ...bare, id: 'rs_2' }, call, output), []],
    ['reasoning at the end', ask(user, reasoning), ['error reasoning_without_following_item input[1]']],
    ['reasoning before the user', ask(user, bare, user), ['error reasoning_without_following_item input[1]']],
    ['reasoning before an output', ask(user, call, bare, output), ['error reasoning_without_following_item input[2]']],
    ['at another server', askOther(user, bare), ['warning reasoning_without_following_item input[1]']],
    [
      'without an id',
      ask(user, { ...reasoning, id: undefined }),
      ['warning reasoning_without_following_item input[1]'],
    ],
  ],
  'reasoning where nothing is stored': [
    ['with ciphertext', { ...ask(user, reasoning, said), store: false, include: ['reasoning.encrypted_content'] }, []],
    ['of a model that does not reason', { ...ask(user, said), model: 'gpt-4.1', store: false }, []],
    [
      'with an id alone',
      { ...ask(user, bare, said), store: false, include: ['reasoning.encrypted_content'] },
      ['error reasoning_not_stored input[1]'],
    ],
    [
      'with null as ciphertext, and not asked for',
      { ...ask(user, { ...bare, encrypted_content: null }, said), store: false, include: [] },
      ['error reasoning_not_stored input[1]', 'warning ciphertext_not_included include'],
    ],
    ['with an id alone at another server', { ...askOther(user, bare, said), store: false }, []],
    [
      'a reference',
      { ...ask(user, { type: 'item_reference', id: 'msg_1' }), model: 'gpt-4o', store: false },
      ['error reference_not_stored input[1]'],
    ],
    ['a reference to what is stored', ask(user, { type: 'item_reference', id: 'msg_1' }), []],
  ],
  'the members of reasoning': [
    ['no summary', ask(user, { type: 'reasoning', id: 'rs_1' }, said), ['error missing_summary input[1]']],
    [
      'a status that an SDK made up',
      ask(user, { ...bare, status: null }, said),
      ['error unknown_parameter input[1].status'],
    ],
    ['a status that came', ask(user, bare, { ...said, status: 'completed' }), []],
  ],
  'the reasoning of DeepSeek': [
    ['before the call', askDeepSeek(user, bare, call, output), []],
    ['before each call', askDeepSeek(user, bare, call, output, { ...bare, id: 'rs_2' }, second, secondOutput), []],
    ['missing', askDeepSeek(user, call, output), ['error missing_reasoning_text input[1]']],
    [
      'missing in the second step',
      askDeepSeek(user, bare, call, output, second, secondOutput),
      ['error missing_reasoning_text input[4]'],
    ],
    [
      'before the first of two calls only',
      askDeepSeek(user, bare, call, second, output, secondOutput),
      ['warning missing_reasoning_text input[3]'],
    ],
    ['switched off', { ...askDeepSeek(user, call, output), reasoning: { effort: 'none' } }, []],
    ['of another model', ask(user, call, output), []],
  ],
  'calls and their outputs': [
    ['two calls, two outputs', ask(user, call, second, secondOutput, output), []],
    ['an output without its call', ask(user, output), ['error output_without_call input[1]']],
    ['the same at another server', askOther(user, output), ['warning output_without_call input[1]']],
    ['an output for what is stored', { ...ask(output), previous_response_id: 'resp_1' }, []],
    ['an output in a conversation', { ...ask(output), conversation: { id: 'conv_1' } }, []],
    ['an output to a reference', ask({ type: 'item_reference', id: 'fc_1' }, output), []],
    ['an output before its call', ask(user, output, call), ['error output_before_call input[1]']],
    ['a call without its output', ask(user, call, second, output), ['error call_without_output input[2]']],
    ['the same at DeepSeek', askDeepSeek(user, bare, call), ['error call_without_output input[2]']],
    ['an asynchronous call', ask(user, { ...call, async: true }), []],
    ['a call that the service runs', ask(user, { type: 'mcp_call', id: 'mcp_1' }, said), []],
    [
      'a shell in a container',
      ask(user, { type: 'shell_call', call_id: 'a', environment: { type: 'container_auto' } }),
      [],
    ],
    [
      'what a shell in a container gave',
      ask(
        user,
        { type: 'shell_call', call_id: 'a', environment: { type: 'container_auto' } },
        { type: 'shell_call_output', call_id: 'a', output: [] },
        said,
      ),
      [],
    ],
    ['a shell of the client', ask({ type: 'shell_call', call_id: 'a' }), ['error call_without_output input[0]']],
    [
      'a local shell, which is paired by id',
      ask({ type: 'local_shell_call', id: 'lsh_1' }, { type: 'local_shell_call_output', id: 'lsh_1', output: '' }),
      [],
    ],
    [
      'a custom tool that xAI ran',
      { ...ask({ type: 'custom_tool_call', call_id: 'xs_call_1' }, said), model: 'grok-4.3' },
      [],
    ],
    [
      'the user between a call and its output',
      ask(user, call, user, output),
      ['warning message_before_output input[2]'],
    ],
    ['the model between its calls', ask(user, call, said, second, output, secondOutput), []],
    [
      'the model between its calls at DeepSeek',
      askDeepSeek(user, bare, call, said, { ...bare, id: 'rs_2' }, second, output, secondOutput),
      ['error message_before_output input[3]'],
    ],
    ['the user after a call that nobody answers', ask(user, call, user), ['error call_without_output input[1]']],
    [
      'one id for two calls at once',
      ask(user, call, { ...second, call_id: 'call_1' }, output),
      ['error duplicate_call_id input[2]'],
    ],
    [
      'one id for two calls in a row',
      ask(user, call, output, { ...second, call_id: 'call_1' }, output),
      ['warning duplicate_call_id input[3]'],
    ],
    ['two outputs for one call', ask(user, call, output, output), ['warning duplicate_output input[3]']],
    [
      'no call id',
      ask(user, { ...call, call_id: undefined }, { ...output, call_id: '' }),
      [
        'error output_without_call input[2]',
        'error call_without_output input[1]',
        'error missing_call_id input[1]',
        'error missing_call_id input[2]',
      ],
    ],
  ],
  'the input and output of calls': [
    [
      'no JSON',
      ask(user, { ...call, arguments: '{"port":' }, output),
      ['warning arguments_not_json input[1].arguments'],
    ],
    ['no object', ask(user, { ...call, arguments: '[1]' }, output), ['warning arguments_not_json input[1].arguments']],
    ['nothing', ask(user, { ...call, arguments: '' }, output), ['warning arguments_not_json input[1].arguments']],
    ['the value', ask(user, { ...call, arguments: {} }, output), ['error arguments_not_text input[1].arguments']],
    ['parts as output', ask(user, call, { ...output, output: [{ type: 'input_text', text: 'x' }] }), []],
    [
      'an object as output',
      ask(user, call, { ...output, output: { at: 6 } }),
      ['error output_not_text input[2].output'],
    ],
    [
      'members of an SDK',
      ask(user, { ...call, parsed_arguments: {} }, output, {
        ...said,
        content: [{ type: 'output_text', text: 'x', parsed: null }],
      }),
      ['error unknown_parameter input[1].parsed_arguments', 'error unknown_parameter input[3].content[0].parsed'],
    ],
  ],
  ids: [
    ['one twice', ask(user, said, user, said), ['error duplicate_item_id input[3]']],
    ['one twice at another server', askOther(user, said, user, said), ['warning duplicate_item_id input[3]']],
    ['none', ask(user, { ...said, id: undefined }, user, { ...said, id: undefined }), []],
    [
      'of a call in the place of that of an item',
      ask(user, { ...call, id: 'call_1' }, output),
      ['error invalid_id_prefix input[1].id'],
    ],
    ['of reasoning at a message', ask(user, { ...said, id: 'rs_1' }), ['error invalid_id_prefix input[1].id']],
    [
      'of a client at a message',
      ask(user, { ...said, id: '019f629b-43ee-7a82-acb1-3071dbffbdad' }),
      ['error invalid_id_prefix input[1].id'],
    ],
    ['of a gateway', ask(user, { ...said, id: 'Zm9v' }), ['warning invalid_id_prefix input[1].id']],
    ['of another server', askOther(user, { ...said, id: 'call_1' }), []],
    [
      'of 65 characters',
      ask(
        user,
        { ...call, id: `fc_${'x'.repeat(62)}`, call_id: 'y'.repeat(65) },
        { ...output, call_id: 'y'.repeat(65) },
      ),
      ['warning id_too_long input[1].id', 'error id_too_long input[1].call_id', 'error id_too_long input[2].call_id'],
    ],
    [
      'of 64 characters',
      ask(
        user,
        { ...call, id: `fc_${'x'.repeat(61)}`, call_id: 'y'.repeat(64) },
        { ...output, call_id: 'y'.repeat(64) },
      ),
      [],
    ],
  ],
  messages: [
    ['parts as they belong', ask({ role: 'user', content: [{ type: 'input_text', text: 'x' }] }, said), []],
    [
      "the model's parts from the user",
      ask({
        role: 'user',
        content: [
          { type: 'input_text', text: 'x' },
          { type: 'output_text', text: 'x' },
        ],
      }),
      ['error wrong_content_type input[0].content[1].type'],
    ],
    [
      "the user's parts from the model",
      ask({ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }),
      ['error wrong_content_type input[0].content[0].type'],
    ],
    [
      'parts of a chat message',
      ask({ role: 'user', content: [{ type: 'text', text: 'x' }] }),
      ['error wrong_content_type input[0].content[0].type'],
    ],
    [
      'the same at another server',
      askOther({ role: 'user', content: [{ type: 'text' }] }),
      ['warning wrong_content_type input[0].content[0].type'],
    ],
    ['a tool', ask({ role: 'tool', content: 'x' }), ['error unknown_role input[0].role']],
    ['a developer', ask({ role: 'developer', content: 'x' }), []],
    [
      'calls in a message',
      ask({ role: 'assistant', content: 'x', tool_calls: [] }),
      ['error unknown_parameter input[0].tool_calls'],
    ],
  ],
  parameters: [
    ['temperature of o3', withParameters('o3', { temperature: 0.2 }), ['error sampling_with_reasoning temperature']],
    [
      'temperature of gpt-5-mini',
      withParameters('gpt-5-mini', { temperature: 0 }),
      ['error sampling_with_reasoning temperature'],
    ],
    ['temperature of 1', withParameters('gpt-5', { temperature: 1, top_p: 1, top_logprobs: 0 }), []],
    ['temperature of a chat variant', withParameters('gpt-5-chat-latest', { temperature: 0 }), []],
    ['temperature of gpt-4o', withParameters('gpt-4o', { temperature: 0 }), []],
    ['top_p of gpt-5.2', withParameters('gpt-5.2', { top_p: 0.5 }), ['warning sampling_with_reasoning top_p']],
    [
      'top_p of gpt-5.2 that reasons',
      withParameters('openai/gpt-5.2', { top_p: 0.5, reasoning: { effort: 'low' } }),
      ['error sampling_with_reasoning top_p'],
    ],
    ['top_p of gpt-5.2 that does not', withParameters('gpt-5.2', { top_p: 0.5, reasoning: { effort: 'none' } }), []],
    [
      'effort of gpt-4o',
      withParameters('gpt-4o', { reasoning: { effort: 'low' } }),
      ['error unsupported_effort reasoning.effort'],
    ],
    [
      'no effort of o4-mini',
      withParameters('o4-mini', { reasoning: { effort: 'none' } }),
      ['error unsupported_effort reasoning.effort'],
    ],
    ['minimal effort of gpt-5', withParameters('gpt-5', { reasoning: { effort: 'minimal' } }), []],
    [
      'minimal effort of gpt-5.1',
      withParameters('gpt-5.1', { reasoning: { effort: 'minimal' } }),
      ['error unsupported_effort reasoning.effort'],
    ],
    [
      'minimal effort of gpt-5.6',
      withParameters('gpt-5.6', { reasoning: { effort: 'minimal' } }),
      ['warning unsupported_effort reasoning.effort'],
    ],
    ['the highest effort of gpt-5.2', withParameters('gpt-5.2', { reasoning: { effort: 'xhigh' } }), []],
    ['effort of open weights', withParameters('gpt-oss-120b', { reasoning: { effort: 'minimal' } }), []],
    [
      'room for 15 tokens',
      withParameters('gpt-4o', { max_output_tokens: 15 }),
      ['error max_output_tokens_too_low max_output_tokens'],
    ],
    ['room for 16 tokens', withParameters('gpt-4o', { max_output_tokens: 16 }), []],
    [
      'a tool as in chat completions',
      withParameters('gpt-4o', { tools: [{ type: 'web_search' }, { type: 'function', function: { name: 'tide' } }] }),
      ['error missing_tool_name tools[1].name'],
    ],
    ['a tool', withParameters('gpt-4o', { tools: [{ type: 'function', name: 'tide' }] }), []],
    [
      'two ways to go on',
      withParameters('gpt-4o', { previous_response_id: 'resp_1', conversation: 'conv_1' }),
      ['error previous_response_with_conversation previous_response_id'],
    ],
  ],
};

describe.each(Object.entries(about))('responses, %s', (_subject, rows) => {
  test.each(rows)('%s', (_title, body, findings) => {
    expect(found(body)).toEqual(findings);
  });
});

describe('responses, beside the request before', () => {
  const before = { ...ask(user), instructions: 'Be brief', tools: [{ type: 'function', name: 'tide' }] };
  const next = { ...before, input: [user, said, user] };

  test.each<[string, JsonObject, string[]]>([
    ['is longer', next, []],
    ['has other instructions', { ...next, instructions: 'Be long' }, ['warning prefix_changed instructions']],
    ['has no tools', { ...next, tools: undefined }, ['warning prefix_changed tools']],
    ['has another model', { ...next, model: 'gpt-5.6' }, ['warning prefix_changed model']],
    ['has a format', { ...next, text: { format: { type: 'json_object' } } }, ['warning prefix_changed text.format']],
    ['lost an item', { ...next, input: [said, user] }, ['warning prefix_changed input[0]']],
    ['has members in another order', { ...next, input: [{ content: user.content, role: 'user' }, said] }, []],
    ['has another effort', { ...next, reasoning: { effort: 'low' } }, ['warning effort_changed reasoning.effort']],
    ['goes on by id', { ...next, input: [user], previous_response_id: 'resp_1', instructions: 'Be long' }, []],
    [
      'goes on by id, with the history',
      { ...next, input: [user, user], previous_response_id: 'resp_1' },
      ['warning previous_response_with_history input[0]'],
    ],
  ])('a request that %s', (_title, body, findings) => {
    expect(found(body, { previous: before })).toEqual(findings);
  });

  test('what was not stored cannot be gone on from', () => {
    const body = { ...ask(user), previous_response_id: 'resp_1' };
    const codes = ['error previous_response_not_found previous_response_id'];
    expect(found(body, { previous: { ...before, store: false } })).toEqual(codes);
    expect(found(body, { previous: { ...before, store: true } })).toEqual([]);
  });

  test('a call that came with reasoning there goes with it here', () => {
    const previous = ask(user, reasoning, call, output);
    expect(found(ask(user, call, output), { previous })).toEqual([
      'error item_without_reasoning input[1]',
      'warning prefix_changed input[1]',
    ]);
    expect(found(ask(user, { ...call, id: undefined }, output), { previous })).toEqual([
      'warning prefix_changed input[1]',
    ]);
  });
});

describe('responses, beside the turns that were assembled', () => {
  const [thought, wireCall] = [reasoningItem(0, [], { encrypted_content: 'c0' }), { ...call, id: 'fc_7' }];
  const other = reasoningItem(2, [], { encrypted_content: 'c2' });
  const spoken = messageItem(3, 'One moment', { phase: 'commentary' });

  async function turns(): Promise<AssembledTurn[]> {
    const items = [thought, wireCall, other, spoken];
    const { turn } = await assemble([created(), ...items.map((item, index) => done(index, item)), completed()]);
    return [turn];
  }

  test.each<[string, JsonObject, string[]]>([
    ['as it came', ask(user, thought, wireCall, other, spoken, output), []],
    ['without its reasoning', ask(user, wireCall, output), ['error item_without_reasoning input[1]']],
    ['without its reasoning and its id', ask(user, { ...wireCall, id: undefined }, output), []],
    ['with reasoning without an id', ask(user, { ...thought, id: undefined }, wireCall, output), []],
    [
      'with reasoning behind it',
      ask(user, wireCall, output, thought, { ...said, id: undefined }),
      ['error item_without_reasoning input[1]'],
    ],
    [
      'with another one before its reasoning',
      ask(user, other, { ...call, id: undefined }, output, spoken),
      ['error item_without_reasoning input[4]'],
    ],
    [
      'with the ciphertext of another item',
      ask(user, { ...thought, encrypted_content: 'c2' }, wireCall, output),
      ['error mismatched_ciphertext input[1]'],
    ],
    [
      'with a ciphertext that never came',
      ask(user, { ...thought, encrypted_content: 'c' }, wireCall, output),
      ['error mismatched_ciphertext input[1]'],
    ],
    ['without its phase', ask(user, other, { ...spoken, phase: undefined }), ['warning phase_dropped input[2].phase']],
    [
      'without its phase and its id',
      ask(user, { role: 'assistant', content: 'One moment' }),
      ['warning phase_dropped input[1].phase'],
    ],
    [
      'together with the id of its response',
      { ...ask(wireCall, output), previous_response_id: 'resp_1' },
      ['error previous_response_with_history input[0]'],
    ],
    [
      'of another process, with the id of a response',
      { ...ask(said, user), previous_response_id: 'resp_0' },
      ['warning previous_response_with_history input[0]'],
    ],
  ])('an item %s', async (_title, body, findings) => {
    expect(found(body, { turns: await turns() })).toEqual(findings);
  });

  test('an item without its reasoning, where nothing is stored', async () => {
    const body = { ...ask(user, wireCall, output), store: false, include: ['reasoning.encrypted_content'] };
    expect(found(body, { turns: await turns() })).toEqual(['warning item_without_reasoning input[1]']);
  });
});

describe('responses, whatever a body holds', () => {
  const odd: readonly unknown[] = [
    null,
    0,
    '',
    'x',
    [],
    {},
    [null],
    [[]],
    { type: null },
    { type: 'reasoning', id: 3 },
  ];
  const places = ['input', 'tools', 'reasoning', 'model', 'include', 'previous_response_id', 'conversation', 'text'];

  test.each(places)('no rule throws for odd values in %s', (place) => {
    for (const value of odd) {
      const body = { ...ask(user, call, output), [place]: value };
      expect(() => checkRequest(body, responses, { previous: body, turns: [] })).not.toThrow();
    }
  });

  test.each(['message', 'reasoning', 'function_call', 'function_call_output', 'item_reference'])(
    'no rule throws for odd members of a %s',
    (type) => {
      for (const name of ['role', 'content', 'id', 'call_id', 'arguments', 'output', 'summary', 'status']) {
        for (const value of odd) {
          expect(() => checkRequest(ask({ type, [name]: value }, [], null), responses)).not.toThrow();
        }
      }
    },
  );

  test('every rule has a code of its own and says where it is written down', () => {
    const codes = responsesRules.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { source } of responsesRules) expect(source).toMatch(/^https:\/\//);
  });
});
