import { filter, map, type OperatorFunction } from 'rxjs';
import type { FinishedBlock } from '../core/turn.ts';
import type { TurnEvent } from '../core/turn-event.ts';

/**
 * Keeps the finished blocks: each as soon as it is certain that it is what the provider sent, and whole.
 *
 * A call in a finished block may still belong to a turn that is cut afterwards; wait for the turn before acting on it,
 * or be ready to keep its result.
 */
export function finishedBlocks(): OperatorFunction<TurnEvent, FinishedBlock> {
  return (events) =>
    events.pipe(
      filter((event) => event.type === 'block'),
      map(({ block }) => block),
    );
}
