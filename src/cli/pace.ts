import type { CliIo } from './cli-io.ts';

/** Wire events a second at `--speed 1`: about what a model writes. */
export const usualPace = 50;

/** A source that pauses is not caught up with by a burst longer than this, in milliseconds. */
const longestBurst = 100;

const blankLine = /\r\n\r\n|\n\n|\r\r/g;

/**
 * Hands on one wire event after the other, at a pace. An event that came in two chunks goes in two pieces.
 *
 * @param speed A multiple of {@link usualPace}.
 * @param io Whose clock and signal it goes by; an abort ends the waiting, and with it the stream.
 */
export async function* pace(
  chunks: AsyncIterable<Uint8Array>,
  speed: number,
  { now, sleep, signal }: Pick<CliIo, 'now' | 'sleep' | 'signal'>,
): AsyncGenerator<Uint8Array, void, void> {
  const interval = 1000 / (speed * usualPace);
  let due = now();
  for await (const chunk of chunks) {
    for (const event of cutBehindEvents(chunk)) {
      const wait = due - now();
      // Timers are no finer than a millisecond; what is due sooner goes at once, and the next one waits longer.
      if (wait >= 1) await sleep(wait, signal);
      if (signal.aborted) return;
      yield event;
      due = Math.max(due + interval, now() - longestBurst);
    }
  }
}

function* cutBehindEvents(chunk: Uint8Array): Generator<Uint8Array, void, void> {
  let start = 0;
  // Latin 1 has a character for each byte.
  for (const { 0: end, index } of Buffer.from(chunk).toString('latin1').matchAll(blankLine)) {
    yield chunk.subarray(start, index + end.length);
    start = index + end.length;
  }
  if (start < chunk.length) yield chunk.subarray(start);
}
