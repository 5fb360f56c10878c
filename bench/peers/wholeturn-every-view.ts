import { anthropic } from '../../src/anthropic.ts';
import { assembleTurn, turnView } from '../../src/index.ts';
import { responseOf } from '../chunkings.ts';
import type { Peer } from '../peer.ts';
import { turnOutcome } from './turn-outcome.ts';
import { createViewTally } from './view-tally.ts';

/**
 * This library with a view after each event: more than a screen can show, and what 60 views a second come to when the
 * model is no faster than that.
 */
export const wholeturnEveryView: Peer = async ({ chunks }) => {
  const tally = createViewTally();
  const turn = assembleTurn(responseOf(chunks), anthropic);
  turn.ui.pipe(turnView({ interval: 0 })).subscribe(tally.see);
  const settled = await turn.settled();
  return () => ({ ...turnOutcome(settled), shownLength: tally.shownLength() });
};
