import { setImmediate as nextMacrotask } from 'node:timers/promises';
import { anthropic } from '../../src/anthropic.ts';
import { assembleTurn } from '../../src/index.ts';
import { responseOf } from '../chunkings.ts';
import type { Peer } from '../peer.ts';
import { turnOutcome } from './turn-outcome.ts';
import { createViewTally } from './view-tally.ts';

/**
 * This library with `turn.view` watched: 60 views a second of the clock on the wall, each with the tool input so far.
 *
 * Each chunk waits for the event loop, as on a network; without that no timer would fire before the stream is over.
 */
export const wholeturnView: Peer = async ({ chunks }) => {
  const tally = createViewTally();
  const turn = assembleTurn(responseOf(chunks, nextMacrotask), anthropic);
  turn.view.subscribe(tally.see);
  const settled = await turn.settled();
  return () => ({ ...turnOutcome(settled), shownLength: tally.shownLength() });
};
