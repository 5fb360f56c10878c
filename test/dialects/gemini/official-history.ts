import { GoogleGenAI } from '@google/genai';
import { vi } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';

/** What the chat of the official client made of a stream: the contents of its model, and what it threw. */
export interface OfficialOutcome {
  readonly contents: readonly JsonObject[];
  readonly error: unknown;
}

/** Sends a message through the chat of the official client, which gets this body, and returns its history of it. */
export async function officialOutcome(body: Uint8Array<ArrayBuffer> | string): Promise<OfficialOutcome> {
  const answer = (): Promise<Response> =>
    Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  vi.stubGlobal('fetch', answer);
  try {
    const chat = new GoogleGenAI({ apiKey: 'none' }).chats.create({ model: 'gemini-test' });
    const error = await readAll(await chat.sendMessageStream({ message: 'Hello?' }));
    const contents = chat.getHistory().filter(({ role }) => role === 'model');
    return { contents: JSON.parse(JSON.stringify(contents)) as JsonObject[], error };
  } finally {
    vi.unstubAllGlobals();
  }
}

async function readAll(stream: AsyncIterable<unknown>): Promise<unknown> {
  try {
    for await (const _chunk of stream);
    return undefined;
  } catch (error) {
    return error;
  }
}
