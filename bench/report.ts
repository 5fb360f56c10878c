import { cpus, loadavg } from 'node:os';
import { chunkingNames } from './chunkings.ts';
import type { Verdict } from './gates.ts';
import { chunkingLabels, holdingLabels, peerLabels, recordingLabels } from './labels.ts';
import { mainPeers } from './plan.ts';
import { type Measurement, type Probe, peerNames } from './probe.ts';
import { recordingNames } from './recordings.ts';
import { type Results, type Spread, spreadOf } from './results.ts';

type Stream = Pick<Probe, 'recording' | 'chunking'>;

/** Writes what was measured as Markdown: the streams, the special cases, the gates, and where it was measured. */
export function report(results: Results, verdicts: readonly Verdict[]): string {
  const tables = [streamTable(results), specialTable(results), retainedTable(results), gateTable(verdicts)];
  return [...tables.filter((text) => text !== ''), legend()].join('\n\n');
}

function streamTable(results: Results): string {
  const rows = streams().flatMap((stream) => {
    const probes = mainPeers(stream.recording).map((peer) => ({ ...stream, peer }));
    const isMeasured = probes.every((probe) => results.rounds(probe).length > 0);
    return isMeasured ? [[...streamCells(stream), ...probes.flatMap((probe) => peerCells(results, probe))]] : [];
  });
  const heads = ['floor', 'wholeturn', '÷ floor', 'official SDK', '÷ floor'];
  return table(['stream', 'chunks', ...heads], rows);
}

function peerCells(results: Results, probe: Probe): string[] {
  const perEvent = medianOf(results, probe, ({ microseconds, events }) => microseconds / events);
  const megabytes = medianOf(results, probe, ({ microseconds, bytes }) => bytes / microseconds);
  const cost = `${perEvent.toFixed(2)} µs, ${digits(megabytes)} MB/s`;
  return probe.peer === 'floor' ? [cost] : [cost, spread(results.ratio(probe, { ...probe, peer: 'floor' }))];
}

function specialTable(results: Results): string {
  const usual = new Set(recordingNames.flatMap(mainPeers));
  const special = peerNames.filter((peer) => !usual.has(peer));
  const rows = streams().flatMap((stream) =>
    special.flatMap((peer) => {
      const probe: Probe = { ...stream, peer };
      if (results.rounds(probe).length === 0) return [];
      const milliseconds = medianOf(results, probe, ({ microseconds }) => microseconds / 1000);
      const ratio = spread(results.ratio(probe, { ...probe, peer: 'floor' }));
      return [[...streamCells(stream), peerLabels[peer], `${digits(milliseconds)} ms`, ratio]];
    }),
  );
  return table(['stream', 'chunks', 'read by', 'one turn', '÷ floor'], rows);
}

function retainedTable({ retained }: Results): string {
  const rows = [...retained].map(([holding, bytes]) => [holdingLabels[holding], `${digits(bytes)} bytes`]);
  return table(['1,000 finished mixed turns', 'retained by each beside its blocks'], rows);
}

function gateTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ gate, figure, isKept }) => {
    const bound = `${gate.bound === 'at_most' ? '≤' : '≥'} ${gate.limit}`;
    return [gate.title, bound, spread(figure), isKept ? 'kept' : '**missed**'];
  });
  return table(['gate', 'bound', 'found', ''], rows);
}

function legend(): string {
  const processors = cpus();
  const machine = `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}`;
  const load = loadavg()[0] ?? 0;
  const date = new Date().toISOString().slice(0, 10);
  return [
    `${machine}, Node ${process.version}, ${date}, load ${load.toFixed(1)} at the end. CPU time per event, and MB of`,
    'stream per second of it: a process of its own for each figure, warm, its best iteration, the median of the',
    'rounds. A ratio is of one round: the median of the rounds [lowest–highest].',
  ].join('\n');
}

function streams(): Stream[] {
  return recordingNames.flatMap((recording) => chunkingNames.map((chunking) => ({ recording, chunking })));
}

function streamCells({ recording, chunking }: Stream): string[] {
  return [recordingLabels[recording], chunkingLabels[chunking]];
}

function medianOf(results: Results, probe: Probe, figure: (measurement: Measurement) => number): number {
  return spreadOf(results.rounds(probe).map(figure))?.median ?? Number.NaN;
}

function spread(figure: Spread | undefined): string {
  if (!figure) return '–';
  const [median, low, high] = [figure.median, figure.low, figure.high].map(digits);
  return low === high ? `${median}` : `${median} [${low}–${high}]`;
}

/** Three digits, as far as the machine can tell; whole numbers in full. */
function digits(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
