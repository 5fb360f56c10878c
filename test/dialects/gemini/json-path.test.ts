import { describe, expect, test } from 'vitest';
import { readJsonPath } from '../../../src/dialects/gemini/json-path.ts';

describe('readJsonPath', () => {
  test.each<[string, readonly (string | number)[]]>([
    ['$.a', ['a']],
    ['$.stops[0].name', ['stops', 0, 'name']],
    ['$.matrix[0][12]', ['matrix', 0, 12]],
    ["$['odd.key']", ['odd.key']],
    ['$["odd[0]"].b', ['odd[0]', 'b']],
    ["$['it\\'s']", ["it's"]],
    ['$["a\\"b\\\\c\\n\\u00e9"]', ['a"b\\c\né']],
    ["$['']", ['']],
    ["$['0']", ['0']],
    ["$['a\\\nb']", ['a\nb']],
    ['$.naïve-name', ['naïve-name']],
    ['$.__proto__', ['__proto__']],
  ])('reads %s', (path, segments) => {
    expect(readJsonPath(path)).toEqual({ segments, isArray: false });
  });

  test('tells an array without elements by its brackets', () => {
    expect(readJsonPath('$.tags[]')).toEqual({ segments: ['tags'], isArray: true });
    expect(readJsonPath('$.a[0][]')).toEqual({ segments: ['a', 0], isArray: true });
    expect(readJsonPath("$['[]']")).toEqual({ segments: ['[]'], isArray: false });
  });

  test.each([
    [''],
    ['$'],
    ['$[]'],
    ['a'],
    ['.a'],
    ['$a'],
    ['$.'],
    ['$..a'],
    ['$.*'],
    ['$[*]'],
    ['$.a[-1]'],
    ['$.a[01]'],
    ['$.a[1:2]'],
    ['$.a[?@.b]'],
    ['$.a[0'],
    ['$.a]'],
    ["$['a"],
    ["$['a'"],
    ["$['a\\'"],
    ['$.a[][0]'],
    ['$.a[].b'],
    [7],
    [null],
    [undefined],
    [{}],
  ])('refuses %j, which leads to no one value', (path) => {
    expect(readJsonPath(path)).toBeUndefined();
  });

  test('reads names of any length', () => {
    const name = "a\\'".repeat(2_000_000);
    expect(readJsonPath(`$['${name}']`)?.segments[0]).toHaveLength(4_000_000);
    expect(readJsonPath(`$.${'a'.repeat(4_000_000)}`)?.segments[0]).toHaveLength(4_000_000);
  });
});
