import { describe, expect, test } from 'vitest';
import { signTest } from '../../src/testing/sign-test.ts';

/** Pairs of which so many grow, shrink and stay. */
function pairs(larger: number, smaller: number, equal = 0): [number, number][] {
  return [
    ...Array.from({ length: larger }, (): [number, number] => [1, 2]),
    ...Array.from({ length: smaller }, (): [number, number] => [2, 1]),
    ...Array.from({ length: equal }, (): [number, number] => [1, 1]),
  ];
}

describe('signTest', () => {
  test.each([
    // Two tails of the binomial distribution with one half, worked out by hand.
    [0, 0, 3, 1],
    [1, 0, 0, 1],
    [5, 0, 0, 2 / 32],
    [0, 5, 2, 2 / 32],
    [9, 1, 0, (2 * 11) / 1024],
    [8, 2, 0, (2 * 56) / 1024],
    [5, 5, 0, 1],
  ])('%i larger, %i smaller, %i equal', (larger, smaller, equal, probability) => {
    const test = signTest(pairs(larger, smaller, equal));
    expect(test).toMatchObject({ larger, smaller, equal });
    expect(test.probability).toBeCloseTo(probability, 12);
  });

  test('does not overflow', () => {
    expect(signTest(pairs(3000, 0)).probability).toBe(0);
    expect(signTest(pairs(1500, 1500)).probability).toBeCloseTo(1, 6);
  });
});
