import { type Dialect, requireDialect, type StreamEnd, type TurnAssembler } from './dialect.ts';
import { isAbort, isTurnError, toTurnError, WireFormatError } from './errors.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';
import { type Limits, limitsWith } from './limits.ts';
import type { SseMessage } from './sse-message.ts';
import type { ClosingStage } from './stage.ts';
import type { TurnEvent } from './turn-event.ts';
import { createTurnRecord, type TurnRecord } from './turn-record.ts';

/** What the assembling of a turn can be told. */
export interface TurnOptions {
  /** Limits that differ from {@link defaultLimits}. */
  readonly limits?: Partial<Limits> | undefined;
  /** The time in milliseconds, for `startedAt` and `stoppedAt`. `Date.now` by default. */
  readonly clock?: (() => number) | undefined;
}

/** The stage that makes turn events of SSE messages, or of wire events that an SDK has parsed already. */
export interface TurnStage<Entry> extends ClosingStage<SseMessage, TurnEvent<Entry>> {
  /** Takes several messages, and returns what they complete in one list. */
  pushAll(messages: readonly SseMessage[]): readonly TurnEvent<Entry>[];
  /** Takes a wire event without an SSE message around it. */
  pushEvent(wire: JsonObject): readonly TurnEvent<Entry>[];
  /** Says that the caller has had enough, and returns the last outputs. */
  abort(): readonly TurnEvent<Entry>[];
  readonly story: TurnRecord<Entry>['story'];
  readonly timesOf: TurnRecord<Entry>['timesOf'];
}

/**
 * Makes the stage for one turn.
 *
 * 1. A message whose data is blank, `[DONE]` or JSON other than an object says nothing about the content.
 * 2. A message whose data is no JSON fails the turn (`wire_format`), unless it is the unterminated last one: half an
 *    event at the very end of the bytes is the cut itself.
 * 3. Nothing is thrown: whatever goes wrong ends the turn as `failed`, with what arrived before.
 * 4. After the terminal event nothing is read.
 */
export function createTurnStage<Entry>(dialect: Dialect<Entry>, options: TurnOptions = {}): TurnStage<Entry> {
  requireDialect(dialect);
  const { clock = Date.now } = options;
  const limits = limitsWith(options.limits);
  const record = createTurnRecord<Entry>({ dialect: dialect.name, history: dialect.history, limits, clock });
  /** Let go of at the end: a turn that is kept need not keep how it was made. */
  let assembler: TurnAssembler | undefined = dialect.createAssembler(record);

  return {
    get isOver() {
      return record.isOver;
    },
    push(message) {
      readMessage(message);
      return take();
    },
    pushAll(messages) {
      for (const message of messages) readMessage(message);
      return take();
    },
    pushEvent(wire) {
      readEvent(wire, undefined, undefined);
      return take();
    },
    flush() {
      return close({ type: 'ended' });
    },
    fail(cause) {
      return close(isAbort(cause) ? { type: 'aborted' } : { type: 'failed', error: toTurnError(cause) });
    },
    abort() {
      return close({ type: 'aborted' });
    },
    story: record.story,
    timesOf: record.timesOf,
  };

  function take(): readonly TurnEvent<Entry>[] {
    const events = record.take();
    if (events.length > 0 && record.isOver) assembler = undefined;
    return events;
  }

  function close(end: StreamEnd): readonly TurnEvent<Entry>[] {
    try {
      assembler?.end(end);
    } catch (cause) {
      crash(cause);
    }
    return take();
  }

  function readMessage(message: SseMessage): void {
    if (record.isOver) return;
    let wire: unknown;
    try {
      wire = JSON.parse(message.data);
    } catch (cause) {
      return readOddData(message, cause);
    }
    if (isJsonObject(wire)) readEvent(wire, message.data, message.event);
    // An error that is told as a mere string, or as nothing at all, is one all the same.
    else if (message.event === 'error')
      readEvent({ error: typeof wire === 'string' ? wire : message.data }, undefined, 'error');
  }

  function readEvent(wire: JsonObject, source: string | undefined, name: string | undefined): void {
    try {
      assembler?.event(wire, source, name);
    } catch (cause) {
      crash(cause);
    }
  }

  function readOddData({ data, event, unterminated }: SseMessage, cause: unknown): void {
    const text = data.trim();
    if (event === 'error' && !unterminated) return readEvent({ error: text }, undefined, 'error');
    if (text === '') return;
    if (text === '[DONE]') return readDone();
    if (unterminated) return;
    const problem = 'An event of the stream is not JSON, so a piece of the turn is lost';
    assembler?.end({ type: 'failed', error: new WireFormatError(problem, data, { cause }) });
  }

  function readDone(): void {
    try {
      assembler?.done();
    } catch (cause) {
      crash(cause);
    }
  }

  /** What a step of the assembler throws ends the turn. */
  function crash(cause: unknown): void {
    if (record.isOver) return;
    const problem = `The ${dialect.name} stream has a shape that was not expected`;
    const error = isTurnError(cause) ? cause : new WireFormatError(problem, String(cause), { cause });
    assembler?.end({ type: 'failed', error });
  }
}
