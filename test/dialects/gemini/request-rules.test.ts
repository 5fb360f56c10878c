import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { geminiRules } from '../../../src/dialects/gemini/request-rules.ts';
import { gemini } from '../../../src/gemini.ts';
import { checkRequest } from '../../../src/replay/check-request.ts';

const user = { role: 'user', parts: [{ text: 'When is high water?' }] };
const said = { role: 'model', parts: [{ text: 'At 06:40.' }] };
const sentinel = 'skip_thought_signature_validator';

/** A part with a call, signed with what is given. */
function call(name = 'tide', thoughtSignature?: string, members: JsonObject = {}): JsonObject {
  return { functionCall: { name, args: {}, ...members }, ...(thoughtSignature && { thoughtSignature }) };
}

function response(name = 'tide', members: JsonObject = {}): JsonObject {
  return { functionResponse: { name, response: { at: '06:40' }, ...members } };
}

function model(...parts: unknown[]): JsonObject {
  return { role: 'model', parts };
}

function results(...parts: unknown[]): JsonObject {
  return { role: 'user', parts };
}

function ask(...contents: unknown[]): JsonObject {
  return { model: 'gemini-3-pro-preview', contents };
}

/** A request of a model that does not insist on signatures. */
function askOlder(...contents: unknown[]): JsonObject {
  return { model: 'gemini-2.5-flash', contents };
}

function askForImage(...contents: unknown[]): JsonObject {
  return { model: 'gemini-3-pro-image-preview', contents };
}

function thinking(name: string, thinkingConfig: JsonObject): JsonObject {
  return { model: name, contents: [user], generationConfig: { thinkingConfig } };
}

/** Findings as `severity code path`. */
function found(body: JsonObject): string[] {
  return checkRequest(body, gemini).map(({ severity, code, path }) => `${severity} ${code} ${path}`);
}

const place = 'generationConfig.thinkingConfig';

type Row = readonly [title: string, body: JsonObject, findings: readonly string[]];

const about: Readonly<Record<string, readonly Row[]>> = {
  'signatures of calls': [
    ['signed', ask(user, model(call('tide', 'c2ln')), results(response())), []],
    [
      'not signed',
      ask(user, model(call()), results(response())),
      ['error missing_thought_signature contents[1].parts[0]'],
    ],
    ['not signed, of an older model', askOlder(user, model(call()), results(response())), []],
    [
      'not signed, of a model that is not told',
      { contents: [user, model(call()), results(response())] },
      ['warning missing_thought_signature contents[1].parts[0]'],
    ],
    ['not signed, of no Gemini', { ...ask(user, model(call()), results(response())), model: 'gemma-3-27b-it' }, []],
    [
      'the first of two signed',
      ask(user, model(call('tide', 'c2ln'), call('wind')), results(response(), response('wind'))),
      [],
    ],
    [
      'the second of two signed',
      ask(user, model(call(), call('wind', 'c2ln')), results(response(), response('wind'))),
      ['error missing_thought_signature contents[1].parts[0]'],
    ],
    [
      'in the second step not signed',
      ask(user, model(call('tide', 'c2ln')), results(response()), model({ text: 'So.' }, call()), results(response())),
      ['error missing_thought_signature contents[3].parts[1]'],
    ],
    ['of an earlier turn not signed', ask(user, model(call()), results(response()), said, user), []],
    ['with the documented sentinel', ask(user, model(call('tide', sentinel)), results(response())), []],
    [
      'under the name of the other spelling',
      ask(user, model({ function_call: { name: 'tide' }, thought_signature: 'c2ln' }), results(response())),
      [],
    ],
    [
      'one for two calls',
      ask(user, model(call('tide', 'c2ln'), call('wind', 'c2ln')), results(response(), response('wind'))),
      ['warning copied_signature contents[1].parts[1]'],
    ],
    [
      'the sentinel for two calls',
      ask(user, model(call('tide', sentinel), call('wind', sentinel)), results(response(), response('wind'))),
      [],
    ],
  ],
  'how signatures are written': [
    ['for addresses, without padding', ask(user, model({ text: 'x', thoughtSignature: 'c2-_bg' }), user), []],
    ['with padding', ask(user, model({ text: 'x', thoughtSignature: 'c2lnbg==' }), user), []],
    [
      'as a text',
      ask(user, model({ text: 'x', thoughtSignature: 'not a signature' }), user),
      ['error signature_not_base64 contents[1].parts[0].thoughtSignature'],
    ],
    [
      'two in one',
      ask(user, model({ text: 'x', thoughtSignature: 'c2lnbg==c2lnbg==' }), user),
      ['error signature_not_base64 contents[1].parts[0].thoughtSignature'],
    ],
    [
      'cut',
      ask(user, model({ text: 'x', thoughtSignature: 'c2lnb' }), user),
      ['error signature_not_base64 contents[1].parts[0].thoughtSignature'],
    ],
    [
      'as a number',
      ask(user, model({ text: 'x', thoughtSignature: 3 }), user),
      ['error signature_not_base64 contents[1].parts[0].thoughtSignature'],
    ],
  ],
  'signatures of images': [
    [
      'all there',
      askForImage(
        user,
        model({ text: 'A thought', thought: true }, { text: 'Here', thoughtSignature: 'c2ln' }, { text: 'it is' }),
        user,
      ),
      [],
    ],
    [
      'the first text without',
      askForImage(user, model({ text: 'A thought', thought: true }, { text: 'Here' }, { text: 'it is' }), user),
      ['error missing_image_signature contents[1].parts[1]'],
    ],
    [
      'an image without',
      askForImage(user, model({ text: 'Here', thoughtSignature: 'c2ln' }, { inlineData: { data: 'eA==' } }), user),
      ['error missing_image_signature contents[1].parts[1]'],
    ],
    ['an image of the user', askForImage(results({ inlineData: { data: 'eA==' } })), []],
    ['of an older model', { ...askForImage(user, said, user), model: 'gemini-2.5-flash-image' }, []],
    ['of a model that makes none', ask(user, said, user), []],
  ],
  'calls and responses': [
    ['two and two', askOlder(user, model(call(), call('wind')), results(response(), response('wind'))), []],
    [
      'two and one',
      askOlder(user, model(call(), call('wind')), results(response())),
      ['error response_count contents[2]'],
    ],
    [
      'one and two',
      askOlder(user, model(call()), results(response(), response())),
      ['error response_count contents[2]'],
    ],
    [
      'two and two, in two contents',
      askOlder(user, model(call(), call('wind')), results(response()), results(response('wind'))),
      ['warning response_count contents[2]'],
    ],
    ['one and none', askOlder(user, model(call()), user), ['warning unanswered_call contents[1].parts[0]']],
    [
      'what the user says before the response',
      askOlder(user, model(call()), user, results(response())),
      ['warning unanswered_call contents[1].parts[0]', 'error misplaced_response contents[3].parts[0]'],
    ],
    ['a response to nothing', askOlder(results(response())), ['error misplaced_response contents[0].parts[0]']],
    [
      'a response to a text',
      askOlder(user, said, results(response())),
      ['error misplaced_response contents[2].parts[0]'],
    ],
    ['a call that the service ran', askOlder(user, model(call(), response(), { text: 'At 06:40' }), user), []],
    [
      'in another order',
      askOlder(user, model(call(), call('wind')), results(response('wind'), response())),
      ['warning response_mismatch contents[2].parts[0]', 'warning response_mismatch contents[2].parts[1]'],
    ],
    [
      'in another order, with ids',
      askOlder(
        user,
        model(call('tide', '', { id: 'a' }), call('wind', '', { id: 'b' })),
        results(response('wind', { id: 'b' }), response('tide', { id: 'a' })),
      ),
      [],
    ],
    [
      'with another id',
      askOlder(user, model(call('tide', '', { id: 'a' })), results(response('tide', { id: 'b' }))),
      ['warning response_mismatch contents[2].parts[0]'],
    ],
    ['with an id that the call had not', askOlder(user, model(call()), results(response('tide', { id: 'b' }))), []],
    [
      'with another name',
      askOlder(user, model(call()), results(response('wind'))),
      ['warning response_mismatch contents[2].parts[0]'],
    ],
    ['a call of the user', askOlder(user, said, results(call())), ['warning call_of_user contents[2].parts[0]']],
  ],
  'what calls hold': [
    [
      'pieces of arguments',
      askOlder(user, model({ functionCall: { name: 'tide', partialArgs: [] } }), results(response())),
      ['warning partial_args contents[1].parts[0].functionCall.partialArgs'],
    ],
    [
      'an open end',
      askOlder(user, model(call('tide', '', { willContinue: false })), results(response())),
      ['warning partial_args contents[1].parts[0].functionCall.willContinue'],
    ],
    [
      'arguments as text',
      askOlder(user, model(call('tide', '', { args: '{}' })), results(response())),
      ['error not_an_object contents[1].parts[0].functionCall.args'],
    ],
    [
      'a response as text',
      askOlder(user, model(call()), results(response('tide', { response: '06:40' }))),
      ['error not_an_object contents[2].parts[0].functionResponse.response'],
    ],
    ['no arguments', askOlder(user, model({ functionCall: { name: 'tide' } }), results(response())), []],
    [
      'no name',
      askOlder(user, model({ functionCall: { args: {} } }), results({ functionResponse: { response: {} } })),
      [
        'error missing_function_name contents[1].parts[0].functionCall.name',
        'error missing_function_name contents[2].parts[0].functionResponse.name',
      ],
    ],
  ],
  contents: [
    ['a text', { contents: 'Hello' }, []],
    ['bare parts', { contents: [{ text: 'Hello' }, 'and'] }, []],
    ['none', { contents: [] }, ['error empty_contents contents']],
    ['not named', {}, ['error empty_contents contents']],
    ['without parts', ask({ role: 'user', parts: [] }), ['error empty_parts contents[0].parts']],
    ['with no parts at all', ask({ role: 'user' }), ['error empty_parts contents[0].parts']],
    ['with an empty part', ask(results({})), ['error empty_part contents[0].parts[0]']],
    ['with a part of nulls', ask(results({ text: null })), ['error empty_part contents[0].parts[0]']],
    ['with an empty text', ask(results({ text: '' })), ['warning empty_part contents[0].parts[0]']],
    ['with a signed empty text', ask(user, model({ text: '', thoughtSignature: 'c2ln' }), user), []],
    [
      'with a signature alone',
      ask(user, model({ thoughtSignature: 'c2ln' }), user),
      ['warning empty_part contents[1].parts[0]'],
    ],
    ['of a role that is none', ask({ ...user, role: 'assistant' }), ['error unknown_role contents[0].role']],
    ['of a tool', ask({ ...user, role: 'tool' }), ['error unknown_role contents[0].role']],
    ['of a system', ask({ ...user, role: 'system' }, user), ['error unknown_role contents[0].role']],
    [
      'of a function, as of old',
      askOlder(user, model(call()), { role: 'function', parts: [response()] }),
      ['warning unknown_role contents[2].role'],
    ],
    ['of no role', ask({ parts: [{ text: 'x' }] }), []],
    ['of no role among others', ask({ parts: [{ text: 'x' }] }, said, user), ['warning unknown_role contents[0].role']],
    ['two of one answer', askOlder(user, model({ text: 'So.' }), said, user), ['warning split_answer contents[2]']],
    [
      'a text and a call of one answer',
      askOlder(user, model({ text: 'So.' }), model(call()), results(response())),
      ['warning split_answer contents[2]'],
    ],
    [
      'two calls of one answer',
      ask(user, model(call('tide', 'c2ln')), model(call('wind')), results(response(), response('wind'))),
      ['error missing_thought_signature contents[2].parts[0]', 'error split_answer contents[2]'],
    ],
    ['a call at the start', askOlder(model(call()), results(response())), ['error split_answer contents[0]']],
    [
      'that end in a thought',
      askOlder(user, model({ text: 'Hm', thought: true }), user),
      ['warning trailing_thought contents[1].parts[0]'],
    ],
    ['that begin with a thought', askOlder(user, model({ text: 'Hm', thought: true }, { text: 'So.' }), user), []],
    ['that end with an answer', askOlder(user, said), ['warning trailing_answer contents[1]']],
    [
      'that end with an answer, where that is refused',
      { model: 'gemini-3.5-flash-lite', contents: [user, said] },
      ['error trailing_answer contents[1]'],
    ],
  ],
  thinking: [
    [
      'budget and level',
      thinking('gemini-3-pro-preview', { thinkingBudget: 1024, thinkingLevel: 'low' }),
      [`error thinking_budget_and_level ${place}`],
    ],
    [
      'budget and level, as an SDK is told',
      { contents: 'x', config: { thinkingConfig: { thinkingBudget: 1024, thinkingLevel: 'LOW' } } },
      ['error thinking_budget_and_level config.thinkingConfig'],
    ],
    ['a level', thinking('gemini-3-pro-preview', { thinkingLevel: 'HIGH' }), []],
    [
      'a level of an older model',
      thinking('gemini-2.5-pro', { thinkingLevel: 'low' }),
      [`error unsupported_thinking_level ${place}.thinkingLevel`],
    ],
    [
      'a level that there is not',
      thinking('gemini-3-pro-preview', { thinkingLevel: 'max' }),
      [`error unsupported_thinking_level ${place}.thinkingLevel`],
    ],
    [
      'the least of a pro model',
      thinking('gemini-3.1-pro-preview', { thinkingLevel: 'minimal' }),
      [`error unsupported_thinking_level ${place}.thinkingLevel`],
    ],
    ['the least of a flash model', thinking('gemini-3-flash-preview', { thinkingLevel: 'minimal' }), []],
    ...budgetRows(),
    [
      'negative',
      thinking('gemini-3-flash-preview', { thinkingBudget: -2 }),
      [`error thinking_budget_out_of_range ${place}.thinkingBudget`],
    ],
    [
      'none for Gemini 3 Pro',
      thinking('gemini-3-pro-preview', { thinkingBudget: 0 }),
      [`warning thinking_budget_out_of_range ${place}.thinkingBudget`],
    ],
    [
      'of a model that does not think',
      thinking('gemini-2.0-flash', { thinkingBudget: 1024 }),
      [`error thinking_unsupported ${place}`],
    ],
    ['none of a model that does not think', thinking('gemini-2.0-flash', { thinkingBudget: 0 }), []],
    [
      'under the other spelling',
      { contents: 'x', generation_config: { thinking_config: { thinking_budget: -1 } } },
      [],
    ],
  ],
};

/** The budgets at the edges of what the documentation states, and next to them. */
function budgetRows(): Row[] {
  const edges: readonly (readonly [name: string, taken: readonly number[], refused: readonly number[]])[] = [
    ['gemini-2.5-pro', [-1, 128, 32_768], [0, 127, 32_769]],
    ['gemini-2.5-flash', [-1, 0, 1, 24_576], [24_577]],
    ['gemini-2.5-flash-lite', [-1, 0, 512, 24_576], [511, 24_577]],
  ];
  const row = (name: string, thinkingBudget: number, findings: string[]): Row => [
    `${thinkingBudget} for ${name}`,
    thinking(name, { thinkingBudget }),
    findings,
  ];
  const refusal = [`error thinking_budget_out_of_range ${place}.thinkingBudget`];
  return edges.flatMap(([name, taken, refused]) => [
    ...taken.map((budget) => row(name, budget, [])),
    ...refused.map((budget) => row(name, budget, refusal)),
  ]);
}

describe.each(Object.entries(about))('gemini, %s', (_subject, rows) => {
  test.each(rows)('%s', (_title, body, findings) => {
    expect(found(body)).toEqual(findings);
  });
});

describe('gemini, whatever a body holds', () => {
  const odd: readonly unknown[] = [null, 0, '', 'x', [], {}, [null], [[]], { role: 3 }, { parts: 'x' }];

  test.each(['contents', 'generationConfig', 'config', 'model'])('no rule throws for odd values in %s', (member) => {
    for (const value of odd) {
      const body = { ...ask(user, said, user), [member]: value };
      expect(() => checkRequest(body, gemini, { previous: body, turns: [] })).not.toThrow();
    }
  });

  test.each(['text', 'functionCall', 'functionResponse', 'thoughtSignature', 'thought', 'inlineData'])(
    'no rule throws for odd values of %s',
    (member) => {
      for (const value of odd) {
        const contents = [user, model({ [member]: value }, null, []), results({ [member]: value })];
        expect(() => checkRequest(ask(...contents), gemini)).not.toThrow();
        expect(() => checkRequest(askForImage(...contents), gemini)).not.toThrow();
      }
    },
  );

  test('every rule has a code of its own and says where it is written down', () => {
    const codes = geminiRules.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { source } of geminiRules) expect(source).toMatch(/^https:\/\//);
  });
});
