import type { Transcript } from './transcript.ts';

/** What input tokens cost. */
export interface CarryPrices {
  /** Price of a million input tokens, in any currency. */
  readonly pricePerMillionInput: number;
  /** The share of the re-sent tokens that is read from a cache, from 0 to 1; 0 by default. */
  readonly cachedShare?: number | undefined;
  /** What a token from the cache costs, as a share of the price of one that is not; 0.1 by default. */
  readonly cachedPriceShare?: number | undefined;
}

/** What it costs to send a conversation's reasoning again. */
export interface CarryCost {
  /** The reasoning tokens that each turn's request carries of the turns before it. */
  readonly perTurn: readonly number[];
  /** All of them. */
  readonly tokens: number;
  /** In the currency of the price. */
  readonly cost: number;
  /** The turns whose reasoning the provider did not count, so that it is in none of these numbers. */
  readonly uncounted: number;
}

/**
 * Says what it costs to carry the reasoning of a conversation: a turn's reasoning is written once, as output, and then
 * read again, as input, with the request of every turn behind it.
 *
 * @example
 * ```ts
 * // Five turns with 1,200 tokens of reasoning each:
 * carryCost(transcript, { pricePerMillionInput: 3 });
 * // { perTurn: [0, 1200, 2400, 3600, 4800], tokens: 12000, cost: 0.036, uncounted: 0 }
 * ```
 *
 * @throws TypeError for a price below 0, and for shares that are not from 0 to 1.
 */
export function carryCost(
  { reasoningTokens }: Pick<Transcript<unknown, unknown>, 'reasoningTokens'>,
  { pricePerMillionInput, cachedShare = 0, cachedPriceShare = 0.1 }: CarryPrices,
): CarryCost {
  if (!(pricePerMillionInput >= 0)) {
    throw new TypeError(`pricePerMillionInput must be a price from 0 up, got ${String(pricePerMillionInput)}.`);
  }
  for (const [name, share] of Object.entries({ cachedShare, cachedPriceShare })) {
    if (!(share >= 0 && share <= 1)) throw new TypeError(`${name} must be from 0 to 1, got ${String(share)}.`);
  }
  let carried = 0;
  const perTurn = reasoningTokens.map((own) => {
    const before = carried;
    carried += own ?? 0;
    return before;
  });
  const tokens = perTurn.reduce((sum, more) => sum + more, 0);
  const billed = tokens * (1 - cachedShare * (1 - cachedPriceShare));
  const uncounted = reasoningTokens.filter((own) => own === null).length;
  return { perTurn, tokens, cost: (billed * pricePerMillionInput) / 1_000_000, uncounted };
}
