const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Splits the bytes of an event stream behind each blank line, so that each piece is one SSE message.
 *
 * It is made for pacing, not for reading: a piece may begin with the line feed that belongs to the blank line before
 * it, which means nothing to a reader of the stream.
 */
export async function* splitEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  const isEnd = createEndFinder();
  let parts: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (const [at, byte] of chunk.entries()) {
      if (!isEnd(byte)) continue;
      yield Buffer.concat([...parts, chunk.subarray(start, at + 1)]);
      parts = [];
      start = at + 1;
    }
    parts.push(chunk.subarray(start));
  }
  yield Buffer.concat(parts);
}

/** Makes a function that takes byte after byte and tells which ends a blank line; LF, CR and CRLF end lines. */
function createEndFinder(): (byte: number) => boolean {
  let previous = 0;
  let isBlankLine = false;
  return (byte) => {
    const isSecondHalf = byte === lineFeed && previous === carriageReturn;
    const isLineEnd = byte === lineFeed || byte === carriageReturn;
    previous = byte;
    if (isSecondHalf) return false;
    const isEnd = isLineEnd && isBlankLine;
    isBlankLine = isLineEnd;
    return isEnd;
  };
}
