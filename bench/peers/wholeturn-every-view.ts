import { turnView } from '../../src/index.ts';
import type { Peer } from '../peer.ts';
import { openTurn } from './open-turn.ts';
import { turnOutcome } from './turn-outcome.ts';
import { createViewTally } from './view-tally.ts';

/**
 * This library with a view after each event: more than a screen can show, and what 60 views a second come to when the
 * model is no faster than that.
 */
export const wholeturnEveryView: Peer = async (body) => {
  const tally = createViewTally();
  const turn = openTurn(body);
  turn.ui.pipe(turnView({ interval: 0 })).subscribe(tally.see);
  const settled = await turn.settled();
  return () => ({ ...turnOutcome(settled), shownLength: tally.shownLength() });
};
