const blankLine = /\r\n\r\n|\n\n|\r\r/;
const lineEnd = /\r\n|\n|\r/;

/**
 * Reads an event stream and keeps nothing: decodes it, splits it on blank lines, and parses the JSON of each event.
 *
 * No assembler of turns can be faster, so it is what one is compared with. It is no SSE parser: a blank line that falls
 * into two chunks between a carriage return and its line feed is one that it may miss.
 *
 * @returns How many events held JSON.
 */
export async function readFloor(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const decoder = new TextDecoder();
  let events = 0;
  let rest = '';
  for await (const chunk of chunks) {
    const messages = (rest + decoder.decode(chunk, { stream: true })).split(blankLine);
    rest = messages.pop() ?? '';
    for (const message of messages) if (holdsJson(message)) events += 1;
  }
  return holdsJson(rest) ? events + 1 : events;
}

function holdsJson(message: string): boolean {
  const lines = message.split(lineEnd).filter((line) => line.startsWith('data:'));
  if (lines.length === 0) return false;
  try {
    JSON.parse(lines.map((line) => line.slice('data:'.length)).join('\n'));
    return true;
  } catch {
    return false;
  }
}
