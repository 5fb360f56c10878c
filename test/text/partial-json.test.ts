import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPartialJson, type PartialJson } from '../../src/text/partial-json.ts';
import { accepts, anyText, growingText, mutatedText, piecesOf, wellFormedText } from './json-texts.ts';

const cuts = fc.array(fc.nat(200), { maxLength: 20 });
const halfPair = '\ud83d';

function parsed(pieces: Iterable<string>, options?: { maxDepth?: number }): PartialJson {
  const json = createPartialJson(options);
  for (const piece of pieces) json.push(piece);
  return json;
}

function snapshotsOf(text: string): unknown[] {
  const json = createPartialJson();
  return text.split('').map((char) => {
    json.push(char);
    return json.snapshot();
  });
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function memberOf(value: unknown, key: string): unknown {
  return Object.getOwnPropertyDescriptor(Object(value), key)?.value;
}

function hasGrown(before: unknown, after: unknown): boolean {
  if (before === undefined) return true;
  if (typeof before === 'string') return typeof after === 'string' && after.startsWith(before);
  if (typeof before !== 'object' || before === null) return Object.is(before, after);
  return membersOf(before).every(([key, value]) => hasGrown(value, memberOf(after, key)));
}

/** Whether everything that is equal in both is the same. */
function isShared(before: unknown, after: unknown): boolean {
  if (isDeepStrictEqual(before, after)) return Object.is(before, after);
  return membersOf(before).every(([key, value]) => isShared(value, memberOf(after, key)));
}

function deepFreeze(value: unknown): void {
  Object.freeze(value);
  for (const [, member] of membersOf(value)) deepFreeze(member);
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return membersOf(value).flatMap(([, member]) => stringsOf(member));
}

function isLoneNumber(text: string): boolean {
  return /^\s*[-\d]/.test(text);
}

/** Whether one of the endings that a broken-off text can need makes it JSON. */
function canBecomeJson(text: string): boolean {
  const closers: string[] = [];
  for (const [bracket] of text.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, '').matchAll(/[[\]{}]/g)) {
    if (bracket === '[' || bracket === '{') closers.unshift(bracket === '[' ? ']' : '}');
    else closers.shift();
  }
  const tokenEnds = ['', '0', '"', 'n"', '0"', '00"', '000"', '0000"', 'true', 'rue', 'ue', 'e', 'alse', 'lse', 'se'];
  tokenEnds.push('ull', 'll', 'l');
  const memberEnds = ['', ':0', '":0', '"":0', 'n":0', '0":0', '00":0', '000":0', '0000":0'];
  return [...tokenEnds, ...memberEnds].some((end) => accepts(text + end + closers.join('')));
}

describe('createPartialJson', () => {
  it('gives what JSON.parse gives, in its order of keys, whatever the pieces', () => {
    fc.assert(
      fc.property(anyText, cuts, (text, at) => {
        const json = parsed(piecesOf(text, at));
        const expected: unknown = JSON.parse(text);
        expect(json.state).toBe('complete');
        expect(isDeepStrictEqual(json.snapshot(), expected)).toBe(true);
        expect(JSON.stringify(json.snapshot())).toBe(JSON.stringify(expected));
      }),
      { numRuns: 500 },
    );
  });

  it('is complete exactly when JSON.parse accepts, and gives one value for any pieces of a broken text', () => {
    fc.assert(
      fc.property(mutatedText, cuts, (text, at) => {
        const whole = parsed([text]);
        const inPieces = parsed(piecesOf(text, at));
        expect(whole.state === 'complete').toBe(accepts(text));
        expect(inPieces.state).toBe(whole.state);
        expect(isDeepStrictEqual(inPieces.snapshot(), whole.snapshot())).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('is invalid at the first character after which nothing can make the text JSON', () => {
    fc.assert(
      fc.property(mutatedText, fc.nat(), (text, end) => {
        const begun = text.slice(0, end % (text.length + 1));
        expect(parsed([begun]).state !== 'invalid').toBe(canBecomeJson(begun));
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps showing what was good when the text goes bad', () => {
    fc.assert(
      fc.property(mutatedText, (text) => {
        const json = createPartialJson();
        let good: unknown;
        for (const char of text.split('')) {
          json.push(char);
          if (json.state !== 'invalid') good = json.snapshot();
        }
        expect(isDeepStrictEqual(json.snapshot(), good)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('only grows: strings by text, arrays by elements, objects by members; the rest stays', () => {
    const text = growingText.filter((candidate) => !isLoneNumber(candidate));
    fc.assert(
      fc.property(text, (candidate) => {
        const snapshots = snapshotsOf(candidate);
        for (const [index, after] of snapshots.entries()) expect(hasGrown(snapshots[index - 1], after)).toBe(true);
      }),
    );
  });

  it('shares everything that did not change between two snapshots', () => {
    fc.assert(
      fc.property(growingText, (text) => {
        const snapshots = snapshotsOf(text);
        for (const [index, after] of snapshots.entries()) expect(isShared(snapshots[index - 1], after)).toBe(true);
      }),
    );
  });

  it('never changes a snapshot that was handed out', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const json = createPartialJson();
        const seen: { snapshot: unknown; text: string | undefined }[] = [];
        for (const char of text.split('')) {
          json.push(char);
          const snapshot = json.snapshot();
          deepFreeze(snapshot);
          seen.push({ snapshot, text: JSON.stringify(snapshot) });
        }
        expect(json.snapshot()).toEqual(JSON.parse(text));
        for (const { snapshot, text: before } of seen) expect(JSON.stringify(snapshot)).toBe(before);
      }),
    );
  });

  it('never shows half a surrogate pair of a well-formed text', () => {
    fc.assert(
      fc.property(wellFormedText, (text) => {
        const shown = snapshotsOf(text).flatMap(stringsOf);
        expect(shown.filter((string) => /\p{Surrogate}/u.test(string))).toEqual([]);
      }),
    );
  });

  it.each([
    ['', undefined],
    ['  ', undefined],
    ['{', {}],
    ['[ ', []],
    ['{"a', {}],
    ['{"a":', {}],
    ['{"a":"', { a: '' }],
    ['{"a":"x', { a: 'x' }],
    ['{"a":"x\\', { a: 'x' }],
    ['{"a":"x\\u00e', { a: 'x' }],
    ['{"a":"x\\ud83d', { a: 'x' }],
    ['{"a":"x\\ud83d\\ude0', { a: 'x' }],
    ['{"a":"x\\ud83d\\ude00', { a: 'x😀' }],
    [`{"a":"x${halfPair}`, { a: 'x' }],
    [`{"a":"x${halfPair}y`, { a: `x${halfPair}y` }],
    [`{"a":"x${halfPair}"`, { a: `x${halfPair}` }],
    ['{"a":12', {}],
    ['{"a":12,', { a: 12 }],
    ['{"a":tru', {}],
    ['{"a":true', { a: true }],
    ['{"a":1,"a":', { a: 1 }],
    ['{"a":"old","b":1,"a":"n', { a: 'n', b: 1 }],
    ['{"a":{"b":[1,{"c":"d', { a: { b: [1, { c: 'd' }] } }],
  ])('shows of %j what is sure', (text, expected) => {
    const json = parsed([text]);
    expect(json.state).toBe('open');
    expect(json.snapshot()).toStrictEqual(expected);
  });

  it.each([
    ['-', 'open', undefined],
    ['-0', 'complete', -0],
    ['12', 'complete', 12],
    ['12.', 'open', undefined],
    ['12.5', 'complete', 12.5],
    ['12.5e', 'open', undefined],
    ['12.5e1 ', 'complete', 125],
    ['12x', 'invalid', 12],
    ['1e400', 'complete', Number.POSITIVE_INFINITY],
    ['"a', 'open', 'a'],
    ['null', 'complete', null],
  ])('reads %j outside of containers as %s', (text, state, expected) => {
    const json = parsed([text]);
    expect(json.state).toBe(state);
    expect(json.snapshot()).toBe(expected);
  });

  it.each([
    ...['{"a":1,}', '[1,]', '[,1]', '{,}', '{"a" 1}', '{"a":}', '{a:1}', "{'a':1}", '{1:1}', '[1 2]', '[1}', '{"a":1]'],
    ...['NaN', 'Infinity', 'undefined', '-a', '+1', '01', '-01', '1.e1', '.5', '1e+x', '0x1', 'tru ', 'nulL', 'True'],
    ...['"\n"', '"\t"', '"\u0000"', '"\\x41"', '"\\u12g4"', '"\\u 123"', '"\\"x', '{"a\n":1}', '{"\\x":1}'],
    ...['{} {}', '1 2', '[]]', '}', '\ufeff{}', '\u00a0{}', '{}\u2028', '// c\n{}', '[1]x', '""""'],
  ])('refuses %j as JSON.parse does', (text) => {
    const json = parsed([text]);
    expect(accepts(text)).toBe(false);
    expect(json.state).toBe(text === '"\\"x' ? 'open' : 'invalid');
  });

  it('takes no more text once it is invalid', () => {
    const json = parsed(['{"a":"b",x', '"c":1}', '{}']);
    expect(json.state).toBe('invalid');
    expect(json.snapshot()).toEqual({ a: 'b' });
  });

  it.each(['{"__proto__":{"x":1}}', '{"a":{"__proto__":"y"},"__proto__":null}', '{"constructor":{"prototype":[1]}}'])(
    'makes own members of %s at every point',
    (text) => {
      const json = createPartialJson();
      for (const char of text) {
        json.push(char);
        json.snapshot();
      }
      expect(isDeepStrictEqual(json.snapshot(), JSON.parse(text))).toBe(true);
      expect(Object.getPrototypeOf(json.snapshot())).toBe(Object.prototype);
    },
  );

  it('shares a finished subtree while the rest grows, and copies what is open', () => {
    const json = parsed(['{"done":{"x":[1]},"open":["a"']);
    const before = json.snapshot();
    json.push(',"b');
    const after = json.snapshot();
    expect(after).toEqual({ done: { x: [1] }, open: ['a', 'b'] });
    expect(memberOf(after, 'done')).toBe(memberOf(before, 'done'));
    expect(memberOf(after, 'open')).not.toBe(memberOf(before, 'open'));
    json.push('"  ');
    expect(json.snapshot()).toBe(after);
    json.push(']}');
    expect(json.snapshot()).toBe(after);
  });

  it('is invalid where the text nests deeper than maxDepth', () => {
    expect(parsed(['['.repeat(512)]).state).toBe('open');
    expect(parsed(['['.repeat(513)]).state).toBe('invalid');
    expect(parsed(['{"a":[[]]}'], { maxDepth: 2 }).snapshot()).toEqual({ a: [] });
    expect(parsed(['{"a":[1],"b":[2]}'], { maxDepth: 2 }).state).toBe('complete');
  });

  it.each([
    ['arrays', '[', '', ']'],
    ['objects', '{"a":', '1', '}'],
  ])('reads 10,000 %s inside each other without recursion', (_name, opener, middle, closer) => {
    const json = createPartialJson({ maxDepth: 10_000 });
    json.push(opener.repeat(10_000));
    json.snapshot();
    json.push(middle + closer.repeat(10_000));
    expect(json.state).toBe('complete');
    let depth = 0;
    for (let value = json.snapshot(); typeof value === 'object'; value = Object.values(value ?? {})[0]) depth++;
    expect(depth).toBe(10_000);
  });

  it('reads megabytes at once, in small pieces and one character at a time', () => {
    const line = 'const a = "x"; // é 😀 \\ path\n';
    const text = JSON.stringify({ content: line.repeat(40_000), edits: Array.from({ length: 20_000 }, (_, i) => [i]) });
    const expected: unknown = JSON.parse(text);
    for (const length of [text.length, 14, 1]) {
      const pieces = Array.from({ length: Math.ceil(text.length / length) }, (_, i) => text.substr(i * length, length));
      expect(isDeepStrictEqual(parsed(pieces).snapshot(), expected)).toBe(true);
    }
  });
});
