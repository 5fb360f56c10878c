import type { Dialect } from '../core/dialect.ts';
import { assembleTurn } from '../rx/assemble-turn.ts';
import type { CliIo } from './cli-io.ts';

/** How long one run lasts at least, in milliseconds: short recordings are read over and over in it. */
export const runLength = 20;
const mostRounds = 10_000;

const blankLine = /\r\n\r\n|\n\n|\r\r/;
const lineEnd = /\r\n|\n|\r/;

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
  /** The best of the floor, see {@link readFloor}. */
  readonly floor: number;
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
export async function measure(
  sample: Sample,
  runs: number,
  { now, signal }: Pick<CliIo, 'now' | 'signal'>,
): Promise<BenchResult> {
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
  return { best: Math.min(...turns), median: median(turns), floor: Math.min(...floors) };
}

async function timeOf(read: () => Promise<unknown>, rounds: number, now: () => number): Promise<number> {
  const start = now();
  for (let round = 0; round < rounds; round += 1) await read();
  return (now() - start) / rounds;
}

async function readAsTurn({ dialect, chunks }: Sample): Promise<void> {
  await assembleTurn(inTurn(chunks), dialect).ui.forEach(() => {});
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

/**
 * Reads an event stream and keeps nothing: decodes it, splits it on blank lines, and parses the JSON of each event.
 *
 * No assembler of turns can be faster, so it is what one is compared with. It is no SSE parser: a blank line that falls
 * into two chunks between a carriage return and its line feed is one that it may miss.
 *
 * @returns How many events held JSON.
 */
export async function readFloor(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const decoder = new TextDecoder();
  let events = 0;
  let rest = '';
  for await (const chunk of chunks) {
    const messages = (rest + decoder.decode(chunk, { stream: true })).split(blankLine);
    rest = messages.pop() ?? '';
    for (const message of messages) if (holdsJson(message)) events += 1;
  }
  return holdsJson(rest) ? events + 1 : events;
}

function holdsJson(message: string): boolean {
  const lines = message.split(lineEnd).filter((line) => line.startsWith('data:'));
  if (lines.length === 0) return false;
  try {
    JSON.parse(lines.map((line) => line.slice('data:'.length)).join('\n'));
    return true;
  } catch {
    return false;
  }
}
