/**
 * One step of the pipeline: pure, synchronous, and good for a single stream.
 *
 * A stage holds all its state, does its whole work inside the call, and names no clock, network or scheduler, so it
 * can be tested with plain arrays and lifted into an operator by one function (`lift`).
 *
 * @typeParam In What is pushed in.
 * @typeParam Out What becomes complete.
 */
export interface Stage<In, Out> {
  /** Takes the next input, and returns what it completes: nothing, one output, or several, in order. */
  push(input: In): readonly Out[];
  /** Says that no input follows, and returns what was held back. Called at most once, last. */
  flush(): readonly Out[];
  /** Why the stage can go no further. The outputs of the call that set it are still good; no call may follow. */
  readonly failure?: Error | undefined;
}

/**
 * A stage that tells a whole story: it knows by itself when the story is over, and turns a failure into its last
 * outputs instead of passing it on.
 */
export interface ClosingStage<In, Out> extends Stage<In, Out> {
  /** True as soon as nothing that is pushed can add an output. */
  readonly isOver: boolean;
  /** Says that the source failed, and returns the last outputs. */
  fail(cause: unknown): readonly Out[];
}
