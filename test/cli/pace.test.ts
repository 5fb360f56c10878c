import { describe, expect, it } from 'vitest';
import { pace } from '../../src/cli/pace.ts';
import { bytesOf, inPieces } from './byte-sources.ts';

const fourEvents = bytesOf('data: 1\n\ndata: 2\n\ndata: 3\n\ndata: 4\n\n');

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
