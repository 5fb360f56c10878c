import { accumulateResponse } from 'openai-7/lib/responses/ResponseAccumulator';
import type { Response, ResponseStreamEvent } from 'openai-7/resources/responses/responses';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { listOf } from './recorded-events.ts';

/** What the SDK made of the events of one response. */
export interface OfficialOutcome {
  /** The output of its last snapshot; undefined if it threw, or if there was none. */
  readonly output: readonly JsonObject[] | undefined;
  /** What it said when it threw. */
  readonly error: string | undefined;
}

/** Puts the events of one response together with the SDK's own accumulator. */
export function officialOutcome(events: readonly JsonObject[]): OfficialOutcome {
  let snapshot: Response | undefined;
  try {
    // The SDK has a type for the events that it knows, and checks those that it gets.
    for (const event of events) snapshot = accumulateResponse(event as unknown as ResponseStreamEvent, snapshot);
  } catch (cause) {
    return { output: undefined, error: String(cause) };
  }
  return { output: snapshot && listOf(snapshot.output), error: undefined };
}
