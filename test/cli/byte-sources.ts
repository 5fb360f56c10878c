/** The bytes of a text in UTF-8. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Hands on pieces one after the other, each in a turn of the event loop of its own. */
export async function* inPieces(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, void> {
  for (const piece of pieces) {
    await new Promise((resolve) => setImmediate(resolve));
    yield piece;
  }
}
