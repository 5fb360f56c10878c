/**
 * What goes wrong with an answer.
 *
 * - `status`: it is refused with this HTTP status, such as 429 or 529; `retryAfter` is in seconds.
 * - `cut`: its body ends behind this many bytes; with `how: 'reset'` by an error of the connection.
 * - `error_event`: behind this many events comes the error event of the wire, and the end.
 * - `stall`: behind this many events nothing comes any more, and the connection stays open.
 * - `repeated_start`: the event that starts the turn comes twice. Of Anthropic and Responses only: elsewhere none does.
 */
export type Fault =
  | { readonly type: 'status'; readonly status: number; readonly retryAfter?: number | undefined }
  | { readonly type: 'cut'; readonly atByte: number; readonly how?: 'end' | 'reset' | undefined }
  | { readonly type: 'error_event'; readonly afterEvents: number }
  | { readonly type: 'stall'; readonly afterEvents: number }
  | { readonly type: 'repeated_start' };

/** Faults by the number of the turn, from 1: each happens once, so that trying again comes to the next, or to none. */
export type Faults = Readonly<Record<number, Fault | readonly Fault[]>>;

/** Hands out the faults of each turn, one after the other. */
export function createFaultQueue(faults: Faults): (turnNumber: number) => Fault | undefined {
  const waiting = new Map(Object.entries(faults).map(([turn, fault]) => [Number(turn), [fault].flat() as Fault[]]));
  return (turnNumber) => waiting.get(turnNumber)?.shift();
}
