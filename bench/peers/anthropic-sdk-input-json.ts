import type { Peer } from '../peer.ts';
import { messageOutcome, sdkStream } from './anthropic-sdk.ts';

/** The official SDK's `.stream()` with a listener on the growing tool input, as its documentation shows it. */
export const anthropicSdkInputJson: Peer = async ({ chunks }) => {
  let shownLength = 0;
  const stream = sdkStream(chunks);
  stream.on('inputJson', (partialJson) => {
    shownLength += partialJson.length;
  });
  const message = await stream.finalMessage();
  return () => ({ ...messageOutcome(message), shownLength });
};
