import process from 'node:process';
import { createRenderer } from '../src/cli/render.ts';
import type { UiEvent } from '../src/index.ts';

/** How the terminal may be used. */
export interface Look {
  /** Whether stdout is a terminal whose cursor can be moved. */
  readonly isLive: boolean;
  readonly withColor: boolean;
}

/** How often the status line moves, in milliseconds. */
const tickPeriod = 100;

/** Shows one turn on stdout while it streams, and leaves the terminal as it was. */
export async function showTurn(events: AsyncIterable<UiEvent>, { isLive, withColor }: Look): Promise<void> {
  const { stdout } = process;
  const renderer = createRenderer({
    isLive,
    color: withColor,
    columns: () => stdout.columns,
    now: () => performance.now(),
  });
  const timer = isLive ? setInterval(() => stdout.write(renderer.tick()), tickPeriod) : undefined;
  try {
    for await (const event of events) stdout.write(renderer.push(event));
  } finally {
    clearInterval(timer);
    stdout.write(renderer.end());
  }
}
