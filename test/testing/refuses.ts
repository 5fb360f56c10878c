import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/index.ts';
import { strictProvider } from '../../src/testing.ts';
import { converse, editable, usualScript, verdictOn } from './converse.ts';
import type { Side } from './sides.ts';

/** One usual mistake in the request behind two turns, and what is said to it. */
export type Mistake = readonly [title: string, make: (body: JsonObject) => void, said: RegExp];

/** Tests that the request behind two turns is taken as it is, and refused with each mistake. */
export function itRefuses<Entry, Item>(side: Side<Entry, Item>, mistakes: readonly Mistake[]): void {
  test('takes the request that has none', async () => {
    const provider = strictProvider(side.dialect, { secret: 'mistakes', script: usualScript });
    const { entries } = await converse(provider, side, 2);
    expect(await verdictOn(provider, side, editable(side.bodyOf(entries)))).toEqual({ status: 200, said: '' });
  });

  test.each(mistakes)('refuses: %s', async (_title, make, said) => {
    const provider = strictProvider(side.dialect, { secret: 'mistakes', script: usualScript });
    const { entries } = await converse(provider, side, 2);
    const body = editable(side.bodyOf(entries));
    make(body);
    const verdict = await verdictOn(provider, side, body);
    expect(verdict.status).toBe(400);
    expect(verdict.said).toMatch(said);
  });
}
