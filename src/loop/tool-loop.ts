import { Observable, throwError } from 'rxjs';
import type { Dialect } from '../core/dialect.ts';
import type { ToolResult } from '../core/tool-results.ts';
import type { AssembledTurn, ToolCall, Usage } from '../core/turn.ts';
import type { TurnOptions } from '../core/turn-stage.ts';
import type { PrefixFinding } from '../replay/prefix-finding.ts';
import type { PrefixGuard } from '../replay/prefix-guard.ts';
import type { SealPolicy } from '../replay/seal.ts';
import type { Transcript } from '../replay/transcript.ts';
import { assembleTurn, type TurnSource } from '../rx/assemble-turn.ts';
import { type CallRunner, createCallRunner } from './call-runner.ts';
import { followSignal } from './follow-signal.ts';
import type { LoopEvent, LoopReason } from './loop-event.ts';
import { createPrefixWatch } from './prefix-watch.ts';
import { type RunOptions, runCall } from './run-call.ts';
import { sumUsage } from './sum-usage.ts';

/** What a request of the loop is made with. */
export interface SendContext {
  /** Aborts the request when the loop is stopped. */
  readonly signal: AbortSignal;
  /** The number of the turn that is asked for, from 1. */
  readonly turnNumber: number;
  /** What the turn before gave for the next request, outside its history: a container, a response's id. */
  readonly carry: Readonly<Record<string, unknown>>;
  /**
   * Shows the loop's `guard` the body that is about to be sent, and returns what it finds; each is an event, too. The
   * loop sees no body but this one: what is not shown is not guarded. Without a guard it finds nothing.
   */
  check(body: object): readonly PrefixFinding[];
}

/** Options of {@link toolLoop}. */
export interface ToolLoopOptions<Entry, Item> extends RunOptions, TurnOptions {
  readonly dialect: Dialect<Entry, Item>;
  /** The conversation, which ends with what the user says, or with calls that wait for their results. */
  readonly transcript: Transcript<Entry, Item>;
  /** Makes a request of the history: returns what `assembleTurn` takes. */
  readonly send: (entries: readonly Item[], context: SendContext) => TurnSource;
  /** How many turns there may be; 50 by default. */
  readonly maxTurns?: number | undefined;
  /** How many tools run at once; all by default. */
  readonly concurrency?: number | undefined;
  /** Whether a tool starts as soon as its call is finished, while the turn still streams. False by default. */
  readonly eager?: boolean | undefined;
  /** What is kept of a turn that is not complete; `keep_finished` by default. */
  readonly ifInterrupted?: SealPolicy | undefined;
  /** Watches over the bodies that `send` shows it with `context.check`. */
  readonly guard?: PrefixGuard | undefined;
  /** Stops the loop; so does unsubscribing. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of silence after which a turn fails; off by default. */
  readonly idleTimeout?: number | undefined;
}

/**
 * Runs the tool loop: asks the model, runs the tools that it calls, answers all calls of a turn at once, and asks again,
 * until it answers without a call.
 *
 * 1. The transcript is right whatever happens: each call has one result, in call order; of an interrupted turn only what
 *    is safe is kept. Stopped in the middle, finished tools keep their results, the others get an error.
 * 2. A tool's failure is a result that the model is told of: an error it throws, a timeout, an input that does not fit,
 *    a name that does not exist, a refused approval.
 * 3. No call runs twice. With `eager`, a tool may have run although the turn is cut afterwards: its result is kept.
 * 4. The stream never fails, but for misuse; its last event is `loop_stop`. Unsubscribing stops everything at once.
 *
 * @example
 * ```ts
 * transcript.user(question);
 * toolLoop({
 *   dialect: anthropic,
 *   transcript,
 *   tools: { weather: ({ city }: { city: string }) => lookUp(city) },
 *   send: (messages, { signal }) => client.messages.create({ ...settings, messages: [...messages] }, { signal }).asResponse(),
 * }).subscribe(render);
 * ```
 *
 * @throws TypeError, when subscribed to, for options that cannot be meant.
 */
export function toolLoop<Entry, Item>(options: ToolLoopOptions<Entry, Item>): Observable<LoopEvent<Entry>> {
  const { maxTurns = 50, concurrency = Number.POSITIVE_INFINITY } = options;
  if (!(maxTurns >= 1)) throw new TypeError(`maxTurns must be a number from 1 up, got ${String(maxTurns)}.`);
  if (!(concurrency >= 1)) throw new TypeError(`concurrency must be a number from 1 up, got ${String(concurrency)}.`);
  return new Observable((subscriber) => {
    const stop = new AbortController();
    const onSignal = (): void => stop.abort(options.signal?.reason);
    options.signal?.addEventListener('abort', onSignal);
    if (options.signal?.aborted) onSignal();
    const loop = createLoop({ ...options, maxTurns, concurrency }, stop.signal, (event) => subscriber.next(event));
    loop.run().then(
      () => subscriber.complete(),
      (cause: unknown) => subscriber.error(cause),
    );
    return () => {
      options.signal?.removeEventListener('abort', onSignal);
      stop.abort();
    };
  });
}

/** One run of a loop. */
function createLoop<Entry, Item>(
  options: ToolLoopOptions<Entry, Item> & { readonly maxTurns: number; readonly concurrency: number },
  signal: AbortSignal,
  emit: (event: LoopEvent<Entry>) => void,
): { run(): Promise<void> } {
  const { dialect, transcript, maxTurns, concurrency, eager = false, ifInterrupted = 'keep_finished' } = options;
  const usages: Usage[] = [];
  let turns = 0;
  let last: AssembledTurn<Entry> | undefined;

  return { run };

  async function run(): Promise<void> {
    if (transcript.pending.length > 0) await answer(createRunner(0), transcript.pending);
    for (;;) {
      if (signal.aborted) return over('aborted');
      if (turns === maxTurns) return over('max_turns');
      const runner = await ask();
      const reason = await next(runner);
      if (reason) return over(reason);
    }
  }

  /** Asks for one turn, and commits it. Returns what runs its calls. */
  async function ask(): Promise<CallRunner> {
    turns += 1;
    const turnNumber = turns;
    const runner = createRunner(turnNumber);
    const { limits, clock, idleTimeout } = options;
    const watch = createPrefixWatch(options.guard, (finding) => emit({ type: 'prefix_finding', turnNumber, finding }));
    const request = followSignal(signal);
    const own = request.controller.signal;
    const context = { signal: own, turnNumber, carry: last?.carry ?? {}, check: watch.check };
    const turn = assembleTurn(source(context), dialect, { signal: own, limits, clock, idleTimeout });
    turn.events.subscribe((event) => {
      emit({ ...event, turnNumber });
      if (eager && event.type === 'block' && event.block.toolCall) runner.start(event.block.toolCall);
    });
    last = await turn.settled();
    request.release();
    usages.push(last.usage);
    watch.remember(last);
    if (last.status === 'complete') transcript.commit(last);
    else transcript.commit(last, { ifInterrupted, results: resultsFor(last, await runner.drain()) });
    return runner;
  }

  /** A request that cannot even be made is a turn that failed. */
  function source(context: SendContext): TurnSource {
    try {
      return options.send(transcript.entries, context);
    } catch (cause) {
      return throwError(() => cause);
    }
  }

  /** What is kept of eager calls: their results, if their turn is. */
  function resultsFor(turn: AssembledTurn<Entry>, results: readonly ToolResult[]): readonly ToolResult[] {
    const ids = new Set(turn.blocks.flatMap(({ toolCall }) => toolCall?.id ?? []));
    return ifInterrupted === 'keep_finished' ? results.filter(({ id }) => ids.has(id)) : [];
  }

  /** What follows from the turn that was committed: why the loop is over, or undefined if it goes on. */
  async function next(runner: CallRunner): Promise<LoopReason | undefined> {
    if (last?.status === 'aborted') return 'aborted';
    if (last?.status !== 'complete') return 'interrupted';
    if (transcript.reports.at(-1)?.leftOut === 'refused') return 'refused';
    if (!transcript.isCycleOpen) return 'done';
    // Nothing waits where the turn was paused, or where no call had an input: those were answered when it was committed.
    if (transcript.pending.length > 0) await answer(runner, transcript.pending);
    return undefined;
  }

  async function answer(runner: CallRunner, calls: readonly ToolCall[]): Promise<void> {
    for (const call of calls) runner.start(call);
    const results = await runner.finish();
    const ids = new Set(calls.map(({ id }) => id));
    transcript.answer(results.filter(({ id }) => ids.has(id)));
  }

  function createRunner(turnNumber: number): CallRunner {
    return createCallRunner(async (call) => {
      emit({ type: 'tool_start', turnNumber, call });
      const result = await runCall(call, options, { signal, turnNumber });
      emit({ type: 'tool_result', turnNumber, call, result });
      return result;
    }, concurrency);
  }

  function over(reason: LoopReason): void {
    emit({ type: 'loop_stop', reason, turns, usage: sumUsage(usages), ...(last && { turn: last }) });
  }
}
