/** How the pairs of a comparison differ. */
export interface SignTest {
  /** Pairs in which the second is larger. */
  readonly larger: number;
  /** Pairs in which the second is smaller. */
  readonly smaller: number;
  readonly equal: number;
  /**
   * How likely a difference as lopsided as this, or more so, is by chance (two-sided, exact). 1 where all pairs are equal.
   */
  readonly probability: number;
}

/**
 * The exact sign test over pairs: of those that differ, each is as likely to go one way as the other, if there is no
 * effect.
 *
 * @see https://en.wikipedia.org/wiki/Sign_test
 */
export function signTest(pairs: readonly (readonly [first: number, second: number])[]): SignTest {
  const larger = pairs.filter(([first, second]) => second > first).length;
  const smaller = pairs.filter(([first, second]) => second < first).length;
  const differing = larger + smaller;
  const tail = cumulative(Math.min(larger, smaller), differing);
  return { larger, smaller, equal: pairs.length - differing, probability: Math.min(1, 2 * tail) };
}

/** How likely at most so many of so many tosses are heads. In logarithms, for the numbers get large. */
function cumulative(most: number, tosses: number): number {
  let sum = 0;
  let logChoose = 0;
  for (let heads = 0; heads <= most; heads += 1) {
    if (heads > 0) logChoose += Math.log(tosses - heads + 1) - Math.log(heads);
    sum += Math.exp(logChoose - tosses * Math.LN2);
  }
  return sum;
}
