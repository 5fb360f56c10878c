import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from './peer.ts';
import type { Stream } from './streams/stream.ts';

/**
 * Makes sure that a peer has read the whole stream.
 *
 * @throws {Error} If what it made is not what the stream holds.
 */
export function checkOutcome({ losesReasoning, losesInput, ...outcome }: Outcome, stream: Stream): void {
  const { textLength, reasoningLength, inputLength, blocks } = stream;
  const expected: Outcome = {
    textLength: losesReasoning ? textLength - reasoningLength : textLength,
    inputLength: losesInput ? 0 : inputLength,
    blocks,
    shownLength: textLength + inputLength,
  };
  const actual: Outcome = { ...expected, ...outcome };
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`The peer did not do the work: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}
