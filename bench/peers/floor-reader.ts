import type { Outcome } from '../peer.ts';

/** What the floor does with the events of one wire format. */
export interface FloorReader {
  /** Takes the data of one event. */
  take(data: string): void;
  /** Measures what was put together. */
  outcome(): Outcome;
}
