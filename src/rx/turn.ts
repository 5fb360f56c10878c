import type { Observable } from 'rxjs';
import type { AssembledTurn, FinishedBlock } from '../core/turn.ts';
import type { TurnEvent, UiEvent } from '../core/turn-event.ts';
import type { TurnView } from './view-builder.ts';

/**
 * One assistant answer while it streams, and when it is over.
 *
 * 1. It reads at once, whether or not anyone watches.
 * 2. A late subscriber gets the whole story, compacted to one delta a block, then the live rest.
 * 3. An observer that throws hurts no other observer, and not the turn; RxJS reports its error as an uncaught one, as it
 *    does everywhere. No stream of a turn ever fails; they end.
 * 4. `for await (const event of turn)` gives the UI events; breaking out of the loop stops watching, not the turn.
 *
 * @typeParam Entry One element of the next request's history, in the provider's own shape.
 */
export interface Turn<Entry = unknown> extends AsyncIterable<UiEvent> {
  /** Everything: UI events, finished blocks, the turn. */
  readonly events: Observable<TurnEvent<Entry>>;
  /** What a person sees. */
  readonly ui: Observable<UiEvent>;
  /** Each block as soon as it is finished. */
  readonly blocks: Observable<FinishedBlock>;
  /** Snapshots for a renderer, at most 60 a second. */
  readonly view: Observable<TurnView>;
  /** The turn, however it ended. Never rejects: look at its `status`. */
  settled(): Promise<AssembledTurn<Entry>>;
  /** The turn, if it is complete. Rejects with a `TurnInterruptedError`, which carries the turn, if it is not. */
  finalTurn(): Promise<AssembledTurn<Entry>>;
  /**
   * Stops the source at once, also while it is idle. What came so far stays; the turn is `aborted`. A request whose answer
   * has not come yet can be stopped only if the source is a function that makes it.
   *
   * @param reason The `cause` of the error with which `finalTurn` rejects.
   */
  abort(reason?: unknown): void;
}
