import { type ChunkingName, chunkingNames } from './chunkings.ts';
import { type Effort, type PeerName, type Probe, peerNames } from './probe.ts';
import { dialectOf, type RecordingName, recordingNames } from './recordings.ts';
import type { DialectName } from './streams/stream.ts';

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
/** One turn: seconds long, so that neither warmth nor the best of several matters, or only looked at. */
export const once: Effort = { warmUp: 0, minimum: 1, maximum: 1, budget: 0, events: 0 };

/** The smallest stream of every wire format. */
const smallOfEach: readonly RecordingName[] = ['mixed', 'chat_mixed', 'responses_mixed', 'gemini_mixed'];

/** The smallest streams that each peer reads: one of every wire format that it knows. */
const smallRecordings: Readonly<Record<PeerName, readonly RecordingName[]>> = {
  floor: [...smallOfEach, 'gemini_partial_args_half'],
  wholeturn: [...smallOfEach, 'gemini_partial_args_half'],
  wholeturn_view: smallOfEach,
  wholeturn_every_view: smallOfEach,
  anthropic_sdk: ['mixed'],
  anthropic_sdk_input_json: ['tool_10kb'],
  openai_sdk: ['chat_mixed'],
  openai_accumulator: ['responses_mixed'],
  google_genai: ['gemini_mixed', 'gemini_partial_args_half'],
  naive_chain: ['mixed'],
  partial_json: ['tool_10kb'],
};

/** Every peer on its small streams. */
export const smallProbes: readonly Probe[] = peerNames.flatMap((peer) =>
  smallRecordings[peer].map((recording) => ({ peer, recording, chunking: '16_kib' as const })),
);

/** What the provider's own library has for its wire format. */
const officialPeers: Readonly<Record<DialectName, PeerName>> = {
  anthropic: 'anthropic_sdk',
  chatCompletions: 'openai_sdk',
  responses: 'openai_accumulator',
  gemini: 'google_genai',
};

/** The peers that every stream of a wire format has a row for: the floor, this library, and the official SDK. */
export function mainPeers(recording: RecordingName): readonly PeerName[] {
  return ['floor', 'wholeturn', officialPeers[dialectOf(recording)]];
}

/** What the gates are judged by. */
export const gateContests: readonly Contest[] = [
  gated('text', '16_kib', ['naive_chain']),
  gated('text', 'one_event'),
  gated('mixed', '16_kib'),
  gated('mixed', 'one_event'),
  gated('tool_100kb', '16_kib', ['wholeturn_view']),
  { recording: 'tool_1mb', chunking: '16_kib', peers: ['wholeturn_view'], rounds: 5, effort: thorough },
  { recording: 'tool_100kb', chunking: '16_kib', peers: ['anthropic_sdk_input_json'], rounds: 2, effort: once },
  withHalf('chat_details'),
  half('chat_details_half'),
  withHalf('chat_parallel_calls'),
  half('chat_parallel_calls_half'),
  withHalf('responses_mixed'),
  half('responses_mixed_half'),
  withHalf('gemini_mixed'),
  half('gemini_mixed_half'),
  withHalf('gemini_partial_args'),
  half('gemini_partial_args_half'),
];

function gated(recording: RecordingName, chunking: ChunkingName, others: readonly PeerName[] = []): Contest {
  return { recording, chunking, peers: [...mainPeers(recording), ...others], rounds: 5, effort: thorough };
}

/** A stream whose growth is judged: a few iterations are enough to tell twice the time from four times. */
function withHalf(recording: RecordingName): Contest {
  return { recording, chunking: '16_kib', peers: mainPeers(recording), rounds: 3, effort: brief };
}

/** Half of such a stream, which only this library's growth is judged by. */
function half(recording: RecordingName): Contest {
  return { recording, chunking: '16_kib', peers: ['wholeturn'], rounds: 3, effort: brief };
}

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
  const whole = recordingNames.filter((recording) => !recording.endsWith('_half'));
  return whole.flatMap((recording) =>
    chunkingNames
      .filter((chunking) => chunking !== '7_bytes' || isReadInBytes(recording))
      .map((chunking) => missingPeers(recording, chunking))
      .filter(({ peers }) => peers.length > 0),
  );
}

/** In chunks of 7 bytes all streams of a format say the same; one of the newer formats is enough. */
function isReadInBytes(recording: RecordingName): boolean {
  return dialectOf(recording) === 'anthropic' || recording.endsWith('_mixed');
}

/** What a row still needs beside the gates' contests. */
function missingPeers(recording: RecordingName, chunking: ChunkingName): Contest {
  const measured = gateContests.filter((contest) => contest.recording === recording && contest.chunking === chunking);
  const peers = mainPeers(recording).filter((peer) => !measured.some((contest) => contest.peers.includes(peer)));
  // In chunks of 7 bytes a turn takes seconds, and all rounds say the same.
  return { recording, chunking, peers, rounds: chunking === '7_bytes' ? 1 : 3, effort: brief };
}
