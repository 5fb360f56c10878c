import type { BlockRecord } from '../../core/block-record.ts';

/** A part whose end is not decided: what begins behind it confirms it. */
export interface PendingPart {
  readonly block: BlockRecord;
  /** Ends it, as far as it came if it is cut. */
  settle(isCut: boolean): void;
}
