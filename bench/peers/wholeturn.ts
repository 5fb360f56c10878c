import type { Peer } from '../peer.ts';
import { openTurn } from './open-turn.ts';
import { createTally } from './tally.ts';
import { turnOutcome } from './turn-outcome.ts';

/** This library as most people use it: a response in, one subscriber on the UI events, the settled turn out. */
export const wholeturn: Peer = async (body) => {
  const tally = createTally();
  const turn = openTurn(body);
  turn.ui.subscribe(tally.add);
  const settled = await turn.settled();
  return () => ({ ...turnOutcome(settled), shownLength: tally.shownLength() });
};
