import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pace } from '../../src/cli/pace.ts';
import { bytesOf, inPieces } from './byte-sources.ts';

const fourEvents = bytesOf('data: 1\n\ndata: 2\n\ndata: 3\n\ndata: 4\n\n');

/** The pieces that come out at a speed for which nothing need be waited for. */
async function pieces(...chunks: readonly string[]): Promise<string[]> {
  const clock = { now: () => 0, sleep: async () => {}, signal: new AbortController().signal };
  const texts: string[] = [];
  for await (const piece of pace(inPieces(chunks.map(bytesOf)), 1, clock)) texts.push(new TextDecoder().decode(piece));
  return texts;
}

/** A clock that only sleeping moves on, and the times at which events came. */
async function paced(speed: number, delays: readonly number[] = []): Promise<number[]> {
  let now = 1000;
  const times: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => {
    now += milliseconds;
  };
  const clock = { now: () => now, sleep, signal: new AbortController().signal };
  for await (const event of pace(inPieces([fourEvents]), speed, clock)) {
    if (event.length > 0) times.push(now - 1000);
    now += delays[times.length - 1] ?? 0;
  }
  return times;
}

describe('pace', () => {
  it('hands on fifty events a second at speed 1', async () => {
    expect(await paced(1)).toEqual([0, 20, 40, 60]);
  });

  it('goes faster and slower by the speed', async () => {
    expect(await paced(10)).toEqual([0, 2, 4, 6]);
    expect(await paced(0.5)).toEqual([0, 40, 80, 120]);
  });

  it('hands on at once what is due in less than a timer can measure', async () => {
    expect(await paced(100)).toEqual([0, 0, 0, 0]);
  });

  it('makes up for what comes late, but not for a long pause', async () => {
    expect(await paced(1, [30])).toEqual([0, 30, 40, 60]);
    expect(await paced(1, [0, 5000])).toEqual([0, 20, 5020, 5020]);
  });

  it('cuts a chunk behind each blank line, whatever its line ends', async () => {
    expect(await pieces('data: é\n\ndata: 2\n\n')).toEqual(['data: é\n\n', 'data: 2\n\n']);
    expect(await pieces('data: 1\r\rdata: 2\r\r')).toEqual(['data: 1\r\r', 'data: 2\r\r']);
    expect(await pieces('data: 1\r\n\r\ndata: 2\r\n\r\n')).toEqual(['data: 1\r\n\r\n', 'data: 2\r\n\r\n']);
  });

  it('holds nothing back, and loses no byte, whatever the chunks', async () => {
    expect(await pieces('da', 'ta: 1\n\nda')).toEqual(['da', 'ta: 1\n\n', 'da']);
    const chunk = fc.string({ unit: fc.constantFrom('a', '\n', '\r', ':') });
    await fc.assert(
      fc.asyncProperty(fc.array(chunk), async (chunks) => {
        expect((await pieces(...chunks)).join('')).toBe(chunks.join(''));
      }),
    );
  });

  it('ends when it is aborted while it waits', async () => {
    const stop = new AbortController();
    const sleep = async (): Promise<void> => stop.abort();
    const events: Uint8Array[] = [];
    for await (const event of pace(inPieces([fourEvents]), 1, { now: () => 0, sleep, signal: stop.signal })) {
      events.push(event);
    }
    expect(events).toHaveLength(1);
  });
});
