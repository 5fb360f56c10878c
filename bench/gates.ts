import type { ChunkingName } from './chunkings.ts';
import { chunkingLabels, peerLabels, recordingLabels } from './labels.ts';
import type { PeerName, Probe } from './probe.ts';
import type { RecordingName } from './recordings.ts';
import { type Results, type Spread, spreadOf } from './results.ts';

/** A bound that the library must keep. */
export interface Gate {
  readonly title: string;
  readonly bound: 'at_most' | 'at_least';
  readonly limit: number;
  /** The figure that is judged: its median. Undefined if it was not measured. */
  figure(results: Results): Spread | undefined;
}

/** A gate and what became of it. */
export interface Verdict {
  readonly gate: Gate;
  readonly figure: Spread;
  readonly isKept: boolean;
}

/** The bounds, in the order of the table. Ratios are of CPU time. */
const gates: readonly Gate[] = [
  ratioGate('at_most', 1.35, on('wholeturn', 'text', '16_kib'), on('floor', 'text', '16_kib')),
  ratioGate('at_most', 1.35, on('wholeturn', 'mixed', '16_kib'), on('floor', 'mixed', '16_kib')),
  ratioGate('at_most', 1.45, on('wholeturn', 'text', 'one_event'), on('floor', 'text', 'one_event')),
  ratioGate('at_most', 1.45, on('wholeturn', 'mixed', 'one_event'), on('floor', 'mixed', 'one_event')),
  ratioGate('at_least', 2.2, on('anthropic_sdk', 'text', '16_kib'), on('wholeturn', 'text', '16_kib')),
  ratioGate('at_least', 2.2, on('anthropic_sdk', 'mixed', '16_kib'), on('wholeturn', 'mixed', '16_kib')),
  ratioGate('at_most', 14, on('wholeturn_view', 'tool_1mb', '16_kib'), on('wholeturn_view', 'tool_100kb', '16_kib')),
  ratioGate(
    'at_least',
    100,
    on('anthropic_sdk_input_json', 'tool_100kb', '16_kib'),
    on('wholeturn_view', 'tool_100kb', '16_kib'),
  ),
  linearGate('chat_details', 'chat_details_half'),
  linearGate('chat_parallel_calls', 'chat_parallel_calls_half'),
  linearGate('responses_mixed', 'responses_mixed_half'),
  linearGate('gemini_mixed', 'gemini_mixed_half'),
  linearGate('gemini_partial_args', 'gemini_partial_args_half'),
  {
    title: 'bytes retained by an `AssembledTurn` beside its blocks',
    bound: 'at_most',
    limit: 1000,
    figure(results) {
      const bytes = results.retained.get('assembled_turn');
      return bytes === undefined ? undefined : spreadOf([bytes]);
    },
  },
  // The control: if this one is missed, the bench cannot tell fast from slow, and the others say nothing.
  ratioGate('at_least', 1.7, on('naive_chain', 'text', '16_kib'), on('floor', 'text', '16_kib')),
];

/** Judges the gates that were measured. */
export function judge(results: Results): Verdict[] {
  return gates.flatMap((gate) => {
    const figure = gate.figure(results);
    if (!figure) return [];
    const isKept = gate.bound === 'at_most' ? figure.median <= gate.limit : figure.median >= gate.limit;
    return { gate, figure, isKept };
  });
}

function on(peer: PeerName, recording: RecordingName, chunking: ChunkingName): Probe {
  return { peer, recording, chunking };
}

/** Twice the stream costs twice the time: 2.6 leaves room for noise, and none for a square. */
function linearGate(whole: RecordingName, half: RecordingName): Gate {
  return ratioGate('at_most', 2.6, on('wholeturn', whole, '16_kib'), on('wholeturn', half, '16_kib'));
}

function ratioGate(bound: Gate['bound'], limit: number, over: Probe, under: Probe): Gate {
  const title =
    over.peer === under.peer
      ? `${peerLabels[over.peer]}: ${recordingLabels[over.recording]} ÷ ${recordingLabels[under.recording]}`
      : `${peerLabels[over.peer]} ÷ ${peerLabels[under.peer]}: ${recordingLabels[over.recording]}`;
  return {
    title: `${title}, ${chunkingLabels[over.chunking]}`,
    bound,
    limit,
    figure: (results) => results.ratio(over, under),
  };
}
