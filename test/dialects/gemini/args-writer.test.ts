import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { createPartialArgs, type PartialArgs } from '../../../src/dialects/gemini/partial-args.ts';

function partialArgs(): PartialArgs {
  return createPartialArgs({ maxDepth: 512, count() {} });
}

const number = (jsonPath: string, numberValue: number): JsonObject => ({ jsonPath, numberValue });
const text = (jsonPath: string, stringValue: string, willContinue = false): JsonObject => ({
  jsonPath,
  stringValue,
  willContinue,
});

/** What all of these pieces show, when nothing is asked for before they are all there. */
function shownOf(pieces: readonly JsonObject[], args = partialArgs()): string {
  for (const piece of pieces) expect(args.push(piece)).toBe(true);
  return args.take();
}

describe('what is shown of arguments', () => {
  test('is kept when a later piece of the same chunk is out of order', () => {
    expect(shownOf([number('$.o.x', 1), number('$.p', 2), number('$.o.y', 3)])).toBe('{"o":{"x":1},"p":2');
  });

  test.each<[string, JsonObject]>([
    ['a member of a container that was left', number('$.o.y', 2)],
    ['a value that replaces one', number('$.o.x', 2)],
  ])('is over for an open text, too, with %s', (_what, outOfOrder) => {
    const pieces = [number('$.o.x', 1), text('$.a', 'b', true), outOfOrder, text('$.a', 'c'), number('$.d', 3)];
    expect(shownOf(pieces)).toBe('{"o":{"x":1},"a":"b');
  });

  test.each([
    ['01', true],
    ['1x', true],
    ['4294967295', true],
    ['99999999999999999999', true],
    ['0', false],
    ['7', false],
    ['4294967294', false],
  ])('has the name %s in its place behind others: %j', (name, isInPlace) => {
    const args = partialArgs();
    const shown = shownOf([number('$.a', 1), number(`$['${name}']`, 2), number('$.b', 3)], args);
    const whole = JSON.stringify(args.value());
    expect(`${shown}}` === whole).toBe(isInPlace);
    expect(shown).toBe(isInPlace ? `{"a":1,"${name}":2,"b":3` : '{"a":1');
  });

  test('has names that are whole numbers in order, in each container', () => {
    const pieces = [number("$['2']['9']", 1), number("$['10']['1']", 2), number('$.a', 3)];
    expect(shownOf(pieces)).toBe('{"2":{"9":1},"10":{"1":2},"a":3');
    expect(shownOf([number("$['10']", 1), number("$['2']", 2)])).toBe('{"10":1');
  });
});

// The structs of Google's Go SDK leave empty texts out when they are written again.
describe('a piece without a value', () => {
  test('ends the text that goes on at its path', () => {
    const args = partialArgs();
    expect(shownOf([text('$.a', 'x', true), { jsonPath: '$.a' }], args)).toBe('{"a":"x"');
    expect(shownOf([text('$.a', 'y')], args)).toBe('');
    expect(args.value()).toEqual({ a: 'y' });
  });

  test('lets it go on if it says so', () => {
    const args = partialArgs();
    const pieces = [text('$.a', 'x', true), { jsonPath: '$.a', willContinue: true }, text('$.a', 'y')];
    expect(shownOf(pieces, args)).toBe('{"a":"xy"');
    expect(args.value()).toEqual({ a: 'xy' });
  });

  test('is an object where no text goes on, and contradicts a text that is over', () => {
    const args = partialArgs();
    expect(shownOf([{ jsonPath: '$.a' }, text('$.b', 'x')], args)).toBe('{"a":{},"b":"x"');
    const nulls = { stringValue: null, numberValue: null, boolValue: null };
    expect(
      shownOf(
        [
          { jsonPath: '$.c', ...nulls },
          { jsonPath: '$.d', ...nulls, nullValue: null },
        ],
        args,
      ),
    ).toBe(',"c":{},"d":null');
    expect(args.push({ jsonPath: '$.b' })).toBe(false);
    expect(args.push({ jsonPath: '$.b[]' })).toBe(false);
    expect(args.value()).toEqual({ a: {}, b: 'x', c: {}, d: null });
  });
});
