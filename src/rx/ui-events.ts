import { filter, type OperatorFunction } from 'rxjs';
import type { TurnEvent, UiEvent } from '../core/turn-event.ts';

/** Options of {@link uiEvents}. */
export interface UiEventsOptions {
  /**
   * Whether a person sees the reasoning (`'show'`, the default), or only that there is some (`'status'`): to show
   * reasoning is a decision of its own.
   */
  readonly reasoning?: 'show' | 'status' | undefined;
}

/**
 * Keeps what a person may see: no finished block, no turn, no signature, no ciphertext.
 *
 * @example
 * ```ts
 * turn.events.pipe(uiEvents({ reasoning: 'status' })).subscribe(send);
 * ```
 */
export function uiEvents({ reasoning = 'show' }: UiEventsOptions = {}): OperatorFunction<TurnEvent, UiEvent> {
  if (reasoning === 'show') return filter(isUiEvent);
  return filter((event): event is UiEvent => isUiEvent(event) && event.type !== 'reasoning_delta');
}

function isUiEvent(event: TurnEvent): event is UiEvent {
  return event.type !== 'block' && event.type !== 'turn';
}
