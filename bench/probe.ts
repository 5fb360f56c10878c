import type { ChunkingName } from './chunkings.ts';
import type { RecordingName } from './recordings.ts';

/** The names of the peers, in the order of the table. */
export const peerNames = [
  'floor',
  'wholeturn',
  'wholeturn_view',
  'wholeturn_every_view',
  'anthropic_sdk',
  'anthropic_sdk_input_json',
  'openai_sdk',
  'openai_accumulator',
  'google_genai',
  'naive_chain',
  'partial_json',
] as const;

/** One of {@link peerNames}. */
export type PeerName = (typeof peerNames)[number];

/** One thing to measure, in a process of its own. */
export interface Probe {
  readonly peer: PeerName;
  readonly recording: RecordingName;
  readonly chunking: ChunkingName;
}

/** How long a process measures. */
export interface Effort {
  /** Milliseconds of the same work before the first figure. */
  readonly warmUp: number;
  /** Iterations that are measured even if they take longer than `budget`. */
  readonly minimum: number;
  /** Iterations that are enough. */
  readonly maximum: number;
  /** Milliseconds after which `minimum` is enough. */
  readonly budget: number;
  /** Short turns are measured several at a time, so that an iteration is long beside the clock's own cost. */
  readonly events: number;
}

/** What a process found. */
export interface Measurement {
  /** CPU time of one turn in microseconds: the best iteration. */
  readonly microseconds: number;
  readonly events: number;
  readonly bytes: number;
}

/** What of a finished turn is still held: what it came to, or the live object as well. */
export const holdings = ['assembled_turn', 'live_turn'] as const;

/** One of {@link holdings}. */
export type Holding = (typeof holdings)[number];
