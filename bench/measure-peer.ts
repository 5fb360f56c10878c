import { setImmediate as nextMacrotask } from 'node:timers/promises';
import { checkOutcome } from './check-outcome.ts';
import { cutChunks } from './chunkings.ts';
import type { Body, Outcome, Peer } from './peer.ts';
import type { Effort, Measurement, Probe } from './probe.ts';
import { createRecording } from './recordings.ts';

/**
 * Measures one peer on one stream, in this process.
 *
 * The figure is CPU time, so other processes disturb it less than they would disturb the clock on the wall. No garbage
 * collection is forced: it would throw away compiled code, and what a peer leaves behind is part of its price.
 *
 * @throws {Error} If the peer's result is not what the recording holds, in any iteration.
 */
export async function measurePeer(peer: Peer, probe: Probe, effort: Effort): Promise<Measurement> {
  const recording = createRecording(probe.recording);
  const chunks = cutChunks(recording.messages, probe.chunking);
  const body: Body = { chunks, dialect: recording.dialect, inputPieces: recording.inputPieces };
  const turns = Math.max(1, Math.ceil(effort.events / recording.messages.length));
  const iterate = async (): Promise<number> => {
    const outcomes: (() => Outcome)[] = [];
    const start = cpuMicroseconds();
    for (let turn = 0; turn < turns; turn++) outcomes.push(await peer(body));
    const spent = cpuMicroseconds() - start;
    for (const outcome of outcomes) checkOutcome(outcome(), recording);
    await nextMacrotask();
    return spent / turns;
  };

  const warmUntil = performance.now() + effort.warmUp;
  while (performance.now() < warmUntil) await iterate();
  let best = Number.POSITIVE_INFINITY;
  const enoughAt = performance.now() + effort.budget;
  for (let done = 0; done < effort.maximum; done++) {
    if (done >= effort.minimum && performance.now() > enoughAt) break;
    best = Math.min(best, await iterate());
  }
  const bytes = chunks.reduce((length, chunk) => length + chunk.length, 0);
  return { microseconds: best, events: recording.messages.length, bytes };
}

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
