import type { HistoryFormat } from './history.ts';
import type { AssembledTurn, Repair } from './turn.ts';

/** What is whole of a turn that is not. */
export interface FinishedPart<Entry = unknown> {
  /** The finished blocks as they would go back; they never end in reasoning. */
  readonly entries: readonly Entry[];
  /** What was left out of them, and why. */
  readonly repairs: readonly Repair[];
  /** How the dialect writes a history; undefined for one without transcripts. */
  readonly history: HistoryFormat<unknown> | undefined;
}

/** Kept beside the turns: what is not confirmed must not be taken for what goes back. */
const parts = new WeakMap<AssembledTurn, FinishedPart>();

/** Remembers what is whole of an incomplete turn, for who seals it on purpose. */
export function rememberFinishedPart(turn: AssembledTurn, part: FinishedPart): void {
  parts.set(turn, part);
}

/** What is whole of an incomplete turn; undefined for a complete one, and for one that was not assembled here. */
export function finishedPartOf(turn: AssembledTurn): FinishedPart | undefined {
  return parts.get(turn);
}
