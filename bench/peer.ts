import type { Chunk } from './chunkings.ts';
import type { DialectName } from './streams/stream.ts';

/** What a peer is given: a stream, in chunks and beside it the pieces of its tool inputs. */
export interface Body {
  readonly dialect: DialectName;
  readonly chunks: readonly Chunk[];
  readonly inputPieces: readonly string[];
}

/** What a peer made of a stream, for the check that it did the work. */
export interface Outcome {
  /** Text and reasoning of all finished blocks, in UTF-16 code units. */
  readonly textLength: number;
  /** JSON text of all tool inputs, in UTF-16 code units. */
  readonly inputLength: number;
  readonly blocks: number;
  /** All that the subscriber was shown, if there is one: text, reasoning and tool input. */
  readonly shownLength?: number;
  /** True for a peer that does not put reasoning together, which is less work. */
  readonly losesReasoning?: true;
  /** True for a peer that does not put the pieces of a tool input together, which is less work. */
  readonly losesInput?: true;
}

/**
 * One contestant: whatever reads an event stream to its end.
 *
 * @param body The stream.
 * @returns A function that measures what was made, so that counting is outside the clock.
 */
export type Peer = (body: Body) => Promise<() => Outcome>;
