import { type Content, type GenerateContentConfig, type GenerateContentResponse, GoogleGenAI } from '@google/genai';
import { stringifyRequest, type TurnSource } from '../../src/index.ts';
import type { LoopbackClient } from './connection-laws.ts';

/** What a request may be made with. */
export interface GeminiRequest {
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
  readonly contents?: readonly Content[];
}

/** One way to ask for a stream of `generateContent`, and to hand its answer to `assembleTurn`. */
export interface GeminiClient extends Pick<LoopbackClient, 'name' | 'halfEvent'> {
  /**
   * Makes the request.
   *
   * @param url Where the server is.
   */
  open(url: string, request?: GeminiRequest): TurnSource;
}

/** What the user says, if nothing else is. */
export const question: Content = { role: 'user', parts: [{ text: 'What do you see?' }] };

const model = 'gemini-local';

/** The platform's own `fetch`. */
export const byFetch: GeminiClient = {
  name: 'fetch',
  open: (url, { contents = [question], signal } = {}) =>
    fetch(`${url}/v1beta/models/${model}:streamGenerateContent?alt=sse`, {
      method: 'POST',
      body: stringifyRequest({ contents }),
      ...(signal && { signal }),
    }),
};

/** The chunks as the official SDK has parsed them; it is stopped by the signal that it gets, and by nothing else. */
export const bySdkChunks: GeminiClient = {
  name: 'the chunks of the SDK',
  open:
    (url, { signal, ...request } = {}) =>
    (own) =>
      sdkStream(url, request, { abortSignal: signal ? AbortSignal.any([own, signal]) : own }),
  halfEvent: 'failed',
};

/** Both ways. */
export const geminiClients: readonly GeminiClient[] = [byFetch, bySdkChunks];

/** The stream of the SDK, as it is. */
export function sdkStream(
  url: string,
  { contents = [question] }: GeminiRequest,
  config?: GenerateContentConfig,
): Promise<AsyncGenerator<GenerateContentResponse>> {
  const client = new GoogleGenAI({ apiKey: 'unused', httpOptions: { baseUrl: url } });
  return client.models.generateContentStream({ model, contents: [...contents], ...(config && { config }) });
}

/** A client as the laws of connections want it. */
export function asLoopbackClient({ open, ...client }: GeminiClient): LoopbackClient {
  return { ...client, open: (url, signal) => open(url, { signal }) };
}
