import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { stringifyRequest } from '../../../src/index.ts';
import {
  type Assembled,
  assemble,
  blocks,
  call,
  chunk,
  chunks,
  parts,
  pieces,
  repairs,
  sse,
  story,
  toolCalls,
  warnings,
} from './wire-chunks.ts';

describe('a call in pieces', () => {
  const begin = call({ name: 'tide', willContinue: true }, { thoughtSignature: 'c2ln' });
  const end = call({});
  const whole = (args: JsonObject): JsonObject => call({ name: 'tide', args }, { thoughtSignature: 'c2ln' });

  function expectOne(assembled: Assembled, args: JsonObject): void {
    expect(toolCalls(assembled)).toEqual([`call_resp1_0 tide ${JSON.stringify(args)}`]);
    expect(JSON.stringify(parts(assembled)[0])).toBe(JSON.stringify(whole(args)));
    expect([repairs(assembled), warnings(assembled)]).toEqual([[], []]);
  }

  test('grows as its arguments become certain, and is whole with its end', async () => {
    const assembled = await assemble(
      chunks([
        begin,
        pieces(['$.port', { stringValue: 'Ei', willContinue: true }]),
        pieces(['$.port', { stringValue: 'der', willContinue: true }]),
        pieces(['$.port', { stringValue: '' }], ['$.days[0]', { numberValue: 1 }]),
        call({ willContinue: true }),
        end,
      ]),
    );
    expect(story(assembled)).toEqual([
      'turn_start',
      'block_start 0 tool_call call_resp1_0 tide',
      'tool_input_delta 0 {"port":"Ei',
      'tool_input_delta 0 der',
      'tool_input_delta 0 ","days":[1',
      'tool_input_delta 0 ]}',
      'block_stop 0 finished',
      'turn_stop',
    ]);
    expectOne(assembled, { port: 'Eider', days: [1] });
  });

  test('may come in one part, with its name', async () => {
    const part = {
      ...begin,
      functionCall: { name: 'tide', partialArgs: [{ jsonPath: '$.a', numberValue: 2 }] },
    };
    const assembled = await assemble(chunks([part]));
    expectOne(assembled, { a: 2 });
    expect(story(assembled)).toContain('tool_input_delta 0 {"a":2}');
  });

  test('is ended by its last piece', async () => {
    const last = call({ partialArgs: [{ jsonPath: '$.b', boolValue: true }] });
    expectOne(await assemble(chunks([begin, pieces(['$.a', { numberValue: 1 }]), last])), { a: 1, b: true });
  });

  test.each<[string, JsonObject | undefined]>([
    ['a call that begins', call({ name: 'next', args: {} })],
    ['a text', { text: 'So.' }],
    ['a signed part', { text: '', thoughtSignature: 'dGFpbA==' }],
    ['the end of the turn', undefined],
  ])('that was never ended is over with %s', async (_what, next) => {
    const told = [begin, pieces(['$.a', { numberValue: 1 }]), ...(next ? [next] : [])];
    const assembled = await assemble(chunks(told));
    expect(toolCalls(assembled)[0]).toBe('call_resp1_0 tide {"a":1}');
    expect(parts(assembled)).toEqual([whole({ a: 1 }), ...(next ? [next] : [])]);
  });

  test('goes on behind an empty text', async () => {
    const told = [begin, pieces(['$.a', { numberValue: 1 }]), { text: '' }, pieces(['$.b', { numberValue: 2 }]), end];
    expectOne(await assemble(chunks(told)), { a: 1, b: 2 });
  });

  test('without any piece has no arguments', async () => {
    const assembled = await assemble(chunks([begin, end]));
    expect(toolCalls(assembled)).toEqual(['call_resp1_0 tide {}']);
    expect(parts(assembled)).toEqual([call({ name: 'tide' }, { thoughtSignature: 'c2ln' })]);
  });

  test('goes back without what told it in pieces', async () => {
    const assembled = await assemble(chunks([begin, pieces(['$.a', { numberValue: 1 }]), end]));
    expect(stringifyRequest(assembled.turn.entries)).not.toMatch(/partialArgs|willContinue/);
  });

  test('takes over what later pieces say beside the arguments, and loses nothing', async () => {
    const told = [
      call({ name: 'tide', willContinue: true }),
      call({ id: 'a1', lane: 2, willContinue: true }, { thoughtSignature: 'c2ln', partMetadata: { lane: 1 } }),
      call(
        { id: '', willContinue: true, partialArgs: [{ jsonPath: '$.a', numberValue: 1 }] },
        { thoughtSignature: '' },
      ),
      call({}),
    ];
    const assembled = await assemble(chunks(told));
    expect(parts(assembled)).toEqual([
      call(
        { name: 'tide', id: 'a1', lane: 2, args: { a: 1 } },
        { thoughtSignature: 'c2ln', partMetadata: { lane: 1 } },
      ),
    ]);
    expect(toolCalls(assembled)).toEqual(['a1 tide {"a":1}']);
  });

  test('has an id of its own where a late one is that of another call', async () => {
    const told = [call({ id: 'a1', name: 'f' }), call({ name: 'g', willContinue: true }), call({ id: 'a1' })];
    const assembled = await assemble(chunks(told));
    expect(toolCalls(assembled)).toEqual(['a1 f {}', 'call_resp1_1 g {}']);
    expect(parts(assembled)[1]).toEqual(call({ name: 'g', id: 'a1' }));
  });

  test('keeps its first id and its name, whatever later pieces say', async () => {
    const told = [
      call({ id: 'a1', name: 'f', willContinue: true }),
      call({ id: 'a2', name: 7, willContinue: true }),
      call({ id: 'a3', name: '' }),
    ];
    const assembled = await assemble(chunks(told));
    expect(parts(assembled)).toEqual([call({ id: 'a1', name: 'f' })]);
    expect(toolCalls(assembled)).toEqual(['a1 f {}']);
  });

  // llumiverse#470: a gateway split a signature over the chunks of one call.
  test('puts a signature together that comes in fragments, and keeps one that is repeated once', async () => {
    const signed = (...list: readonly string[]): JsonObject[] => [
      call({ name: 'f', willContinue: true }),
      ...list.map((thoughtSignature) => call({ willContinue: true }, { thoughtSignature })),
      call({}),
    ];
    expect(parts(await assemble(chunks(signed('Zmly', 'c3Q='))))[0]).toHaveProperty('thoughtSignature', 'Zmlyc3Q=');
    expect(parts(await assemble(chunks(signed('Zmly', 'Zmly'))))[0]).toHaveProperty('thoughtSignature', 'Zmly');
  });

  test('that ends where none is open is ignored, with a warning', async () => {
    const assembled = await assemble(chunks([call({ name: 'f', args: {} }), call({}), call({ willContinue: true })]));
    expect(blocks(assembled)).toEqual(['tool_call finished {}']);
    expect(warnings(assembled)).toEqual(['unexpected_delta']);
  });

  test('whose pieces come without it is a call without a name', async () => {
    const assembled = await assemble(chunks([{ text: 'a' }, pieces(['$.a', { numberValue: 1 }]), end]));
    expect(blocks(assembled)).toEqual(['text finished a', 'tool_call invalid {"a":1}']);
    expect(repairs(assembled)).toEqual(['nameless_call 1']);
    const lost = await assemble(chunks([{ text: 'a' }, pieces(['$', { numberValue: 1 }]), end]));
    expect([repairs(lost), warnings(lost)]).toEqual([['nameless_call 1'], ['unexpected_delta']]);
  });

  test('that is cut keeps what came', async () => {
    const { turn } = await assemble([
      chunk([begin]),
      chunk([pieces(['$.a', { numberValue: 1 }], ['$.b', { stringValue: 'x', willContinue: true }])]),
    ]);
    expect(turn.blocks.map(({ state, text, native }) => [state, text, native])).toEqual([
      ['cut', '{"a":1,"b":"x', whole({ a: 1, b: 'x' })],
    ]);
  });

  test('that is out of order shows the rest at its end, if it goes on from what was shown', async () => {
    const told = [begin, pieces(['$.a.x', { numberValue: 1 }]), pieces(['$.b', { numberValue: 2 }])];
    const after = [pieces(['$.c[1]', { numberValue: 4 }]), pieces(['$.c[0]', { numberValue: 3 }]), end];
    const fits = await assemble(chunks([...told, ...after]));
    expect(story(fits).filter((line) => line.startsWith('tool_input'))).toEqual([
      'tool_input_delta 0 {"a":{"x":1',
      'tool_input_delta 0 },"b":2',
      'tool_input_delta 0 ,"c":[3,4]}',
    ]);
    expectOne(fits, { a: { x: 1 }, b: 2, c: [3, 4] });
    const differs = await assemble(chunks([...told, pieces(['$.a.y', { numberValue: 3 }]), end]));
    expect(warnings(differs)).toEqual(['whole_text_differs']);
    expect(blocks(differs)).toEqual(['tool_call finished {"a":{"x":1},"b":2']);
    expect(toolCalls(differs)).toEqual(['call_resp1_0 tide {"a":{"x":1,"y":3},"b":2}']);
  });

  test.each<[string, readonly JsonObject[]]>([
    ['a piece that is none', [call({ partialArgs: [7], willContinue: true })]],
    ['a piece without a path', [call({ partialArgs: [{ stringValue: 'x' }], willContinue: true })]],
    ['pieces that are no list', [call({ partialArgs: { jsonPath: '$.a' }, willContinue: true })]],
    ['pieces that contradict each other', [pieces(['$.a.b', { numberValue: 1 }], ['$.a[0]', { numberValue: 1 }])]],
    ['an element far away', [pieces(['$.a[999999999]', { numberValue: 1 }])]],
    ['other arguments beside the pieces', [pieces(['$.a', { numberValue: 1 }]), call({ args: { a: 2 } })]],
    ['whole arguments twice', [call({ args: { a: 1 }, willContinue: true }), call({ args: { a: 2 } })]],
  ])('is not what was sent, and left out, with %s', async (_what, told) => {
    const assembled = await assemble(chunks([begin, ...told, { text: 'So.' }]));
    expect(assembled.turn.blocks.map(({ state }) => state)).toEqual(['unfaithful', 'finished']);
    expect([toolCalls(assembled), repairs(assembled)]).toEqual([[], ['unfaithful 0']]);
    expect(parts(assembled)).toEqual([{ text: 'So.' }]);
    expect(warnings(assembled)).toEqual(['unexpected_delta']);
  });

  test('that lost a piece shows and keeps nothing more', async () => {
    const bad = { jsonPath: '$.a.x', numberValue: 1 };
    const told = [
      begin,
      pieces(['$.a', { numberValue: 1 }]),
      call({ partialArgs: [{ jsonPath: '$.b', numberValue: 2 }, bad], willContinue: true }),
      pieces(['$.c[9]', { stringValue: 'x'.repeat(1000) }]),
      end,
    ];
    const assembled = await assemble(chunks(told), {}, { turnLength: 500 });
    expect(assembled.turn.status).toBe('complete');
    expect(blocks(assembled)).toEqual(['tool_call unfaithful {"a":1']);
  });

  test('may hold empty arguments in the place of pieces, or repeat the whole at its end', async () => {
    const placeholder = call({ name: 'tide', args: {}, willContinue: true }, { thoughtSignature: 'c2ln' });
    const told = [placeholder, pieces(['$.a', { numberValue: 1 }])];
    expectOne(await assemble(chunks([...told, end])), { a: 1 });
    expectOne(await assemble(chunks([...told, call({ args: { a: 1 } })])), { a: 1 });
    expectOne(await assemble(chunks([placeholder, call({ args: { a: 1 } })])), { a: 1 });
    expectOne(await assemble(chunks([placeholder, call({ args: { a: 1 }, willContinue: true }), call({ args: {} })])), {
      a: 1,
    });
  });

  test('is the same in chunks of any number of parts', async () => {
    const told = [
      begin,
      pieces(['$.a', { stringValue: 'x', willContinue: true }]),
      pieces(['$.a', { stringValue: 'y' }]),
      end,
    ];
    const one = await assemble(sse(chunk(told, { finishReason: 'STOP' })));
    expectOne(one, { a: 'xy' });
    expect(one.turn.entries).toEqual((await assemble(chunks(told))).turn.entries);
  });
});
