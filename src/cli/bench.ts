import { basename } from 'node:path';
import { type BenchResult, createSample, measure, runLength, type Sample } from './bench-run.ts';
import { fitMiddle, textWidth } from './char-width.ts';
import { CliError, exitCode } from './cli-error.ts';
import type { Command } from './command.ts';
import { openRecording } from './open-recording.ts';
import { dialectOption, readNumber, readString } from './options.ts';
import { visibleLine } from './visible.ts';

const chunkSize = 16 * 1024;
const usualRuns = 10;

/** `wholeturn bench`: measures how fast recordings are read. */
export const bench: Command = {
  name: 'bench',
  operands: '<files…>',
  summary: 'Measure how fast recordings are read',
  details: `Each file is read from memory by assembleTurn with one UI subscriber and, in
turns with it, by a floor that no assembler can be faster than: the same bytes
are decoded, split on blank lines and parsed as JSON, and nothing is kept.`,
  options: {
    runs: { type: 'string', valueName: 'N', help: `Runs of at least ${runLength} ms each; ${usualRuns} by default` },
    ...dialectOption,
  },
  async run(given, io) {
    const runs = Math.ceil(readNumber(given, 'runs', 1) ?? usualRuns);
    if (given.operands.length === 0) throw CliError.usage('Files are missing');
    const samples: Omit<Line, 'result'>[] = [];
    for (const path of given.operands) {
      const { dialect, chunks } = await openRecording({ path, dialect: readString(given, 'dialect') }, io);
      samples.push({ path, sample: await createSample(dialect, chunks, chunkSize) });
    }
    await io.stdout.write(`${head(runs)}\n${row(columns.map(({ title }) => title))}\n`);
    for (const { path, sample } of samples) {
      const result = await measure(sample, runs, io);
      if (io.signal.aborted) return exitCode.turnNotComplete;
      await io.stdout.write(`${row(columns.map(({ cell }) => cell({ path, sample, result })))}\n`);
    }
    return exitCode.ok;
  },
};

/** What a line of the table is made of. */
interface Line {
  readonly path: string;
  readonly sample: Sample;
  readonly result: BenchResult;
}

const nameWidth = 40;

const columns: readonly { readonly title: string; cell(line: Line): string }[] = [
  { title: 'file', cell: ({ path }) => fitMiddle(visibleLine(basename(path)), nameWidth) },
  { title: 'events', cell: ({ sample }) => String(sample.events) },
  { title: 'KB', cell: ({ sample }) => (sample.bytes / 1000).toFixed(1) },
  { title: 'events/s', cell: ({ sample, result }) => String(Math.round((sample.events / result.best) * 1000)) },
  { title: 'MB/s', cell: ({ sample, result }) => (sample.bytes / result.best / 1000).toFixed(1) },
  { title: 'median µs', cell: ({ sample, result }) => perEvent(result.median, sample) },
  { title: 'best µs', cell: ({ sample, result }) => perEvent(result.best, sample) },
  { title: 'floor µs', cell: ({ sample, result }) => perEvent(result.floor, sample) },
  { title: 'ratio', cell: ({ result }) => (result.best / result.floor).toFixed(2) },
];

function head(runs: number): string {
  return `assembleTurn with one UI subscriber, chunks of ${chunkSize / 1024} KiB, ${runs} runs, Node ${process.versions.node}
floor: the same bytes decoded, split on blank lines and parsed with JSON.parse, nothing kept (not an SSE parser)
µs: microseconds per wire event. Of the best run each: events/s, MB/s, best and floor; ratio = best / floor
`;
}

function row([name = '', ...numbers]: readonly string[]): string {
  return `${name}${' '.repeat(nameWidth - textWidth(name))}${numbers.map((text) => text.padStart(10)).join('')}`;
}

function perEvent(milliseconds: number, { events }: Sample): string {
  return ((milliseconds * 1000) / events).toFixed(2);
}
