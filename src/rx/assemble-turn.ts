import { isObservable, type Observable, Subscription } from 'rxjs';
import type { Dialect } from '../core/dialect.ts';
import type { AssembledTurn } from '../core/turn.ts';
import type { TurnEvent } from '../core/turn-event.ts';
import { TurnInterruptedError } from '../core/turn-interrupted-error.ts';
import type { TurnOptions } from '../core/turn-stage.ts';
import { createBroadcast } from './broadcast.ts';
import { createChunkStage, type TurnChunk } from './chunk-stage.ts';
import { failWhenIdle } from './fail-when-idle.ts';
import { finishedBlocks } from './finished-blocks.ts';
import { discard, fromResponse, type ResponseSource } from './from-response.ts';
import { iterate } from './iterate.ts';
import { runStage, type StageSink } from './run-stage.ts';
import type { Turn } from './turn.ts';
import { timedTurnView } from './turn-view.ts';
import { uiEvents } from './ui-events.ts';

/** What a turn is assembled from: a response, a body, chunks, or the parsed events of an official SDK's stream. */
export type TurnSource = ResponseSource<TurnChunk> | Observable<TurnChunk>;

/** Options of {@link assembleTurn}. */
export interface AssembleTurnOptions extends TurnOptions {
  /** Aborts the turn. Give the request the same one, and both stop at once. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds of silence after which the turn fails. Off by default. Any byte counts as life, pings and comments too;
   * of an SDK's events only those that it hands on, which pings are not.
   */
  readonly idleTimeout?: number | undefined;
}

/**
 * Reads a provider's stream once, for two readers: what a person sees, live, and what goes back, when it is finished.
 *
 * @param source A function that makes the request with a signal, so that `abort` stops it at any time; a `Response` or a
 *   promise of one, its body, an async iterable or an observable of its chunks; or the stream that an official SDK
 *   returns for `stream: true`. From a response and its bytes, tool input keeps the very text that came; an SDK's events
 *   are parsed already.
 * @param dialect The wire format, such as `anthropic`.
 *
 * @example
 * ```ts
 * const turn = assembleTurn((signal) => fetch(url, { ...request, signal }), anthropic);
 * turn.ui.subscribe((event) => {
 *   if (event.type === 'text_delta') process.stdout.write(event.text);
 * });
 * const { entries, toolCalls } = await turn.finalTurn();
 * messages.push(...entries);
 * ```
 *
 * @throws TypeError if the source is nothing that can be read, the dialect is none, or an option cannot be meant.
 */
export function assembleTurn<Entry>(
  source: TurnSource,
  dialect: Dialect<Entry>,
  options: AssembleTurnOptions = {},
): Turn<Entry> {
  const { signal, idleTimeout, limits } = options;
  const chunks = isObservable(source)
    ? source.pipe(failWhenIdle<TurnChunk>(idleTimeout))
    : fromResponse(source, { limits, idleTimeout });
  const stage = createChunkStage(dialect, options);
  const broadcast = createBroadcast<TurnEvent<Entry>>(stage.story);
  const subscription = new Subscription();
  let assembled: AssembledTurn<Entry> | undefined;
  let abortReason: unknown;
  let waiting: ((turn: AssembledTurn<Entry>) => void)[] = [];

  const sink: StageSink<TurnEvent<Entry>> = {
    next(batch) {
      if (batch.at(-1)?.type === 'turn_stop') assembled = turnOf(batch);
      broadcast.send(batch);
    },
    complete() {
      broadcast.end();
      for (const resolve of waiting) if (assembled) resolve(assembled);
      waiting = [];
    },
    /** Never: the stage makes its last events of every failure. */
    error() {},
  };
  const onSignal = (): void => abort(signal?.reason);
  signal?.addEventListener('abort', onSignal);
  subscription.add(() => signal?.removeEventListener('abort', onSignal));
  if (!signal?.aborted) runStage({ source: chunks, stage, sink, subscription });
  else {
    onSignal();
    if (!isObservable(source)) discard(source);
  }

  const { events } = broadcast;
  // Made when they are first asked for, and then the same ones: a renderer may subscribe again when they change.
  let ui: Turn['ui'] | undefined;
  let blocks: Turn['blocks'] | undefined;
  let view: Turn['view'] | undefined;
  return {
    events,
    get ui() {
      ui ??= events.pipe(uiEvents());
      return ui;
    },
    get blocks() {
      blocks ??= events.pipe(finishedBlocks());
      return blocks;
    },
    get view() {
      view ??= events.pipe(timedTurnView(stage.timesOf));
      return view;
    },
    settled,
    async finalTurn() {
      const turn = await settled();
      if (turn.status !== 'complete') throw new TurnInterruptedError(turn, abortReason);
      return turn;
    },
    abort,
    [Symbol.asyncIterator]: () => iterate(events.pipe(uiEvents())),
  };

  function settled(): Promise<AssembledTurn<Entry>> {
    return new Promise((resolve) => {
      if (assembled) resolve(assembled);
      else waiting.push(resolve);
    });
  }

  function abort(reason?: unknown): void {
    if (stage.isOver) return;
    abortReason = reason;
    const batch = stage.abort();
    subscription.unsubscribe();
    sink.next(batch);
    sink.complete();
  }
}

function turnOf<Entry>(batch: readonly TurnEvent<Entry>[]): AssembledTurn<Entry> | undefined {
  for (const event of batch) if (event.type === 'turn') return event.turn;
  return undefined;
}
