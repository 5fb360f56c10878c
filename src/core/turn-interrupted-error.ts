import type { AssembledTurn, TurnStatus } from './turn.ts';
import { sentence, WholeturnError } from './wholeturn-error.ts';

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
  /** What had arrived; its `entries` are empty, its `blocks` are not. Not enumerable, so that logs do not hold it. */
  declare readonly turn: AssembledTurn;

  /**
   * @param turn What had arrived.
   * @param reason Why the caller aborted it; the cause of a failed turn is its `error`.
   */
  constructor(turn: AssembledTurn, reason?: unknown) {
    const { blocks, error, status } = turn;
    const cause = error ?? reason;
    const count = blocks.length === 1 ? '1 block' : `${blocks.length} blocks`;
    super(
      `${sentence(`The turn is ${status} after ${count}${reasons[status](turn)}`)} What arrived is in \`error.turn\`.`,
      cause === undefined ? undefined : { cause },
    );
    Object.defineProperty(this, 'turn', { value: turn });
  }
}

const reasons: Readonly<Record<TurnStatus, (turn: AssembledTurn) => string>> = {
  complete: () => '',
  aborted: () => '',
  failed: ({ error }) => (error ? `: ${error.message}` : ''),
  truncated: ({ turnId, dialect, warnings }) =>
    turnId === null
      ? `: the stream ended before it began to answer${warnings[0] ? ` (${warnings[0].message})` : ''}. Is it ${dialect}?`
      : ': the stream ended before it said that the turn was over',
};
