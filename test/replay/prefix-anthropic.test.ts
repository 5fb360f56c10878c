import { describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import { chatCompletions } from '../../src/chat-completions.ts';
import type { JsonObject } from '../../src/core/json-object.ts';
import { gemini } from '../../src/gemini.ts';
import { createTranscript, type PrefixGuard, parseTranscript, prefixGuard, seal } from '../../src/index.ts';
import { assemble, call, messageEnd, messageStart, text, thinking } from '../dialects/anthropic/wire-events.ts';
import { copyOf, edited, turnOf } from './bound-turns.ts';

const tide = {
  name: 'tide',
  description: 'How high the tide is.',
  input_schema: { type: 'object', properties: { port: { type: 'string' } } },
};
const wind = { name: 'wind', description: 'How the wind blows.', input_schema: { type: 'object', properties: {} } };
const moon = { name: 'moon', input_schema: { type: 'object' } };

const first = {
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: 'Harlow, then.', signature: 'c2lnLWE=' },
    { type: 'text', text: 'I look.' },
    { type: 'thinking', thinking: '', signature: 'c2lnLWI=' },
    { type: 'tool_use', id: 'toolu_1', name: 'tide', input: { port: 'Harlow', hours: 6 } },
  ],
};
const second = {
  role: 'assistant',
  content: [
    { type: 'redacted_thinking', data: 'ZGF0YQ==' },
    { type: 'text', text: 'It is low.' },
  ],
};
const results = {
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Error: timeout', is_error: true }],
};

const settings: JsonObject = {
  model: 'claude-opus-5-5',
  max_tokens: 1000,
  system: [
    { type: 'text', text: 'You know harbours.' },
    { type: 'text', text: 'Today is Monday.' },
  ],
  tools: [tide, wind, moon],
};
const question = { role: 'user', content: 'How high is the tide?' };
const thanks = { role: 'user', content: [{ type: 'text', text: 'And tomorrow?' }] };

const asked: JsonObject = { ...settings, messages: [question] };
const answered: JsonObject = { ...settings, messages: [question, first, results] };
/** The request that comes next: two turns with reasoning behind it. */
const next: JsonObject = { ...settings, messages: [question, first, results, second, thanks] };

const reasoning = ['messages[1].content[0]', 'messages[1].content[2]', 'messages[3].content[0]'];

/** A guard that has seen two turns. */
function guarded(given: JsonObject = {}): PrefixGuard {
  const guard = prefixGuard(anthropic);
  guard.remember({ ...asked, ...given }, turnOf('anthropic', [first]));
  guard.remember({ ...answered, ...given }, turnOf('anthropic', [second]));
  return guard;
}

const sealed = ['c2lnLWE=', 'c2lnLWI=', 'ZGF0YQ=='];

/** The seal of the block at a path. */
function sealAt(body: JsonObject, path: string): string {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  const block = steps.reduce<JsonObject>((value, step) => value[step] as JsonObject, body);
  return String(block['signature'] ?? block['data']);
}

/** What a guard finds, in one line each, with the blocks that it costs: 0, 1, 2. */
function gist(guard: PrefixGuard, body: JsonObject): string[] {
  return guard.check(body).map(({ change, path, invalidates }) => {
    return `${change} ${path} ${invalidates.map((block) => sealed.indexOf(sealAt(body, block))).join('')}`;
  });
}

describe('what costs no reasoning', () => {
  test.each<[string, JsonObject]>([
    ['the same and more', next],
    ['the same request again', answered],
    ['a copy', copyOf(next)],
    [
      'cache_control on a message, which makes a list of its text',
      {
        ...next,
        messages: [
          {
            role: 'user',
            content: [{ type: 'text', text: 'How high is the tide?', cache_control: { type: 'ephemeral' } }],
          },
          ...(next['messages'] as unknown[]).slice(1),
        ],
      },
    ],
    [
      'cache_control on tools and system',
      {
        ...next,
        tools: [tide, wind, { ...moon, cache_control: { type: 'ephemeral' } }],
        system: [(settings['system'] as unknown[])[0], { type: 'text', text: 'Today is Monday.', cache_control: null }],
      },
    ],
    [
      'another order of members',
      {
        ...next,
        tools: [{ input_schema: tide.input_schema, description: tide.description, name: 'tide' }, wind, moon],
      },
    ],
    [
      'parameters that are not part of the prefix',
      { ...next, max_tokens: 5, tool_choice: { type: 'none' }, stream: true },
    ],
    ['what stands behind the last reasoning', edited(next, ['messages', 3, 'content', 1, 'text'], () => 'High!')],
    ['a last turn that is left out', { ...next, messages: [question, first, results, thanks] }],
    ['no reasoning at all', { ...settings, system: 'x', messages: [question, thanks] }],
    [
      'a system message at the end',
      {
        ...next,
        messages: [...(next['messages'] as unknown[]), { role: 'system', content: 'Today is Tuesday.' }],
      },
    ],
    [
      'what the API has compacted',
      {
        ...settings,
        messages: [
          { role: 'assistant', content: [{ type: 'compaction', content: 'Tides.' }] },
          results,
          second,
          thanks,
        ],
      },
    ],
  ])('%s', (_what, body) => {
    expect(guarded().check(body)).toEqual([]);
  });
});

describe('what costs reasoning, as the documentation lists it', () => {
  const change =
    (...path: (string | number)[]) =>
    (value: unknown) =>
      edited(next, path, () => value);
  const messages = next['messages'] as JsonObject[];
  const all = '012';
  test.each<[string, JsonObject, string[]]>([
    [
      'a date in the system prompt',
      change('system', 1, 'text')('Today is Tuesday.'),
      [`changed system[1].text ${all}`],
    ],
    [
      'a mode in the system prompt',
      edited(next, ['system'], (parts: unknown[]) => [...parts, { type: 'text', text: 'Plan.' }]),
      [`added system[2] ${all}`],
    ],
    [
      'no system prompt',
      edited(next, ['system'], () => undefined),
      [`removed system[0] ${all}`, `removed system[1] ${all}`],
    ],
    ['a tool added', change('tools')([tide, wind, moon, { name: 'rain' }]), [`added tools[3] ${all}`]],
    ['a tool removed', change('tools')([tide, moon]), [`removed tools[1] ${all}`]],
    ['a tool described anew', change('tools', 1, 'description')('Wind.'), [`changed tools[1].description ${all}`]],
    [
      'a tool with another input',
      change('tools', 0, 'input_schema', 'properties', 'port', 'type')('number'),
      [`changed tools[0].input_schema.properties.port.type ${all}`],
    ],
    ['tools in another order', change('tools')([wind, moon, tide]), [`moved tools[2] ${all}`]],
    [
      'a tool in place of another',
      change('tools', 1)({ name: 'rain', input_schema: {} }),
      [`removed tools[1] ${all}`, `added tools[1] ${all}`],
    ],
    ['the earliest turn trimmed', { ...next, messages: messages.slice(1) }, [`removed messages[0] ${all}`]],
    [
      'error text replaced',
      change('messages', 2, 'content', 0, 'content')('It failed.'),
      ['changed messages[2].content[0].content 2'],
    ],
    [
      'a result shortened in a block',
      change('messages', 2, 'content', 0, 'content')([{ type: 'text', text: 'Err' }]),
      ['changed messages[2].content[0].content[0].text 2'],
    ],
    [
      'an input rewritten',
      change('messages', 1, 'content', 3, 'input', 'port')('Fleet'),
      ['changed messages[1].content[3].input.port 2'],
    ],
    [
      'thinking without text skipped',
      edited(next, ['messages', 1, 'content'], (blocks: unknown[]) => blocks.toSpliced(2, 1)),
      ['removed messages[1].content[2] 2'],
    ],
    [
      'thinking moved',
      edited(next, ['messages', 1, 'content'], ([a, b, c, d]: unknown[]) => [c, a, b, d]),
      ['moved messages[1].content[0] 102'],
    ],
    [
      'thinking edited',
      change('messages', 1, 'content', 0, 'thinking')('Fleet.'),
      [`changed messages[1].content[0].thinking ${all}`],
    ],
    [
      'another signature',
      change('messages', 1, 'content', 2, 'signature')('eA=='),
      ['changed messages[1].content[2].signature -12'],
    ],
    [
      'a text between thinking',
      change('messages', 1, 'content', 1, 'text')('I see.'),
      ['changed messages[1].content[1].text 12'],
    ],
    [
      'a block added to a turn',
      edited(next, ['messages', 1, 'content'], (blocks: unknown[]) =>
        blocks.toSpliced(1, 0, { type: 'text', text: '' }),
      ),
      ['added messages[1].content[1] 12'],
    ],
    [
      'a reminder put in between',
      { ...next, messages: messages.toSpliced(3, 0, { role: 'user', content: 'Be brief.' }) },
      ['added messages[3] 2'],
    ],
    [
      'a member that a proxy added',
      change('messages', 2, 'content', 0, 'name')('tide'),
      ['added messages[2].content[0].name 2'],
    ],
    ['the first question rewritten', change('messages', 0, 'content')('Tide?'), [`changed messages[0].content ${all}`]],
  ])('%s', (_what, body, expected) => {
    expect(gist(guarded(), body)).toEqual(expected);
  });

  test('several, each by its path, in the order in which they stand', () => {
    const body = edited(
      edited(
        edited(next, ['tools', 2, 'name'], () => 'sun'),
        ['system', 0, 'text'],
        () => 'x',
      ),
      ['messages', 0, 'content'],
      () => 'y',
    );
    expect(gist(guarded(), body)).toEqual([
      'changed system[0].text 012',
      'removed tools[2] 012',
      'added tools[2] 012',
      'changed messages[0].content 012',
    ]);
  });

  test('earlier turns folded into a summary', () => {
    const summary = { role: 'user', content: 'We spoke of tides.' };
    const found = guarded().check({ ...settings, messages: [summary, second, thanks] });
    expect(found.map(({ change, path }) => `${change} ${path}`)).toEqual([
      'changed messages[0].content',
      'removed messages[1]',
      'removed messages[2]',
    ]);
    expect(found.map(({ invalidates }) => invalidates)).toEqual(Array(3).fill(['messages[1].content[0]']));
  });

  test('a system prompt that is a text has no inner path', () => {
    const guard = prefixGuard(anthropic);
    guard.remember({ ...asked, system: 'Monday.' }, turnOf('anthropic', [first]));
    expect(guard.check({ ...answered, system: 'Tuesday.' }).map(({ path }) => path)).toEqual(['system']);
    expect(guard.check({ ...answered, system: [{ type: 'text', text: 'Monday.' }] })).toEqual([]);
  });
});

describe('a finding', () => {
  test('says what was and is there without its text, what it costs, what happens and what to do', () => {
    const body = edited(next, ['system', 1, 'text'], () => 'Today is Tuesday.');
    const [finding] = guarded().check(body);
    expect(finding).toMatchObject({
      code: 'prefix_changed',
      path: 'system[1].text',
      severity: 'error',
      before: expect.stringMatching(/^text of 16 characters #[0-9a-f]{8}$/),
      after: expect.stringMatching(/^text of 17 characters #[0-9a-f]{8}$/),
      invalidates: reasoning,
    });
    expect(finding?.message).toMatch(/400.*role "system".*drop_block/);
    expect(JSON.stringify(finding)).not.toMatch(/Monday|Tuesday/);
  });

  test.each([
    ['drop_block', 'warning', /drops them in silence/],
    ['error', 'error', /answers 400/],
  ])('with %s says what the provider does then', (prefix_mismatch_behavior, severity, message) => {
    const thinking = { type: 'adaptive', block_binding: { prefix_mismatch_behavior } };
    const [finding] = guarded().check({ ...edited(next, ['tools'], () => []), thinking });
    expect(finding).toMatchObject({ severity, message: expect.stringMatching(message) });
  });

  test.each<[string, unknown, RegExp]>([
    ['added', [tide, wind, moon, { name: 'rain' }], /tool_addition/],
    ['removed', [tide, wind], /tool_removal/],
    ['moved', [wind, tide, moon], /keep their order/],
    ['changed', [tide, { ...wind, description: '' }, moon], /tool_addition.*anew/],
  ])('about a tool that is %s says how to append it', (change, tools, message) => {
    const [finding] = guarded().check({ ...next, tools });
    expect(finding).toMatchObject({ change, message: expect.stringMatching(message) });
  });

  test('about a shorter history says who may shorten it', () => {
    const [finding] = guarded().check({ ...next, messages: (next['messages'] as unknown[]).slice(1) });
    expect(finding?.message).toMatch(/let the API compact it/);
  });
});

describe('the text of a tool input', () => {
  const events = [
    messageStart({ model: 'claude-sonnet-5-5' }),
    ...thinking(0, 'Fleet.'),
    ...call(1, { id: 'toolu_1', name: 'tide' }, '{"hours": 1.0, "port": "Fleet"}'),
    ...thinking(2, 'Both.'),
    ...call(3, { id: 'toolu_2', name: 'tide' }, '{}'),
    ...messageEnd('tool_use'),
  ];

  test('is the same in a transcript that was saved, and a warning where it was rebuilt', async () => {
    const transcript = createTranscript(anthropic);
    transcript.user('How high?');
    const body = { model: 'claude-sonnet-5-5', messages: transcript.entries };
    const guard = prefixGuard(anthropic);
    const { turn } = await assemble(events);
    guard.remember(body, turn);
    transcript.commit(turn);
    transcript.answer(['toolu_1', 'toolu_2'].map((id) => ({ id, content: 'low' })));

    const saved = parseTranscript(anthropic, transcript.stringify());
    expect(guard.check({ ...body, messages: transcript.entries })).toEqual([]);
    expect(guard.check({ ...body, messages: saved.entries })).toEqual([]);
    const rebuilt: unknown = JSON.parse(JSON.stringify(transcript.entries));
    expect(guard.check({ ...body, messages: rebuilt })).toMatchObject([
      {
        code: 'prefix_respelled',
        severity: 'warning',
        path: 'messages[1].content[1].input',
        invalidates: ['messages[1].content[2]'],
      },
    ]);
  });

  test('of a turn that was cut counts, too', async () => {
    const guard = prefixGuard(anthropic);
    const body = { model: 'claude-sonnet-5-5', messages: [question] };
    const { turn } = await assemble([...events.slice(0, -2), ...text(4, 'So')]);
    expect(turn.status).toBe('truncated');
    guard.remember(body, turn);
    const { entries, answers } = seal(turn, 'keep_finished');
    const messages = [question, ...entries, ...answers];
    expect(guard.check({ ...body, messages })).toEqual([]);
    expect(guard.check({ ...body, messages: [thanks, ...messages.slice(1)] })).toHaveLength(1);
  });
});

describe('models', () => {
  const found = (model: unknown, options = {}): number => {
    const guard = prefixGuard(anthropic, options);
    guard.remember({ ...asked, model }, turnOf('anthropic', [first]));
    return guard.check({ ...answered, model, tools: [] }).length;
  };

  test.each([
    'claude-fable-5-1',
    'claude-mythos-5-2',
    'claude-opus-5-5',
    'claude-sonnet-5-5-20260928',
    'claude-haiku-5-5@20261007',
    'us.anthropic.claude-opus-5-5-v1:0',
    'anthropic/claude-opus-5.5',
    'claude-opus-6',
    'claude-fable-6-20270301',
  ])('%s binds', (model) => {
    expect(found(model)).toBe(3);
  });

  test.each([
    'claude-fable-5',
    'claude-fable-5-20260601',
    'claude-opus-5',
    'claude-opus-5-20260601',
    'claude-opus-4-8',
    'claude-3-5-sonnet-20241022',
    'claude-sonnet-4-5-20250929',
    'kimi-k2',
    undefined,
  ])('%s does not, unless forced', (model) => {
    expect(found(model)).toBe(0);
    expect(found(model, { force: true })).toBe(3);
  });

  test('may be named by an option', () => {
    expect(found('our-deployment', { model: 'claude-opus-5-5' })).toBe(3);
    expect(found('claude-opus-5-5', { model: 'claude-opus-4-8' })).toBe(0);
  });

  test('are known by their answer where the request uses another name', () => {
    const guard = prefixGuard(anthropic);
    const model = 'claude-opus-latest';
    guard.remember({ ...asked, model }, turnOf('anthropic', [first], { model: 'claude-opus-5-5-20260922' }));
    expect(guard.check({ ...answered, model })).toEqual([]);
    expect(guard.check({ ...answered, model, system: [] })).toHaveLength(2);
  });

  test('that change are a warning', () => {
    expect(guarded().check({ ...next, model: 'claude-fable-5-2' })).toMatchObject([
      { code: 'model_changed', path: 'model', severity: 'warning', before: 'claude-opus-5-5', invalidates: reasoning },
    ]);
    expect(guarded().check({ ...next, model: 'claude-opus-5-5-20260922' })).toEqual([]);
  });
});

describe('after a change', () => {
  test('what was written before it stays lost, and what comes after is bound to the new prefix', () => {
    const guard = prefixGuard(anthropic);
    const changed = { ...answered, system: 'Tuesday.' };
    guard.remember(asked, turnOf('anthropic', [first]));
    guard.remember(changed, turnOf('anthropic', [second]));
    const tuesday = { ...next, system: 'Tuesday.' };
    expect(new Set(guard.check(tuesday).flatMap(({ invalidates }) => invalidates))).toEqual(
      new Set(reasoning.slice(0, 2)),
    );
    expect(new Set(guard.check(next).flatMap(({ invalidates }) => invalidates))).toEqual(new Set(reasoning.slice(2)));
    const without = { role: 'assistant', content: first.content.filter(({ type }) => type !== 'thinking') };
    guard.remember({ ...tuesday, messages: [question, without, results] }, turnOf('anthropic', [second]));
    expect(guard.check({ ...tuesday, messages: [question, without, results, second, thanks] })).toEqual([]);
  });
});

describe('what the provider reports', () => {
  const report = { type: 'thinking_dropped', path: 'messages.3.content.0', reason: 'prefix_binding_mismatch' };
  const reported = (...inputTransformations: unknown[]): ReturnType<typeof turnOf> =>
    turnOf('anthropic', [], { carry: { inputTransformations } });

  test('is matched to the change that it follows from, once', () => {
    const guard = guarded();
    const body = edited(
      edited(next, ['messages', 2, 'content', 0, 'content'], () => 'x'),
      ['messages', 4, 'content'],
      () => 'y',
    );
    guard.remember(body, reported(report));
    guard.remember(body, reported(report, { ...report, type: 'thinking_mismatch_allowed' }));
    expect(guard.findings).toMatchObject([
      {
        code: 'reasoning_dropped',
        path: 'messages[3].content[0]',
        invalidates: ['messages[3].content[0]'],
        message: expect.stringContaining('messages[2].content[0].content is not what it was'),
        reported: { reason: report.reason, causes: [{ path: 'messages[2].content[0].content' }] },
      },
      { code: 'reasoning_mismatch_allowed' },
    ]);
  });

  test('is told without a cause if none was seen', () => {
    const guard = guarded();
    guard.remember(next, reported(report));
    expect(guard.findings).toMatchObject([
      { message: expect.stringContaining('rewritten on its way'), reported: { causes: [] } },
    ]);
  });

  test('comes of a change of the model, or of what no request shows', () => {
    const guard = guarded();
    const body = { ...next, model: 'claude-fable-5-2', system: 'x' };
    guard.remember(
      body,
      reported({ ...report, reason: 'model_binding_mismatch' }, { ...report, reason: 'end_user_binding_mismatch' }),
    );
    expect(guard.findings).toMatchObject([
      { reported: { causes: [{ code: 'model_changed' }] } },
      { message: expect.stringContaining('another account or user'), reported: { causes: [] } },
    ]);
  });

  test('makes a guard of a model that was not known to bind', () => {
    const guard = prefixGuard(anthropic);
    const model = 'some-model';
    guard.remember({ ...asked, model }, turnOf('anthropic', [first], { carry: { inputTransformations: [report] } }));
    expect(guard.check({ ...answered, model, tools: [] })).toHaveLength(3);
  });

  test.each([null, 'x', [null, 3, {}, { path: 3, reason: [] }]])('may be anything: %j', (odd) => {
    const guard = guarded();
    guard.remember(next, turnOf('anthropic', [], { carry: { inputTransformations: odd } }));
    expect(guard.findings.length).toBeLessThan(3);
  });
});

describe('misuse', () => {
  test.each([gemini, chatCompletions])('refuses other dialects', (dialect) => {
    expect(() => prefixGuard(dialect)).toThrow(/Did you mean anthropic or responses/);
  });

  test('refuses what is no dialect, another turn, and options that change nothing', () => {
    expect(() => prefixGuard('anthropic' as never)).toThrow(TypeError);
    expect(() => prefixGuard(anthropic, { force: 'yes' as never })).toThrow(TypeError);
    expect(() => prefixGuard(anthropic).remember(asked, turnOf('responses', []))).toThrow(TypeError);
  });

  test.each([
    {},
    [],
    { messages: 3 },
    { messages: [null, 'x', { content: 3 }, { content: [null, 4] }], tools: [null, 7], system: 9 },
    { messages: [{ role: 'assistant', content: [{ type: 'thinking', signature: 4 }] }] },
  ])('takes a body of any shape: %j', (body) => {
    const guard = prefixGuard(anthropic, { force: true });
    guard.remember(asked, turnOf('anthropic', [first]));
    expect(guard.check(body).length).toBeLessThan(3);
    guard.remember(body, turnOf('anthropic', [first]));
    expect(guard.check(body)).toEqual([]);
  });
});
