import { Observable, type OperatorFunction, Subscription } from 'rxjs';
import type { Stage } from '../core/stage.ts';
import type { TurnEvent, UiEvent } from '../core/turn-event.ts';
import type { BlockTimes } from './block-draft.ts';
import { runStage, sinkOf } from './run-stage.ts';
import { createViewBuilder, type TurnView } from './view-builder.ts';

/** Options of {@link turnView}. */
export interface TurnViewOptions {
  /** The least time between two views, in milliseconds: 1000/60 by default, 0 for a view after each event. */
  readonly interval?: number | undefined;
  /** The time in milliseconds, for `startedAt` and `stoppedAt`. `Date.now` by default. */
  readonly clock?: (() => number) | undefined;
}

/**
 * Snapshots of a turn for a renderer: immutable, and what did not change is the same object as before.
 *
 * 1. The first view comes with the first event, the last one with `turn_stop`, at once. Between them comes one at most
 *    every `interval`, and none without a change.
 * 2. A call's `input` is the value of its JSON as far as it came, parsed when a view is made, in time linear in the
 *    whole text.
 * 3. Views hold only what a person may see.
 *
 * @example
 * ```ts
 * turn.view.subscribe(({ blocks, status }) => setState({ blocks, status }));
 * ```
 */
export function turnView({
  interval,
  clock = Date.now,
}: TurnViewOptions = {}): OperatorFunction<TurnEvent | UiEvent, TurnView> {
  return timedTurnView(() => ({ startedAt: clock(), stoppedAt: clock() }), interval);
}

/** {@link turnView} for one who knows when the blocks began and ended. */
export function timedTurnView(
  timesOf: (index: number) => BlockTimes,
  interval: number = 1000 / 60,
): OperatorFunction<TurnEvent | UiEvent, TurnView> {
  return (events) =>
    new Observable((subscriber) => {
      const builder = createViewBuilder(timesOf);
      let timer: ReturnType<typeof setTimeout> | undefined;

      /** A view now, and none before the interval is over. */
      function emit(): readonly [TurnView] {
        clearTimeout(timer);
        timer = interval > 0 ? setTimeout(wake, interval) : undefined;
        return [builder.view()];
      }

      function wake(): void {
        timer = undefined;
        if (builder.isChanged) subscriber.next(emit()[0]);
      }

      const stage: Stage<TurnEvent | UiEvent, TurnView> = {
        push(event) {
          builder.push(event);
          const isDue = builder.isChanged && (timer === undefined || event.type === 'turn_stop');
          return isDue ? emit() : [];
        },
        flush: () => (builder.isChanged ? [builder.view()] : []),
      };
      const subscription = new Subscription(() => clearTimeout(timer));
      subscriber.add(subscription);
      runStage({ source: events, stage, sink: sinkOf(subscriber), subscription });
    });
}
