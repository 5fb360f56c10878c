import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import { createPartialArgs, type PartialArgs } from '../../../src/dialects/gemini/partial-args.ts';

const runs = process.env['CI'] ? 1000 : 200;

function partialArgs(maxDepth = 512): PartialArgs & { readonly counted: () => number } {
  let counted = 0;
  const args = createPartialArgs({
    maxDepth,
    count(length) {
      counted += length;
    },
  });
  return { ...args, counted: () => counted };
}

/** Takes pieces, and returns what was shown after each. */
function pushAll(args: PartialArgs, pieces: readonly JsonObject[]): string[] {
  let shown = '';
  return pieces.map((piece) => {
    expect(args.push(piece)).toBe(true);
    shown += args.take();
    return shown;
  });
}

const text = (jsonPath: string, stringValue: string, willContinue?: boolean): JsonObject => ({
  jsonPath,
  stringValue,
  ...(willContinue !== undefined && { willContinue }),
});

/** The pieces in which a service could send arguments: texts cut at the places given, everything else whole. */
function piecesOf(value: unknown, path: string, cuts: readonly number[]): JsonObject[] {
  if (typeof value === 'string') return textPieces(value, path, cuts);
  if (typeof value === 'number') return [{ jsonPath: path, numberValue: value }];
  if (typeof value === 'boolean') return [{ jsonPath: path, boolValue: value }];
  if (Array.isArray(value)) {
    if (value.length === 0) return [{ jsonPath: `${path}[]` }];
    return value.flatMap((item, index) => piecesOf(item, `${path}[${index}]`, cuts));
  }
  if (!isJsonObject(value)) return [{ jsonPath: path, nullValue: 'NULL_VALUE' }];
  const members = Object.entries(value);
  if (members.length === 0) return path === '$' ? [] : [{ jsonPath: path }];
  return members.flatMap(([name, member]) => piecesOf(member, `${path}${step(name)}`, cuts));
}

function textPieces(value: string, path: string, cuts: readonly number[]): JsonObject[] {
  const ends = [...new Set(cuts.map((cut) => cut % (value.length + 1)))].sort((a, b) => a - b);
  const parts = [...ends, value.length].map((end, at) => value.slice(ends[at - 1] ?? 0, end));
  return [...parts.map((part) => text(path, part, true)), text(path, '')];
}

/** A step of a path as it is usual, and in brackets where it must be. */
function step(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return `.${name}`;
  const escaped = name.replace(/[\\']/g, (char) => `\\${char}`);
  return `['${escaped}']`;
}

const anyArgs = fc.dictionary(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('0', '17', '__proto__')), tie('value'), {
        maxKeys: 4,
      }),
    ),
  })).value,
);

const anyCuts = fc.array(fc.nat(30), { maxLength: 4 });

describe('partial arguments in the order of the text', () => {
  test('make what was cut, and show a beginning of its text that only grows', () => {
    fc.assert(
      fc.property(anyArgs, anyCuts, (dictionary, cuts) => {
        // As it would be after a parser: members that are whole numbers first.
        const args = JSON.parse(JSON.stringify(dictionary)) as JsonObject;
        const whole = JSON.stringify(args);
        const built = partialArgs();
        const shown = pushAll(built, piecesOf(args, '$', cuts));
        for (const now of shown) expect(whole.startsWith(now)).toBe(true);
        expect(JSON.stringify(built.value())).toBe(whole);
        expect(built.counted()).toBe(0);
        // All but what closes it, and an empty one, has been shown.
        const last = shown.at(-1) ?? whole;
        expect(whole.slice(last.length)).toMatch(/^[\]}"]*$/);
      }),
      { numRuns: runs },
    );
  });

  test('show each piece as soon as it is certain', () => {
    const pieces = [
      text('$.stops[0].name', 'Li', true),
      text('$.stops[0].name', 'sbon', true),
      text('$.stops[0].name', ''),
      { jsonPath: '$.stops[0].nights', numberValue: 2 },
      text('$.stops[1].name', 'Faro'),
      { jsonPath: '$.tags[]' },
      { jsonPath: '$.open', boolValue: false },
    ];
    expect(pushAll(partialArgs(), pieces)).toEqual([
      '{"stops":[{"name":"Li',
      '{"stops":[{"name":"Lisbon',
      '{"stops":[{"name":"Lisbon"',
      '{"stops":[{"name":"Lisbon","nights":2',
      '{"stops":[{"name":"Lisbon","nights":2},{"name":"Faro"',
      '{"stops":[{"name":"Lisbon","nights":2},{"name":"Faro"}],"tags":[',
      '{"stops":[{"name":"Lisbon","nights":2},{"name":"Faro"}],"tags":[],"open":false',
    ]);
  });

  test('hold half a surrogate pair back until its other half comes, or the text is over', () => {
    expect(pushAll(partialArgs(), [text('$.a', '\ud83d', true), text('$.a', '\ude00!')])).toEqual([
      '{"a":"',
      '{"a":"\ud83d\ude00!"',
    ]);
    expect(pushAll(partialArgs(), [text('$.a', 'x\ud83d', true), text('$.b', 'y')])).toEqual([
      '{"a":"x',
      '{"a":"x\\ud83d","b":"y"',
    ]);
  });

  test('take a container that is named again, and show nothing of it', () => {
    const pieces = [
      text('$.a.b', 'x'),
      { jsonPath: '$.a' },
      { jsonPath: '$.c[]' },
      { jsonPath: '$.c[]' },
      text('$.c[0]', 'y'),
    ];
    expect(pushAll(partialArgs(), pieces).at(-1)).toBe('{"a":{"b":"x"},"c":["y"');
  });

  test('end a text whose last piece never came when the next value begins', () => {
    const built = partialArgs();
    pushAll(built, [text('$.a', 'x', true), text('$.b', 'y')]);
    expect(built.value()).toEqual({ a: 'x', b: 'y' });
  });

  test('take the null of an SDK, and that of JSON', () => {
    const built = partialArgs();
    pushAll(built, [
      { jsonPath: '$.a', nullValue: 'NULL_VALUE' },
      { jsonPath: '$.b', nullValue: null },
      { jsonPath: '$.c', stringValue: null, numberValue: 4, boolValue: null, nullValue: null },
    ]);
    expect(built.value()).toEqual({ a: null, b: null, c: 4 });
  });
});

describe('partial arguments out of order', () => {
  test('make what was cut in whatever order its values come, and show no wrong beginning', () => {
    const order = fc.infiniteStream(fc.nat());
    fc.assert(
      fc.property(anyArgs, order, (dictionary, keys) => {
        const args = JSON.parse(JSON.stringify(dictionary)) as JsonObject;
        const ranked = piecesOf(args, '$', [])
          .filter(({ stringValue }, at, all) => stringValue !== '' || all[at - 1]?.['willContinue'] !== true)
          .map(({ willContinue: _goesOn, ...piece }) => ({ piece, rank: keys.next().value }));
        const shuffled = ranked.sort((a, b) => a.rank - b.rank).map(({ piece }) => piece);
        const built = partialArgs();
        const shown = pushAll(built, shuffled).at(-1) ?? '';
        expect(built.value()).toEqual(args);
        if (shown !== '') expect(JSON.parse(`${shown}${closing(shown)}`)).toBeTypeOf('object');
      }),
      { numRuns: runs },
    );
  });

  test.each<[string, readonly JsonObject[], string, JsonObject]>([
    [
      'a member of a container that was left',
      [text('$.a.x', '1'), text('$.b', '2'), text('$.a.y', '3')],
      '{"a":{"x":"1"},"b":"2"',
      { a: { x: '1', y: '3' }, b: '2' },
    ],
    ['an element before one of lower index', [text('$.a[1]', 'y'), text('$.a[0]', 'x')], '', { a: ['x', 'y'] }],
    [
      'a name that is a whole number behind another',
      [text('$.a', 'x'), text("$['7']", 'y'), text('$.b', 'z')],
      '{"a":"x"',
      { a: 'x', 7: 'y', b: 'z' },
    ],
    [
      'a value that replaces one',
      [text('$.a', 'x'), text('$.a', 'y'), text('$.b', 'z')],
      '{"a":"x"',
      { a: 'y', b: 'z' },
    ],
    [
      'a text that goes on behind another value',
      [text('$.a', 'x', true), { jsonPath: '$.b', numberValue: 1 }, text('$.a', 'y')],
      '{"a":"x","b":1',
      { a: 'xy', b: 1 },
    ],
  ])('show nothing from %s on', (_what, pieces, shown, value) => {
    const built = partialArgs();
    expect(pushAll(built, pieces).at(-1)).toBe(shown);
    expect(built.value()).toEqual(value);
  });

  test('are counted as long as they are not shown', () => {
    const built = partialArgs();
    pushAll(built, [text('$.a[1]', 'x'.repeat(100)), text('$.a[2]', 'x'.repeat(100))]);
    expect(built.counted()).toBeGreaterThanOrEqual(200);
  });
});

describe('pieces that fit nowhere', () => {
  test.each<[unknown]>([
    [7],
    [null],
    ['$.a'],
    [{ stringValue: 'x' }],
    [text('$', 'x')],
    [text('a', 'x')],
    [text('$.a[*]', 'x')],
    [text('$[0]', 'x')],
    [text('$.a[]', 'x')],
    [{ jsonPath: '$.a', stringValue: 7 }],
    [{ jsonPath: '$.a', numberValue: '7' }],
    [{ jsonPath: '$.a', numberValue: Number.POSITIVE_INFINITY }],
    [{ jsonPath: '$.a', boolValue: 1 }],
    [{ jsonPath: ['$.a'], stringValue: 'x' }],
  ])('are refused: %j', (piece) => {
    const built = partialArgs();
    expect(built.push(piece)).toBe(false);
    expect([built.take(), built.value()]).toEqual(['', {}]);
  });

  test.each([
    ['a member of a text', text('$.a', 'x'), text('$.a.b', 'y')],
    ['a member of a list', text('$.a[0]', 'x'), text('$.a.b', 'y')],
    ['an element of an object', text('$.a.b', 'x'), text('$.a[0]', 'y')],
    ['a text in place of a container', text('$.a.b', 'x'), text('$.a', 'y')],
    ['a container in place of a text', text('$.a', 'x'), { jsonPath: '$.a[]' }],
    ['a number in place of a text that goes on', text('$.a', 'x', true), { jsonPath: '$.a', numberValue: 1 }],
    ['a list in place of an object', text('$.a.b', 'x'), { jsonPath: '$.a[]' }],
  ])('are refused and change nothing: %s', (_what, first, second) => {
    const built = partialArgs();
    expect(built.push(first)).toBe(true);
    const before = built.value();
    expect(built.push(second)).toBe(false);
    expect(built.value()).toEqual(before);
  });

  test('make no list with holes, however far they lead', () => {
    const built = partialArgs();
    expect(built.push(text('$.a[999999999]', 'x'))).toBe(true);
    expect(built.push(text('$.a[99999999999999999999]', 'x'))).toBe(true);
    expect(built.value()).toBeUndefined();
  });

  test('reach no prototype', () => {
    const built = partialArgs();
    pushAll(built, [text('$.__proto__.polluted', 'x'), text("$['constructor'].prototype.polluted", 'y')]);
    expect(JSON.stringify(built.value())).toBe(
      '{"__proto__":{"polluted":"x"},"constructor":{"prototype":{"polluted":"y"}}}',
    );
    expect('polluted' in {}).toBe(false);
    expect(Object.getPrototypeOf(built.value())).toBe(Object.prototype);
  });

  test('nest no deeper than they may', () => {
    const built = partialArgs(3);
    expect(built.push(text('$.a.b.c', 'x'))).toBe(true);
    expect(built.push({ jsonPath: '$.a.d[]' })).toBe(true);
    expect(() => built.push({ jsonPath: '$.a.b.e[]' })).toThrow(/inputDepth/);
    expect(() => built.push(text('$.a.b.f.g', 'x'))).toThrow(/inputDepth/);
  });
});

/** What is missing of a text that is the beginning of JSON. */
function closing(json: string): string {
  const open: string[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (open.at(-1) === '"') {
      if (char === '\\') at += 1;
      else if (char === '"') open.pop();
    } else if (char === '"') open.push('"');
    else if (char === '{') open.push('}');
    else if (char === '[') open.push(']');
    else if (char === '}' || char === ']') open.pop();
  }
  return open.reverse().join('');
}
