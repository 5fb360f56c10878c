import { describe, expect, test } from 'vitest';
import { carryCost, createTranscript } from '../../src/index.ts';
import { kits, turnOf } from './dialect-kits.ts';

const fiveSteps = { reasoningTokens: [1200, 1200, 1200, 1200, 1200] };

describe('carryCost', () => {
  test('is that of `sources/000…` "Thinking blocks in the tool loop": five steps of 1,200 carry 12,000, 3.6 cents', () => {
    expect(carryCost(fiveSteps, { pricePerMillionInput: 3 })).toEqual({
      perTurn: [0, 1200, 2400, 3600, 4800],
      tokens: 12_000,
      cost: 0.036,
      uncounted: 0,
    });
  });

  test('is under a cent when the earlier steps come from a cache, as the document says', () => {
    const { cost, tokens } = carryCost(fiveSteps, { pricePerMillionInput: 3, cachedShare: 1 });
    expect(tokens).toBe(12_000);
    expect(cost).toBeCloseTo(0.0036, 10);
    expect(carryCost(fiveSteps, { pricePerMillionInput: 3, cachedShare: 0.5, cachedPriceShare: 0.5 }).cost).toBeCloseTo(
      0.027,
      10,
    );
  });

  test('says how many turns nobody counted, and takes them for none', () => {
    expect(carryCost({ reasoningTokens: [100, null, 50] }, { pricePerMillionInput: 1 })).toMatchObject({
      perTurn: [0, 100, 100],
      tokens: 200,
      uncounted: 1,
    });
    expect(carryCost({ reasoningTokens: [] }, { pricePerMillionInput: 1 })).toMatchObject({ tokens: 0, cost: 0 });
  });

  test.each(kits)('reads a loop of five steps in $name from its transcript', (kit) => {
    const transcript = createTranscript(kit.dialect);
    transcript.user('Go.');
    for (let at = 0; at < 5; at += 1) {
      const calls = at === 4 ? [] : [{ id: `c${at}`, input: '{}' }];
      const text = at === 4 ? { text: 'Done.' } : {};
      transcript.commit(turnOf(kit, { ...text, id: `t${at}`, reasoning: 'plan', calls, reasoningTokens: 1200 }));
      if (at < 4) transcript.answer([{ id: `c${at}`, content: 'ok' }]);
    }
    expect(carryCost(transcript, { pricePerMillionInput: 3 })).toMatchObject({ tokens: 12_000, cost: 0.036 });
    expect(carryCost(transcript.withoutReasoning(), { pricePerMillionInput: 3 }).tokens).toBe(0);
  });

  test.each([
    [{ pricePerMillionInput: -1 }, /pricePerMillionInput must be a price from 0 up, got -1/],
    [{ pricePerMillionInput: Number.NaN }, /got NaN/],
    [{ pricePerMillionInput: 1, cachedShare: 1.1 }, /cachedShare must be from 0 to 1, got 1.1/],
    [{ pricePerMillionInput: 1, cachedPriceShare: -0.1 }, /cachedPriceShare must be from 0 to 1/],
  ])('refuses %j', (prices, message) => {
    expect(() => carryCost(fiveSteps, prices)).toThrow(message);
  });
});
