/** A source of numbers that is the same for the same seed. */
export interface Random {
  /** A number from 0 up to, not including, 1. */
  fraction(): number;
  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  /** One of the values, which must not be none. */
  pick<Value>(values: readonly Value[]): Value;
}

/** Makes a {@link Random}: a linear congruential generator, good enough to vary lengths and words. */
export function createRandom(seed: number): Random {
  let state = seed;
  const fraction = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const integer = (low: number, high: number): number => low + Math.floor(fraction() * (high - low + 1));
  return {
    fraction,
    integer,
    pick(values) {
      const value = values[integer(0, values.length - 1)];
      if (value === undefined) throw new TypeError('Expected values to pick from, got none');
      return value;
    },
  };
}
