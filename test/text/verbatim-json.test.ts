import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  elementTextsAt,
  nestingDepth,
  rememberSource,
  sourceTextAt,
  stringifyRequest,
} from '../../src/text/verbatim-json.ts';
import { anyText, growingText, mutatedText } from './json-texts.ts';

type Path = readonly (string | number)[];

/** Every value inside a value, with the way to it. */
function* placesIn(value: unknown, path: Path = []): Generator<{ path: Path; value: unknown }> {
  yield { path, value };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    yield* placesIn(member, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

function depthOf(value: unknown): number {
  return Math.max(
    ...[...placesIn(value)].map((place) => place.path.length + (Object(place.value) === place.value ? 1 : 0)),
  );
}

/** What a call returns, or the name of what it throws. */
function outcomeOf(call: () => string | undefined): { text: string } | string | undefined {
  try {
    const text = call();
    return text === undefined ? undefined : { text };
  } catch (error) {
    return error instanceof Error ? error.name : 'not an error';
  }
}

/** Parses a text the way a dialect does with the input of a tool call. */
function parseRemembered(text: string): Record<string, unknown> {
  const value: Record<string, unknown> = JSON.parse(text);
  rememberSource(value, text);
  return value;
}

describe('sourceTextAt', () => {
  it('finds the text of every value that JSON.parse gives', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { path, value } of placesIn(JSON.parse(text))) {
          const source = sourceTextAt(text, path) ?? '';
          expect(text.includes(source) && source === source.trim()).toBe(true);
          expect(isDeepStrictEqual(JSON.parse(source), value)).toBe(true);
        }
      }),
    );
  });

  it.each<[string, Path, string | undefined]>([
    ['{"a": {"n": 1.0, "m":1e3 } , "b":2}', ['a'], '{"n": 1.0, "m":1e3 }'],
    ['{"a": {"n": 1.0, "m":1e3 } , "b":2}', ['a', 'm'], '1e3'],
    ['\n[ 1 ,\t[ 2.50 , -0 ] ] ', [1, 0], '2.50'],
    [' \n 98765432109876543210 ', [], '98765432109876543210'],
    ['{"a}":"]\\"}", "b":[ ]}', ['a}'], '"]\\"}"'],
    ['{"a}":"]\\"}", "b":[ ]}', ['b'], '[ ]'],
    ['{"\\u0061":{"\\"":1}}', ['a', '"'], '1'],
    ['{"a":{"x":1},"a":{"x":2.0}}', ['a', 'x'], '2.0'],
    ['{"a":{"x":1},"a":{"y":2}}', ['a', 'x'], undefined],
    ['{"a":{"x":1},"a":3}', ['a', 'x'], undefined],
    ['{"a":[1]}', ['b'], undefined],
    ['{"a":[1]}', ['a', 1], undefined],
    ['{"a":[1]}', ['a', -1], undefined],
    ['{"0":1}', [0], undefined],
    ['[1]', ['0'], undefined],
    ['{"a":"b"}', ['a', 0], undefined],
    ['{}', ['toString'], undefined],
    ['[]', [0], undefined],
    ['', ['a'], undefined],
  ])('finds in %j at %j the text %j', (json, path, expected) => {
    expect(sourceTextAt(json, path)).toBe(expected);
  });

  it('comes to an end in a text that is no JSON', () => {
    fc.assert(
      fc.property(mutatedText, fc.array(fc.constantFrom('a', '1', '', 0, 1), { maxLength: 3 }), (text, path) => {
        try {
          expect(text).toContain(sourceTextAt(text, path) ?? '');
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError);
        }
      }),
    );
  });

  it('passes over 100,000 nested arrays without recursion', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(sourceTextAt(`{"deep":${deep},"x":1.0}`, ['x'])).toBe('1.0');
    expect(sourceTextAt(`{"deep":${deep},"x":1.0}`, ['deep'])).toBe(deep);
  });
});

describe('nestingDepth', () => {
  it('is the depth of the value that JSON.parse gives', () => {
    fc.assert(
      fc.property(growingText, (text) => {
        expect(nestingDepth(text)).toBe(depthOf(JSON.parse(text)));
      }),
    );
  });

  it.each([
    ['3', 0],
    ['{}', 1],
    ['[{"a":[]},[]]', 3],
    ['{"[[[":"\\"[[[{{{"}', 1],
    ['[{"a":"[[', 2],
    ['', 0],
  ])('is, of %j, %i', (text, depth) => {
    expect(nestingDepth(text)).toBe(depth);
  });

  it('counts 100,000 brackets without recursion', () => {
    expect(nestingDepth('['.repeat(100_000))).toBe(100_000);
  });
});

describe('stringifyRequest', () => {
  const odd = '{"a": 1.0, "b":1e3,"id":98765432109876543210 , "z":1,"2":2,"1":1}';

  it('equals JSON.stringify where nothing was remembered', () => {
    fc.assert(
      fc.property(anyBody(), (body) => {
        expect(outcomeOf(() => stringifyRequest([body]))).toEqual(outcomeOf(() => JSON.stringify([body])));
        const alone = outcomeOf(() => JSON.stringify(body));
        expect(outcomeOf(() => stringifyRequest(body))).toEqual(alone === undefined ? 'TypeError' : alone);
      }),
      { numRuns: 500 },
    );
  });

  it('writes every remembered object as its source text, wherever it stands', () => {
    const objectText = growingText.filter((text) => text.trimStart().startsWith('{') && !/\p{Surrogate}/u.test(text));
    fc.assert(
      fc.property(fc.array(objectText, { maxLength: 4 }), (texts) => {
        const body = { content: texts.map((text) => ({ input: parseRemembered(text), id: 'x' })), last: 1 };
        const content = texts.map((text) => `{"input":${text},"id":"x"}`);
        expect(stringifyRequest(body)).toBe(`{"content":[${content.join(',')}],"last":1}`);
      }),
    );
  });

  it('recognises an input in a copy of its block', () => {
    const block = { type: 'tool_use', input: parseRemembered(odd) };
    const copy = { ...block, cache_control: { type: 'ephemeral' } };
    expect(stringifyRequest({ copy })).toBe(
      `{"copy":{"type":"tool_use","input":${odd},"cache_control":{"type":"ephemeral"}}}`,
    );
  });

  it('recognises numbers that JavaScript cannot hold, frozen inputs, and one input in two places', () => {
    const text = '{"id":98765432109876543210,"big":1e400,"zero":-0,"third":0.33333333333333333333}';
    const input = Object.freeze(parseRemembered(text));
    expect(stringifyRequest([input, input])).toBe(`[${text},${text}]`);
  });

  it('takes a remembered body as a whole', () => {
    expect(stringifyRequest(parseRemembered(` ${odd}\n`))).toBe(` ${odd}\n`);
  });

  it.each<[string, (input: Record<string, unknown>) => unknown, string]>([
    ['set', (input) => Object.assign(input, { a: 2 }), '{"a":2,"b":{"c":[1]}}'],
    ['added', (input) => Object.assign(input, { d: null }), '{"a":1,"b":{"c":[1]},"d":null}'],
    ['deleted', (input) => delete input['a'], '{"b":{"c":[1]}}'],
    ['moved', (input) => delete input['a'] && Object.assign(input, { a: 1 }), '{"b":{"c":[1]},"a":1}'],
    ['changed inside', (input) => Object.assign(Object(input['b']), { c: [] }), '{"a":1,"b":{"c":[]}}'],
    ['copied', (input) => ({ ...input }), '{"a":1,"b":{"c":[1]}}'],
  ])('writes an input as it is now after a member was %s', (kind, edit, expected) => {
    const input = parseRemembered('{"a": 1.0, "b": {"c": [1.0]}}');
    const edited = edit(input);
    expect(stringifyRequest({ input: kind === 'copied' ? edited : input })).toBe(`{"input":${expected}}`);
  });

  it('writes the source text again once an edit was taken back', () => {
    const input = parseRemembered(odd);
    input['a'] = 2;
    stringifyRequest(input);
    input['a'] = 1;
    expect(stringifyRequest(input)).toBe(odd);
  });

  it('keeps the source text of an unchanged input inside a changed one', () => {
    const outer = parseRemembered('{"inner": null}');
    outer['inner'] = parseRemembered(odd);
    expect(stringifyRequest(outer)).toBe(`{"inner":${odd}}`);
  });

  it('escapes half a surrogate pair in a source text, which no encoder would let through', () => {
    const input = parseRemembered('{"text": "\ud83d 😀 \ude00"}');
    expect(stringifyRequest({ input })).toBe('{"input":{"text": "\\ud83d 😀 \\ude00"}}');
  });

  it('is not misled by a text in the body that looks like its own marker', () => {
    const random = vi.spyOn(Math, 'random').mockReturnValueOnce(0.25);
    onTestFinished(() => random.mockRestore());
    const body = { 'source 0.25': 'source 0.25', text: '"source 0.25"', input: parseRemembered(odd) };
    expect(stringifyRequest(body)).toBe(`{"source 0.25":"source 0.25","text":"\\"source 0.25\\"","input":${odd}}`);
    expect(random).toHaveBeenCalledTimes(2);
  });

  it('throws a TypeError on cycles and bigints, as JSON.stringify does', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = { cycle };
    const edited = parseRemembered('{}');
    edited['self'] = edited;
    for (const body of [cycle, edited, { count: 1n }, [Object(1n)]]) {
      expect(() => JSON.stringify(body)).toThrow(TypeError);
      expect(() => stringifyRequest(body)).toThrow(TypeError);
    }
  });

  it.each([
    ['undefined', undefined],
    ['function', () => ({})],
    ['symbol', Symbol('body')],
    ['object', { toJSON: () => undefined }],
  ])('throws a TypeError that says what was meant when the body is of type %s', (type, body) => {
    expect(() => stringifyRequest(body)).toThrow(TypeError);
    expect(() => stringifyRequest(body)).toThrow(`A request body must be a value that JSON can hold, got ${type}`);
  });

  it('writes a transcript of 10 MB', () => {
    const text = `{"path": "a.ts", "lines": 1e3, "content": ${JSON.stringify('const a = "b";\n'.repeat(300))}}`;
    const messages = Array.from({ length: 2000 }, () => ({ role: 'assistant', content: [parseRemembered(text)] }));
    const json = stringifyRequest({ messages });
    expect(json.length).toBeGreaterThan(10_000_000);
    expect(json.split(text)).toHaveLength(2001);
  });
});

/** Whatever can stand in a body and goes through JSON.stringify without an error. */
function anyBody(): fc.Arbitrary<unknown> {
  const scalar = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\u2028', '😀', '\ud83d', '\ude00', '\u0000') }),
    fc.constantFrom<unknown>(null, undefined, true, -0, Number.NaN, Number.NEGATIVE_INFINITY, 1e21, Symbol.iterator),
    fc.double(),
    fc.date({ noInvalidDate: false }),
    fc.constantFrom<unknown>(Object('boxed'), Object(1.5), Object(false), Object(Symbol.iterator), /regexp/, () => 1),
    fc.constantFrom<unknown>(new Map([[1, 2]]), new Set([1]), new Uint8Array([1, 2]), new Error('e')),
  );
  return fc.letrec<{ body: unknown; members: Record<string, unknown> }>((tie) => ({
    body: fc.oneof(
      { maxDepth: 4 },
      scalar,
      fc.array(tie('body')),
      fc.sparseArray(tie('body'), { maxLength: 5 }),
      tie('members'),
      tie('body').map((value) => ({ toJSON: (key: string) => [key, value] })),
      tie('members').map((members) => Object.assign(Object.create({ inherited: 1 }), members)),
      tie('body').map((value) => Object.defineProperty({ a: 1 }, 'hidden', { value, enumerable: false })),
    ),
    members: fc.dictionary(fc.constantFrom('a', 'b', '1', '__proto__', 'toJSON', '"', '\ud83d'), tie('body')),
  })).body;
}

describe('elementTextsAt', () => {
  it('gives the source texts of all elements in their order', () => {
    const json = '{"a":[ {"x": 1.0} ,[2, 3],"s,]" , 1e3,null ],"b":3}';
    expect(elementTextsAt(json, ['a'])).toEqual(['{"x": 1.0}', '[2, 3]', '"s,]"', '1e3', 'null']);
    expect(elementTextsAt(json, ['a', 1])).toEqual(['2', '3']);
  });

  it('gives none where there is no array', () => {
    for (const path of [['b'], ['c'], ['a', 9]]) expect(elementTextsAt('{"a":[],"b":{"x":1}}', path)).toEqual([]);
    expect(elementTextsAt('[ ]', [])).toEqual([]);
  });

  it('agrees with sourceTextAt on any array', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const json = JSON.stringify(values, null, 1);
        expect(elementTextsAt(json, [])).toEqual(values.map((_, index) => sourceTextAt(json, [index])));
      }),
    );
  });
});
