import OpenAI from 'openai';
import { type Chunk, responseOf } from '../chunkings.ts';
import type { Peer } from '../peer.ts';

let answer: readonly Chunk[] = [];

const client = new OpenAI({
  apiKey: 'none',
  baseURL: 'http://127.0.0.1',
  maxRetries: 0,
  fetch: () => Promise.resolve(responseOf(answer)),
});

/** The official SDK's `.stream()` without a listener, up to its final completion. It keeps the last reasoning only. */
export const openaiSdk: Peer = async ({ chunks }) => {
  answer = chunks;
  const stream = client.chat.completions.stream({
    model: 'anthropic/claude-opus-5',
    messages: [{ role: 'user', content: 'Go.' }],
  });
  const { choices, usage } = await stream.finalChatCompletion();
  return () => {
    const message = choices[0]?.message;
    const calls = message?.tool_calls?.filter((call) => call.type === 'function') ?? [];
    const parts = message && usage ? [message.content, Reflect.get(message, 'reasoning_details')] : [];
    return {
      textLength: message?.content?.length ?? 0,
      inputLength: calls.reduce((length, call) => length + call.function.arguments.length, 0),
      blocks: parts.filter(Boolean).length + calls.length,
      losesReasoning: true,
    };
  };
};
