import { describe, expect, it } from 'vitest';
import { createSample, measure } from '../../src/cli/bench-run.ts';
import { anthropic } from '../../src/dialects/anthropic/anthropic.ts';
import { bytesOf, inPieces } from './byte-sources.ts';
import { helloStream } from './streams.ts';

describe('createSample', () => {
  it('puts the bytes into chunks of one size and counts the events', async () => {
    const sample = await createSample(
      anthropic,
      inPieces([bytesOf(helloStream.slice(0, 100)), bytesOf(helloStream.slice(100))]),
      64,
    );
    expect(sample.events).toBe(7);
    expect(sample.bytes).toBe(helloStream.length);
    expect(sample.chunks.slice(0, -1).every(({ length }) => length === 64)).toBe(true);
    expect(Buffer.concat(sample.chunks).toString()).toBe(helloStream);
  });
});

describe('measure', () => {
  it('takes the best and the median of the runs, and the ratio to the floor beside each', async () => {
    const sample = await createSample(anthropic, inPieces([bytesOf(helloStream)]), 16_384);
    // Each reading of the clock is 30 ms behind the one before: one round a run, all of them alike.
    let now = 0;
    const clock = () => (now += 30);
    const result = await measure(sample, 3, { now: clock, signal: new AbortController().signal });
    expect(result).toEqual({ best: 30, median: 30, floorBest: 30, ratio: 1 });
  });
});
