import { type Observable, Subject, type Subscriber, type Subscription, takeUntil } from 'rxjs';
import type { ClosingStage, Stage } from '../core/stage.ts';

/** Where the outputs of a running stage go. */
export interface StageSink<Out> {
  /** Takes the outputs of one step; called with at least one. */
  next(outputs: readonly Out[]): void;
  /** Nothing follows. */
  complete(): void;
  /** The stage or its source failed; nothing follows. */
  error(cause: unknown): void;
}

/** The sink of an operator: its subscriber gets the outputs one by one, for as long as it stays. */
export function sinkOf<Out>(subscriber: Subscriber<Out>): StageSink<Out> {
  return {
    next(outputs) {
      for (const output of outputs) {
        if (subscriber.closed) return;
        subscriber.next(output);
      }
    },
    complete: () => subscriber.complete(),
    error: (cause) => subscriber.error(cause),
  };
}

/** What is run, and where. */
export interface StageRun<In, Out> {
  readonly source: Observable<In>;
  readonly stage: Stage<In, Out> | ClosingStage<In, Out>;
  readonly sink: StageSink<Out>;
  /**
   * Unsubscribing from it stops the source, and tells the sink nothing. Given by the caller, for a synchronous source
   * has sent everything before this function could return one.
   */
  readonly subscription: Subscription;
}

/**
 * Subscribes to a source, runs a stage over it, and hands each step's outputs to a sink in one go.
 *
 * 1. Outputs keep the order of the inputs that completed them.
 * 2. Unsubscribing, an error, and a stage that says `isOver` with its last outputs stop the source at once, even a
 *    synchronous one in the middle of an array: `takeUntil` closes the very subscriber that such a source asks.
 * 3. What the stage throws is an error of the stream. A stage that can `fail` makes its last outputs of it instead.
 * 4. After the end nothing is pushed or flushed.
 */
export function runStage<In, Out>({ source, stage, sink, subscription }: StageRun<In, Out>): void {
  const closing = 'isOver' in stage ? stage : undefined;
  const stop = new Subject<void>();
  subscription.add(() => stop.next());

  source.pipe(takeUntil(stop)).subscribe({
    next(input) {
      let outputs: readonly Out[];
      try {
        outputs = stage.push(input);
      } catch (cause) {
        return fail(cause);
      }
      emit(outputs);
      if (stage.failure) fail(stage.failure);
      else if (closing && outputs.length > 0 && closing.isOver) end();
    },
    error: fail,
    complete() {
      if (subscription.closed) return;
      let outputs: readonly Out[];
      try {
        outputs = stage.flush();
      } catch (cause) {
        return fail(cause);
      }
      emit(outputs);
      if (stage.failure) fail(stage.failure);
      else end();
    },
  });

  function emit(outputs: readonly Out[]): void {
    if (outputs.length > 0 && !subscription.closed) sink.next(outputs);
  }

  function fail(cause: unknown): void {
    if (subscription.closed) return;
    if (closing) {
      emit(closing.fail(cause));
      return end();
    }
    subscription.unsubscribe();
    sink.error(cause);
  }

  function end(): void {
    if (subscription.closed) return;
    subscription.unsubscribe();
    sink.complete();
  }
}
