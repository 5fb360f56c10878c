import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from './fault.ts';

/** How an answer is sent. */
export interface Pace {
  /** Milliseconds before each event. */
  readonly pace: number;
  /** How the bytes are cut into chunks: one event each, or as many bytes each. */
  readonly chunking: 'event' | number;
}

/** One thing that happens to the body of an answer. */
type Step = { readonly bytes: Uint8Array } | { readonly end: 'end' | 'reset' | 'stall' };

/**
 * Makes the body of an answer: its events at a pace, in any chunks, with what goes wrong.
 *
 * @param signal Ends it with an error, also while it stalls.
 * @param errorEvent Makes the event of an `error_event` behind so many others.
 */
export function answerBody(
  events: readonly string[],
  { pace, chunking }: Pace,
  fault: Fault | undefined,
  errorEvent: (count: number) => string,
  signal: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const stop = new AbortController();
  const ended = AbortSignal.any([signal, stop.signal]);
  const steps = stepsOf(events, chunking, fault, errorEvent);
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
      },
      async pull(controller) {
        if (pace > 0) await wait(pace, undefined, { signal: ended }).catch(() => undefined);
        if (ended.aborted) return;
        const step = steps.next();
        if (step.done) return controller.close();
        if ('bytes' in step.value) return controller.enqueue(new Uint8Array(step.value.bytes));
        if (step.value.end === 'end') return controller.close();
        if (step.value.end === 'reset') return controller.error(new TypeError('terminated'));
        await new Promise<void>((resolve) => ended.addEventListener('abort', () => resolve(), { once: true }));
      },
      cancel: () => stop.abort(),
    },
    { highWaterMark: 0 },
  );
}

function* stepsOf(
  events: readonly string[],
  chunking: 'event' | number,
  fault: Fault | undefined,
  errorEvent: (count: number) => string,
): Generator<Step, void> {
  const chunks = chunksOf(faultyEvents(events, fault, errorEvent), chunking);
  if (fault?.type === 'cut') {
    yield* untilByte(chunks, fault.atByte);
    yield { end: fault.how ?? 'end' };
    return;
  }
  for (const bytes of chunks) yield { bytes };
  if (fault?.type === 'stall') yield { end: 'stall' };
}

function faultyEvents(
  events: readonly string[],
  fault: Fault | undefined,
  errorEvent: (count: number) => string,
): readonly string[] {
  switch (fault?.type) {
    case 'error_event':
      return [...events.slice(0, fault.afterEvents), errorEvent(fault.afterEvents)];
    case 'stall':
      return events.slice(0, fault.afterEvents);
    case 'repeated_start':
      return [...events.slice(0, 1), ...events];
    default:
      return events;
  }
}

function chunksOf(events: readonly string[], chunking: 'event' | number): readonly Uint8Array[] {
  const encoder = new TextEncoder();
  if (chunking === 'event') return events.map((event) => encoder.encode(event));
  const bytes = encoder.encode(events.join(''));
  const count = Math.ceil(bytes.length / chunking);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * chunking, (at + 1) * chunking));
}

function* untilByte(chunks: readonly Uint8Array[], end: number): Generator<Step, void> {
  let left = end;
  for (const chunk of chunks) {
    const bytes = chunk.subarray(0, left);
    if (bytes.length > 0) yield { bytes };
    left -= bytes.length;
  }
}
