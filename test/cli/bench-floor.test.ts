import { describe, expect, it } from 'vitest';
import { readFloor } from '../../src/cli/bench-floor.ts';
import { bytesOf, inPieces } from './byte-sources.ts';

function count(...pieces: readonly string[]): Promise<number> {
  return readFloor(inPieces(pieces.map(bytesOf)));
}

describe('readFloor', () => {
  it('counts the events that hold JSON', async () => {
    expect(await count('event: a\ndata: {"a":1}\n\ndata: [DONE]\n\n: ping\n\ndata: {\ndata: }\n\n')).toBe(2);
  });

  it('counts the same in pieces, with other line ends, and without the last blank line', async () => {
    expect(await count('data: {"a"', ':"é"}\n', '\ndata: {}')).toBe(2);
    expect(await count('data: {}\r\n\r\ndata: {}\r\n\r\n')).toBe(2);
    expect(await count('data: {}\r\rdata: {}')).toBe(2);
  });
});
