import type { CliIo } from './cli-io.ts';
import { splitEvents } from './split-events.ts';

/** Wire events a second at `--speed 1`: about what a model writes. */
export const realisticEventsPerSecond = 50;

/** A source that pauses is not caught up with by a burst longer than this, in milliseconds. */
const longestBurst = 100;

/**
 * Hands on one wire event after the other, at a pace.
 *
 * @param speed A multiple of {@link realisticEventsPerSecond}.
 * @param io Whose clock and signal it goes by; an abort ends the waiting, and with it the stream.
 */
export async function* pace(
  chunks: AsyncIterable<Uint8Array>,
  speed: number,
  { now, sleep, signal }: Pick<CliIo, 'now' | 'sleep' | 'signal'>,
): AsyncGenerator<Uint8Array, void, void> {
  const interval = 1000 / (speed * realisticEventsPerSecond);
  let due = now();
  for await (const event of splitEvents(chunks)) {
    const wait = due - now();
    // Timers are no finer than a millisecond; what is due sooner goes at once, and the next one waits longer.
    if (wait >= 1) await sleep(wait, signal);
    if (signal.aborted) return;
    yield event;
    due = Math.max(due + interval, now() - longestBurst);
  }
}
