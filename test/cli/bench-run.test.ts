import { describe, expect, it } from 'vitest';
import { createSample, measure, readFloor } from '../../src/cli/bench-run.ts';
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
  it('takes the best and the median of the runs, and the best of the floor', async () => {
    const sample = await createSample(anthropic, inPieces([bytesOf(helloStream)]), 16_384);
    // One round each: a first look, two to warm up, and three runs of the turn and of the floor in turns.
    const lengths = [30, 30, 30, 50, 20, 40, 10, 90, 30];
    let now = 0;
    let readings = 0;
    const clock = (): number => {
      if (readings % 2 === 1) now += lengths[(readings - 1) / 2] ?? 0;
      readings += 1;
      return now;
    };
    const result = await measure(sample, 3, { now: clock, signal: new AbortController().signal });
    expect(result).toEqual({ best: 40, median: 50, floor: 10 });
  });
});

describe('readFloor', () => {
  function count(...pieces: readonly string[]): Promise<number> {
    return readFloor(inPieces(pieces.map(bytesOf)));
  }

  it('counts the events that hold JSON', async () => {
    expect(await count('event: a\ndata: {"a":1}\n\ndata: [DONE]\n\n: ping\n\ndata: {\ndata: }\n\n')).toBe(2);
  });

  it('counts the same in pieces, with other line ends, and without the last blank line', async () => {
    expect(await count('data: {"a"', ':"é"}\n', '\ndata: {}')).toBe(2);
    expect(await count('data: {}\r\n\r\ndata: {}\r\n\r\n')).toBe(2);
    expect(await count('data: {}\r\rdata: {}')).toBe(2);
  });
});
