import Anthropic from '@anthropic-ai/sdk';
import type { MessageStream } from '@anthropic-ai/sdk/lib/MessageStream';
import { type Chunk, responseOf } from '../chunkings.ts';
import type { Outcome, Peer } from '../peer.ts';

let answer: readonly Chunk[] = [];

const client = new Anthropic({
  apiKey: 'none',
  baseURL: 'http://127.0.0.1',
  maxRetries: 0,
  fetch: () => Promise.resolve(responseOf(answer)),
});

/** Asks the official SDK for a stream that will be answered with these chunks. */
export function sdkStream(chunks: readonly Chunk[]): MessageStream {
  answer = chunks;
  return client.messages.stream({
    model: 'claude-opus-5',
    max_tokens: 64_000,
    messages: [{ role: 'user', content: 'Go.' }],
  });
}

/** The official SDK's `.stream()` without a listener, up to its final message. */
export const anthropicSdk: Peer = async ({ chunks }) => {
  const message = await sdkStream(chunks).finalMessage();
  // The SDK parses an input when it is read; whoever asked for a tool call reads it.
  for (const block of message.content) if (block.type === 'tool_use') void block.input;
  return () => messageOutcome(message);
};

/** Measures the blocks of a final message. */
export function messageOutcome({ content }: Anthropic.Message): Outcome {
  return {
    textLength: content.reduce((length, block) => length + shownText(block).length, 0),
    inputLength: content.reduce(
      (length, block) => length + (block.type === 'tool_use' ? JSON.stringify(block.input).length : 0),
      0,
    ),
    blocks: content.length,
  };
}

function shownText(block: Anthropic.ContentBlock): string {
  if (block.type === 'text') return block.text;
  return block.type === 'thinking' ? block.thinking : '';
}
