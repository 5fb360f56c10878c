import { createPartialJson } from '../../src/text/partial-json.ts';
import type { Peer } from '../peer.ts';

/** A piece comes about every 8 ms; a screen looks every 16. */
const piecesPerSnapshot = 2;

/** The parser of growing tool input alone: one push a piece, a snapshot for each frame of a screen. */
export const partialJson: Peer = ({ inputPieces }) => {
  const parser = createPartialJson();
  let snapshot: unknown;
  inputPieces.forEach((piece, count) => {
    parser.push(piece);
    if (count % piecesPerSnapshot === 0) snapshot = parser.snapshot();
  });
  snapshot = parser.snapshot();
  return Promise.resolve(() => ({ textLength: 0, inputLength: JSON.stringify(snapshot).length, blocks: 1 }));
};
