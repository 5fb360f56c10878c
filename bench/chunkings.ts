/** The ways in which a body is cut into chunks, in the order of the table. */
export const chunkingNames = ['16_kib', 'one_event', '7_bytes'] as const;

/** One of {@link chunkingNames}. */
export type ChunkingName = (typeof chunkingNames)[number];

/** Bytes as the network would give them. */
export type Chunk = Uint8Array<ArrayBuffer>;

/**
 * Cuts a stream into chunks.
 *
 * @param messages SSE messages, each with its closing blank line.
 * @returns Chunks with memory of their own; together they are the UTF-8 of the messages.
 */
export function cutChunks(messages: readonly string[], chunking: ChunkingName): Chunk[] {
  const encoder = new TextEncoder();
  if (chunking === 'one_event') return messages.map((message) => encoder.encode(message));
  const bytes = encoder.encode(messages.join(''));
  const size = chunking === '16_kib' ? 16 * 1024 : 7;
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.slice(index * size, (index + 1) * size),
  );
}

/**
 * Makes the answer of a provider whose body gives these chunks, one a read.
 *
 * @param wait Waited for before each chunk; without it all chunks are there at once.
 */
export function responseOf(chunks: readonly Chunk[], wait?: () => Promise<void>): Response {
  let next = 0;
  const give = (controller: ReadableStreamDefaultController<Chunk>): void => {
    const chunk = chunks[next++];
    if (chunk) controller.enqueue(chunk);
    else controller.close();
  };
  const body = new ReadableStream<Chunk>({
    pull: (controller) => (wait ? wait().then(() => give(controller)) : give(controller)),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}
