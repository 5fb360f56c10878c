import { type Content, GoogleGenAI, type Part } from '@google/genai';
import { type Chunk, responseOf } from '../chunkings.ts';
import type { Outcome, Peer } from '../peer.ts';

let answer: readonly Chunk[] = [];

const client = new GoogleGenAI({
  apiKey: 'none',
  httpOptions: { baseUrl: 'http://127.0.0.1', fetch: () => Promise.resolve(responseOf(answer)) },
});

/**
 * The official SDK's chat: `sendMessageStream` to its end, and the history that it sends with the next message. That
 * keeps each chunk as a content of its own, so no text and no arguments are put together.
 */
export const googleGenai: Peer = async ({ chunks }) => {
  answer = chunks;
  const chat = client.chats.create({ model: 'gemini-3.1-pro' });
  for await (const _chunk of await chat.sendMessageStream({ message: 'Go.' }));
  const [, ...contents] = chat.getHistory(true);
  return () => historyOutcome(contents);
};

function historyOutcome(contents: readonly Content[]): Outcome {
  const parts = contents.flatMap((content) => content.parts ?? []);
  const texts = parts.filter(({ text }) => text);
  const calls = parts.flatMap(({ functionCall }) => (functionCall?.name ? functionCall : []));
  return {
    textLength: texts.reduce((length, { text = '' }) => length + text.length, 0),
    inputLength: calls.reduce((length, { args }) => length + (args ? JSON.stringify(args).length : 0), 0),
    blocks: new Set(texts.map(({ thought }) => thought)).size + calls.length,
    ...(parts.some(isPiece) && { losesInput: true }),
  };
}

function isPiece({ functionCall }: Part): boolean {
  return functionCall?.partialArgs !== undefined;
}
