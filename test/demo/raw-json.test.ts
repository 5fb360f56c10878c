import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, rawElements, rawMembers } from '../../demo/raw-json.ts';

describe('rawElements', () => {
  test('keeps the spelling of each element', () => {
    expect(rawElements(' [1.0, 1e3 ,"a,]\\"b", {"x" : [1, 2]},[ ],null] ')).toEqual([
      '1.0',
      '1e3',
      '"a,]\\"b"',
      '{"x" : [1, 2]}',
      '[ ]',
      'null',
    ]);
  });

  test('finds nothing in an empty array', () => {
    expect(rawElements('[ ]')).toEqual([]);
  });

  test('cuts every array into texts that parse to its elements', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat(3), (values, indent) => {
        const parts = rawElements(JSON.stringify(values, null, indent));
        expect(parts.map((part) => JSON.parse(part))).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
  });
});

describe('rawMembers', () => {
  test('keeps the spelling of each value', () => {
    expect([...rawMembers('{ "a" : 1.0, "b\\"c": {"d":[1,2]}, "":"x" }')]).toEqual([
      ['a', '1.0'],
      ['b"c', '{"d":[1,2]}'],
      ['', '"x"'],
    ]);
  });

  test('takes the last of a repeated key', () => {
    expect(rawMembers('{"a":1,"a":2}').get('a')).toBe('2');
  });

  test('cuts every object into texts that parse to its members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (object, indent) => {
        const members = rawMembers(JSON.stringify(object, null, indent));
        const parsed = [...members].map(([key, text]) => [key, JSON.parse(text)]);
        expect(parsed).toEqual(Object.entries(JSON.parse(JSON.stringify(object))));
      }),
    );
  });
});

describe('parseJson', () => {
  test('gives the value, or undefined for what is no JSON', () => {
    expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
    expect(parseJson('[DONE]')).toBeUndefined();
  });
});
