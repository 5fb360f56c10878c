import { describe, expect, test } from 'vitest';
import { findLoneSurrogates } from '../../src/core/lone-surrogates.ts';

const high = String.fromCharCode(0xd83d);
const low = String.fromCharCode(0xde00);

describe('findLoneSurrogates', () => {
  test.each([
    [high, ['at']],
    [`a${low}b`, ['at']],
    [`${low}${high}`, ['at']],
    [`${high}${low}`, []],
    [{ a: [`${high}x`, 'b', { c: low }] }, ['at.a[0]', 'at.a[2].c']],
    [null, []],
    [7, []],
  ])('finds in %j', (value, paths) => {
    expect([...findLoneSurrogates(value, 'at')]).toEqual(paths);
  });

  test('looks no deeper than tool input may be', () => {
    let deep: unknown = high;
    for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
    expect([...findLoneSurrogates(deep, 'at')]).toEqual([]);
  });
});
