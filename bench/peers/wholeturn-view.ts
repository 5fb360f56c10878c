import { setImmediate as nextMacrotask } from 'node:timers/promises';
import type { Peer } from '../peer.ts';
import { openTurn } from './open-turn.ts';
import { turnOutcome } from './turn-outcome.ts';
import { createViewTally } from './view-tally.ts';

/**
 * This library with `turn.view` watched: 60 views a second of the clock on the wall, each with the tool input so far.
 *
 * Each chunk waits for the event loop, as on a network; without that no timer would fire before the stream is over.
 */
export const wholeturnView: Peer = async (body) => {
  const tally = createViewTally();
  const turn = openTurn(body, nextMacrotask);
  turn.view.subscribe(tally.see);
  const settled = await turn.settled();
  return () => ({ ...turnOutcome(settled), shownLength: tally.shownLength() });
};
