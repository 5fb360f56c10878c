import { anthropic } from '../../src/anthropic.ts';
import { assembleTurn } from '../../src/index.ts';
import { responseOf } from '../chunkings.ts';
import type { Peer } from '../peer.ts';
import { createTally } from './tally.ts';
import { turnOutcome } from './turn-outcome.ts';

/** This library as most people use it: a response in, one subscriber on the UI events, the settled turn out. */
export const wholeturn: Peer = async ({ chunks }) => {
  const tally = createTally();
  const turn = assembleTurn(responseOf(chunks), anthropic);
  turn.ui.subscribe(tally.add);
  const settled = await turn.settled();
  return () => ({ ...turnOutcome(settled), shownLength: tally.shownLength() });
};
