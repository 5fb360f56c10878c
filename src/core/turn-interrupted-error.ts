import { WholeturnError } from './errors.ts';
import type { AssembledTurn } from './turn.ts';

/**
 * The turn did not come to its end, so it is not safe to send back. It carries what arrived.
 *
 * @example
 * ```ts
 * try {
 *   transcript.push(...(await turn.finalTurn()).entries);
 * } catch (error) {
 *   if (error instanceof TurnInterruptedError) show(error.turn.blocks);
 * }
 * ```
 */
export class TurnInterruptedError extends WholeturnError {
  override readonly name = 'TurnInterruptedError';
  readonly code = 'turn_interrupted';
  /** What had arrived; its `entries` are empty, its `blocks` are not. */
  readonly turn: AssembledTurn;

  /**
   * @param turn What had arrived.
   * @param reason Why the caller aborted it; the cause of a failed turn is its `error`.
   */
  constructor(turn: AssembledTurn, reason?: unknown) {
    const why = turn.error ? `: ${turn.error.message}` : '';
    const cause = turn.error ?? reason;
    super(
      `The turn is ${turn.status} after ${turn.blocks.length} blocks${why}. What arrived is in \`error.turn\`.`,
      cause === undefined ? undefined : { cause },
    );
    this.turn = turn;
  }
}
