import type { OperatorFunction } from 'rxjs';
import type { Dialect } from '../core/dialect.ts';
import type { SseMessage } from '../core/sse-message.ts';
import type { TurnEvent } from '../core/turn-event.ts';
import { createTurnStage, type TurnOptions } from '../core/turn-stage.ts';
import { lift } from './lift.ts';

/**
 * Makes the turn events of one turn of SSE messages.
 *
 * The stream never fails: whatever goes wrong before is told by the last event, `turn_stop`. It completes with that
 * event, and stops its source then.
 *
 * @example
 * ```ts
 * fromResponse(response).pipe(sseMessages(), turnEvents(anthropic)).subscribe((event) => {
 *   if (event.type === 'turn') messages.push(...event.turn.entries);
 * });
 * ```
 */
export function turnEvents<Entry>(
  dialect: Dialect<Entry>,
  options: TurnOptions = {},
): OperatorFunction<SseMessage, TurnEvent<Entry>> {
  return lift(() => createTurnStage(dialect, options));
}
