import type { Dialect } from '../core/dialect.ts';
import { assembleTurn } from '../rx/assemble-turn.ts';
import { readFloor } from './bench-floor.ts';
import type { CliIo } from './cli-io.ts';

/** How long one run lasts at least, in milliseconds: short recordings are read over and over in it. */
export const runLength = 20;
const mostRounds = 10_000;

/** A recording in memory. */
export interface Sample {
  readonly dialect: Dialect;
  readonly chunks: readonly Uint8Array[];
  readonly bytes: number;
  /** Wire events: the messages whose data is JSON. */
  readonly events: number;
}

/** Times for the whole of one sample, in milliseconds. */
export interface BenchResult {
  readonly best: number;
  readonly median: number;
  readonly floorBest: number;
  /** The median of the ratios of each run to the run of the floor beside it. */
  readonly ratio: number;
}

/** Puts a recording's bytes into chunks of one size, and counts its events. */
export async function createSample(
  dialect: Dialect,
  source: AsyncIterable<Uint8Array>,
  chunkSize: number,
): Promise<Sample> {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  const all = Buffer.concat(parts);
  const chunks = Array.from({ length: Math.ceil(all.length / chunkSize) }, (_, at) =>
    all.subarray(at * chunkSize, (at + 1) * chunkSize),
  );
  return { dialect, chunks, bytes: all.length, events: await readFloor(inTurn(chunks)) };
}

/**
 * Measures a sample: after a warm-up, runs of the pipeline and of the floor take turns, so that a slow moment of the
 * machine slows both.
 */
export async function measure(sample: Sample, runs: number, { now, signal }: BenchClock): Promise<BenchResult> {
  const readTurn = (): Promise<unknown> => readAsTurn(sample);
  const readBare = (): Promise<unknown> => readFloor(inTurn(sample.chunks));
  const once = await timeOf(readTurn, 1, now);
  const rounds = Math.min(Math.max(Math.ceil(runLength / Math.max(once, runLength / mostRounds)), 1), mostRounds);
  await timeOf(readTurn, rounds, now);
  await timeOf(readBare, rounds, now);
  const turns: number[] = [];
  const floors: number[] = [];
  for (let run = 0; run < runs && !signal.aborted; run += 1) {
    turns.push(await timeOf(readTurn, rounds, now));
    floors.push(await timeOf(readBare, rounds, now));
  }
  const ratios = turns.map((time, at) => time / (floors[at] ?? Number.NaN));
  return { best: Math.min(...turns), median: median(turns), floorBest: Math.min(...floors), ratio: median(ratios) };
}

type BenchClock = Pick<CliIo, 'now' | 'signal'>;

async function timeOf(read: () => Promise<unknown>, rounds: number, now: () => number): Promise<number> {
  const start = now();
  for (let round = 0; round < rounds; round += 1) await read();
  return (now() - start) / rounds;
}

async function readAsTurn({ dialect, chunks }: Sample): Promise<void> {
  const turn = assembleTurn(inTurn(chunks), dialect);
  let shown = 0;
  await turn.ui.forEach(() => {
    shown += 1;
  });
  if (shown === 0) throw new Error('A turn without any event was measured');
}

async function* inTurn(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, void> {
  yield* chunks;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
