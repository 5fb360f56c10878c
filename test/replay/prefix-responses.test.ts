import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json-object.ts';
import { type PrefixGuard, prefixGuard } from '../../src/index.ts';
import { continueResponse, responses } from '../../src/responses.ts';
import { assemble, completed, created, done } from '../dialects/responses/wire-events.ts';
import { copyOf, edited, turnOf } from './bound-turns.ts';

const tide = {
  type: 'function',
  name: 'tide',
  parameters: { type: 'object', properties: { port: { type: 'string' } } },
};
const search = { type: 'web_search' };

const settings: JsonObject = {
  model: 'gpt-6-astra',
  instructions: 'You know harbours.',
  tools: [tide, search],
  text: { format: { type: 'json_schema', name: 'tide', schema: { type: 'object' } }, verbosity: 'low' },
  reasoning: { effort: 'low', summary: 'auto' },
};
const developer = { role: 'developer', content: 'Be brief.' };
const question = { role: 'user', content: 'How high is the tide?' };
const first = [
  {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'Harlow.' }],
    encrypted_content: 'ZW5jMQ==',
  },
  {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'tide',
    arguments: '{"port": "Harlow"}',
    status: 'completed',
  },
];
const output = { type: 'function_call_output', call_id: 'call_1', output: 'It stands at two metres and rises.' };
const second = [
  { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'ZW5jMg==' },
  {
    type: 'message',
    id: 'msg_2',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'High.', annotations: [] }],
  },
];
const thanks = { role: 'user', content: 'And tomorrow?' };

const asked = { ...settings, input: [developer, question] };
const answered = { ...settings, input: [developer, question, ...first, output] };
const next: JsonObject = { ...settings, input: [developer, question, ...first, output, ...second, thanks] };

function guarded(model = 'gpt-6-astra'): PrefixGuard {
  const guard = prefixGuard(responses);
  guard.remember({ ...asked, model }, turnOf('responses', first, { turnId: 'resp_1' }));
  guard.remember({ ...answered, model }, turnOf('responses', second, { turnId: 'resp_2' }));
  return guard;
}

function gist(guard: PrefixGuard, body: JsonObject): string[] {
  return guard.check(body).map(({ change, path, invalidates }) => [change, path, ...invalidates].join(' '));
}

const input = next['input'] as JsonObject[];
const change =
  (...path: (string | number)[]) =>
  (value: unknown) =>
    edited(next, path, () => value);

describe('what costs no reasoning', () => {
  test.each<[string, JsonObject]>([
    ['the same and more', next],
    ['a copy', copyOf(next)],
    [
      'parameters that are not part of the prefix',
      {
        ...next,
        tool_choice: 'none',
        reasoning: { effort: 'low', summary: 'detailed' },
        text: { ...(settings['text'] as object), verbosity: 'high' },
      },
    ],
    [
      'a message as a list of its text',
      change(
        'input',
        1,
      )({
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'How high is the tide?' }],
      }),
    ],
    [
      'what is appended',
      { ...next, input: [...input, { type: 'configuration_update', reasoning: { effort: 'high' } }] },
    ],
    ['what stands behind the last reasoning', change('input', 6, 'content', 0, 'text')('Low.')],
    [
      'what the service compacted',
      {
        ...settings,
        input: [{ type: 'compaction', encrypted_content: 'Y29tcA==' }, output, ...second, thanks],
      },
    ],
  ])('%s', (_what, body) => {
    expect(guarded().check(body)).toEqual([]);
  });

  test('instructions from GPT-6.2 on', () => {
    expect(guarded('gpt-6.2').check({ ...next, model: 'gpt-6.2', instructions: 'x' })).toEqual([]);
  });

  test('plain text as the format, said or not', () => {
    const guard = prefixGuard(responses);
    guard.remember({ model: 'gpt-6', input: 'Hello.' }, turnOf('responses', first));
    const body = { model: 'gpt-6', input: [{ role: 'user', content: 'Hello.' }, ...first, output] };
    expect(guard.check({ ...body, text: { format: { type: 'text' } } })).toEqual([]);
  });
});

describe('what costs reasoning, as the documentation lists it', () => {
  const all = 'input[2] input[5]';
  test.each<[string, JsonObject, string]>([
    ['a shortened tool result', change('input', 4, 'output')('Two metres.'), 'changed input[4].output input[5]'],
    ['a rewritten developer message', change('input', 0, 'content')('Be long.'), `changed input[0].content ${all}`],
    [
      'a developer message put in front',
      { ...next, input: [{ role: 'developer', content: 'x' }, ...input] },
      'added input[0] input[3] input[6]',
    ],
    ['instructions', { ...next, instructions: 'Mode: plan.' }, `changed instructions ${all}`],
    ['a tool added', { ...next, tools: [tide, search, { type: 'function', name: 'wind' }] }, `added tools[2] ${all}`],
    ['a tool removed', { ...next, tools: [tide] }, `removed tools[1] ${all}`],
    [
      'a tool described anew',
      change('tools', 0, 'parameters', 'properties', 'port', 'type')('number'),
      `changed tools[0].parameters.properties.port.type ${all}`,
    ],
    ['tools in another order', { ...next, tools: [search, tide] }, `moved tools[1] ${all}`],
    ['the effort', change('reasoning', 'effort')('high'), `changed reasoning.effort ${all}`],
    ['the format', change('text', 'format', 'name')('ebb'), `changed text.format.name ${all}`],
    [
      'a call rewritten',
      change('input', 3, 'arguments')('{"port":"Fleet"}'),
      'changed input[3].arguments.port input[5]',
    ],
    ['reasoning left out', { ...next, input: input.toSpliced(2, 1) }, 'removed input[2] input[4]'],
    ['a summary edited', change('input', 2, 'summary', 0, 'text')('Fleet.'), `changed input[2].summary[0].text ${all}`],
    [
      'ciphertext of another',
      change('input', 2, 'encrypted_content')('eA=='),
      `changed input[2].encrypted_content ${all}`,
    ],
  ])('%s', (_what, body, expected) => {
    expect(gist(guarded(), body)).toEqual([expected]);
  });

  test('a summary in place of turns', () => {
    const body = { ...settings, input: [{ role: 'user', content: 'We spoke of tides.' }, ...second, thanks] };
    expect(gist(guarded(), body)).toEqual(
      expect.arrayContaining(['removed input[0] input[1]', 'removed input[2] input[1]', 'removed input[4] input[1]']),
    );
  });
});

describe('what may not count is a warning of its own', () => {
  test.each<[string, JsonObject, string]>([
    ['arguments written in another way', change('input', 3, 'arguments')('{"port":"Harlow"}'), 'input[3].arguments'],
    ['a call without its id', change('input', 3, 'id')(undefined), 'input[3].id'],
    ['a status', change('input', 3, 'status')('in_progress'), 'input[3].status'],
  ])('%s', (_what, body, path) => {
    expect(guarded().check(body)).toMatchObject([
      { code: 'prefix_respelled', severity: 'warning', path, invalidates: ['input[5]'] },
    ]);
  });
});

describe('a finding', () => {
  test.each<[string, JsonObject, RegExp]>([
    ['instructions', { ...next, instructions: 'x' }, /append a developer message/],
    ['tools added', { ...next, tools: [tide, search, { type: 'x' }] }, /`additional_tools`/],
    ['tools removed', { ...next, tools: [tide] }, /`allowed_tools`/],
    ['the effort', { ...next, reasoning: {} }, /`configuration_update`/],
    ['the format', { ...next, text: {} }, /`configuration_update`/],
    ['items removed', { ...next, input: input.slice(1) }, /`\/responses\/compact`/],
    ['items changed', change('input', 0, 'content')('x'), /append what is new, as a developer message/],
  ])('about %s says what happens, and how to append it', (_what, body, message) => {
    const [finding] = guarded().check(body);
    expect(finding).toMatchObject({ severity: 'warning', message: expect.stringMatching(message) });
    expect(finding?.message).toContain('drops them without an error');
  });
});

describe('models', () => {
  const found = (model: string, options = {}): number => {
    const guard = prefixGuard(responses({ store: false }), options);
    guard.remember({ ...asked, model }, turnOf('responses', first));
    return guard.check({ ...answered, model, tools: [] }).length;
  };

  test.each(['gpt-6', 'gpt-6-astra', 'gpt-6.1-codex', 'openai/gpt-6.2', 'gpt-7-2027-01-01'])('%s binds', (model) => {
    expect(found(model)).toBe(2);
  });

  test.each(['gpt-5.6', 'gpt-5-2025-08-07', 'o3', 'gpt-oss-120b', 'grok-4'])('%s does not, unless forced', (model) => {
    expect(found(model)).toBe(0);
    expect(found(model, { force: true })).toBe(2);
  });
});

describe('requests that go on from an id', () => {
  const goOn = { ...settings, previous_response_id: 'resp_1', input: [output] };

  test('are compared in what stands outside the history', () => {
    const guard = prefixGuard(responses);
    guard.remember(asked, turnOf('responses', first, { turnId: 'resp_1' }));
    expect(guard.check(goOn)).toEqual([]);
    expect(gist(guard, { ...goOn, tools: [tide] })).toEqual(['removed tools[1] previous_response_id']);
    expect(guard.check({ ...goOn, previous_response_id: 'resp_9', tools: [] })).toEqual([]);
  });

  test('are a history that can be sent whole later', () => {
    const guard = prefixGuard(responses);
    guard.remember(asked, turnOf('responses', first, { turnId: 'resp_1' }));
    guard.remember(goOn, turnOf('responses', second, { turnId: 'resp_2' }));
    expect(guard.check(next)).toEqual([]);
    expect(gist(guard, change('input', 4, 'output')('x'))).toEqual(['changed input[4].output input[5]']);
    expect(gist(guard, { ...goOn, previous_response_id: 'resp_2', instructions: '' })).toEqual([
      'changed instructions previous_response_id',
    ]);
  });

  test('may begin where nothing was seen', () => {
    const guard = prefixGuard(responses);
    guard.remember({ ...goOn, previous_response_id: 'resp_0' }, turnOf('responses', second, { turnId: 'resp_2' }));
    expect(guard.check(next)).toEqual([]);
    expect(gist(guard, { ...next, tools: [tide] })).toEqual(['removed tools[1] input[5]']);
  });
});

describe('what the service reports', () => {
  test('is matched to the change by the id of the item', async () => {
    const guard = guarded();
    const body = change('input', 4, 'output')('Two metres.');
    const input_transformations = [
      { type: 'reasoning', id: 'rs_2', action: 'removed', reason: 'prefix_mismatch' },
      { type: 'reasoning', id: 'rs_1', action: 'removed', reason: 'turn_boundary' },
    ];
    const { turn } = await assemble([created(), completed([], { input_transformations })]);
    guard.remember(body, turn);
    guard.remember(body, turn);
    expect(guard.findings).toMatchObject([
      {
        code: 'reasoning_dropped',
        path: 'input[5]',
        reported: { reason: 'prefix_mismatch', causes: [{ path: 'input[4].output' }] },
      },
      { path: 'input[2]', message: expect.stringContaining('nothing is wrong'), reported: { causes: [] } },
    ]);
  });
});

describe('a turn that was assembled', () => {
  test('is known in the next request, by its items or by its id', async () => {
    const guard = prefixGuard(responses);
    const { turn } = await assemble([
      created({ model: 'gpt-6' }),
      ...first.map((item, at) => done(at, item)),
      completed(first, { model: 'gpt-6' }),
    ]);
    const body = { model: 'gpt-6', input: [question] };
    guard.remember(body, turn);
    const whole = continueResponse(turn, [output], { history: [question] });
    expect(guard.check({ ...body, ...whole })).toEqual([]);
    expect(guard.check({ ...body, ...continueResponse(turn, [output]) })).toEqual([]);
    expect(gist(guard, { ...body, ...whole, tools: [tide] })).toEqual(['added tools[0] input[1]']);
  });
});
