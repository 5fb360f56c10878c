import { Observable, type OperatorFunction, Subscription } from 'rxjs';
import type { ClosingStage, Stage } from '../core/stage.ts';
import { runStage, sinkOf } from './run-stage.ts';

/**
 * Lifts a pipeline stage into an RxJS operator.
 *
 * The one place where operators are made of stages, so that each keeps the same promises:
 *
 * 1. Every subscription gets a stage of its own, so the result may be retried, repeated or shared.
 * 2. Outputs keep the order of the inputs that completed them, and leave before `next(input)` returns.
 * 3. Unsubscribing stops the source at once, even a synchronous one in the middle of an array.
 * 4. What the stage throws becomes the stream's error. After an error nothing is flushed.
 *
 * @param createStage Called once for each subscription.
 */
export function lift<In, Out>(createStage: () => Stage<In, Out> | ClosingStage<In, Out>): OperatorFunction<In, Out> {
  return (source) =>
    new Observable((subscriber) => {
      const subscription = new Subscription();
      subscriber.add(subscription);
      runStage({ source, stage: createStage(), sink: sinkOf(subscriber), subscription });
    });
}
