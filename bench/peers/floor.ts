import { createParser } from 'eventsource-parser';
import { responseOf } from '../chunkings.ts';
import type { Peer } from '../peer.ts';
import type { DialectName } from '../streams/stream.ts';
import { createAnthropicFloor } from './anthropic-floor.ts';
import { createChatFloor } from './chat-floor.ts';
import type { FloorReader } from './floor-reader.ts';
import { createGeminiFloor } from './gemini-floor.ts';
import { createResponsesFloor } from './responses-floor.ts';
import { createTally, type Tally } from './tally.ts';

const readers: Record<DialectName, (tally: Tally) => FloorReader> = {
  anthropic: createAnthropicFloor,
  chatCompletions: createChatFloor,
  responses: createResponsesFloor,
  gemini: createGeminiFloor,
};

/**
 * The least that any reader of such a stream has to do: decode, split, `JSON.parse` each event, append, and tell a
 * callback. No checks, no finished blocks, no end of the turn.
 */
export const floor: Peer = async ({ chunks, dialect }) => {
  const tally = createTally();
  const { take, outcome } = readers[dialect](tally);
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ data }) => take(data) });
  const reader = responseOf(chunks).body?.getReader();
  for (;;) {
    const read = await reader?.read();
    if (!read?.value) break;
    parser.feed(decoder.decode(read.value, { stream: true }));
  }
  return () => ({ ...outcome(), shownLength: tally.shownLength() });
};
