import { type ChunkingName, chunkingNames } from './chunkings.ts';
import type { Effort, PeerName } from './probe.ts';
import { type RecordingName, recordingNames } from './recordings.ts';

/** Peers that are measured in turn on the same stream, so that a slow minute of the machine hits all of them. */
export interface Contest {
  readonly recording: RecordingName;
  readonly chunking: ChunkingName;
  readonly peers: readonly PeerName[];
  readonly rounds: number;
  readonly effort: Effort;
}

/** What a gate needs: warm, and the best of ten. */
const thorough: Effort = { warmUp: 700, minimum: 10, maximum: 20, budget: 400, events: 10_000 };
/** What is enough for a row of the table. */
const brief: Effort = { warmUp: 700, minimum: 3, maximum: 20, budget: 250, events: 10_000 };
/** Seconds long, so that neither warmth nor the best of several matters. */
const once: Effort = { warmUp: 0, minimum: 1, maximum: 1, budget: 0, events: 0 };

const trio: readonly PeerName[] = ['floor', 'wholeturn', 'anthropic_sdk'];

function gated(recording: RecordingName, chunking: ChunkingName, peers: readonly PeerName[]): Contest {
  return { recording, chunking, peers, rounds: 5, effort: thorough };
}

/** What the gates are judged by. */
export const gateContests: readonly Contest[] = [
  gated('text', '16_kib', [...trio, 'naive_chain']),
  gated('text', 'one_event', trio),
  gated('mixed', '16_kib', trio),
  gated('mixed', 'one_event', trio),
  gated('tool_100kb', '16_kib', [...trio, 'wholeturn_view']),
  gated('tool_1mb', '16_kib', ['wholeturn_view']),
  { recording: 'tool_100kb', chunking: '16_kib', peers: ['anthropic_sdk_input_json'], rounds: 2, effort: once },
];

/** The growing tool input, looked at more often than a screen can show. */
const viewContests: readonly Contest[] = (['tool_100kb', 'tool_1mb'] as const).map((recording) => ({
  recording,
  chunking: '16_kib',
  peers: ['wholeturn_every_view', 'partial_json'],
  rounds: 3,
  effort: brief,
}));

/** Every recording in every chunking, and the gates' contests. */
export const allContests: readonly Contest[] = [...gateContests, ...viewContests, ...missingRows()];

/** One round of the rows that say most. */
export const quickContests: readonly Contest[] = gateContests
  .filter((contest) => contest.effort !== once)
  .map((contest) => ({ ...contest, rounds: 1 }));

function missingRows(): Contest[] {
  return recordingNames.flatMap((recording) =>
    chunkingNames.flatMap((chunking) => {
      const measured = gateContests.filter(
        (contest) => contest.recording === recording && contest.chunking === chunking,
      );
      const peers = trio.filter((peer) => !measured.some((contest) => contest.peers.includes(peer)));
      // In chunks of 7 bytes a turn takes seconds, and all of them say the same.
      const rounds = chunking === '7_bytes' ? 1 : 3;
      return peers.length === 0 ? [] : { recording, chunking, peers, rounds, effort: brief };
    }),
  );
}
