import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { stringifyRequest, type TurnSource } from '../../src/index.ts';

/** What a request may be made with. */
export interface OpenaiRequest {
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
  readonly messages?: readonly ChatCompletionMessageParam[];
}

/** One way to make a request for chat completions, and to hand its answer to `assembleTurn`. */
export interface OpenaiClient {
  readonly name: string;
  /**
   * Makes the request.
   *
   * @param url Where the server is.
   */
  open(url: string, request?: OpenaiRequest): TurnSource;
}

/** What the user says, if nothing else is. */
export const question: ChatCompletionMessageParam = { role: 'user', content: 'What do you see?' };

/** The platform's own `fetch`. */
const byFetch: OpenaiClient = {
  name: 'fetch',
  open: (url, request = {}) =>
    fetch(`${url}/chat/completions`, {
      method: 'POST',
      body: stringifyRequest(bodyOf(request)),
      ...withSignal(request),
    }),
};

/** The chunks as the official SDK has parsed them. */
export const bySdkChunks: OpenaiClient = {
  name: 'the chunks of the SDK',
  open: (url, request = {}) => sdk(url).chat.completions.create(bodyOf(request), withSignal(request)),
};

/** The response that the official SDK got. */
const bySdkResponse: OpenaiClient = {
  name: 'the response of the SDK',
  open: (url, request = {}) => sdk(url).chat.completions.create(bodyOf(request), withSignal(request)).asResponse(),
};

/** All ways that must not differ in anything but who parses the chunks. */
export const openaiClients: readonly OpenaiClient[] = [byFetch, bySdkChunks, bySdkResponse];

/** Those that see the bytes, and with them the sentinel, of which the SDK says nothing. */
export const clientsWithBytes: readonly OpenaiClient[] = [byFetch, bySdkResponse];

/** Made for each request, for the SDK keeps the `fetch` that it finds. */
function sdk(url: string): OpenAI {
  return new OpenAI({ apiKey: 'unused', baseURL: url, maxRetries: 0, logLevel: 'off' });
}

function bodyOf({ messages = [question] }: OpenaiRequest): OpenAI.ChatCompletionCreateParamsStreaming {
  return { model: 'local', stream: true, messages: [...messages] };
}

function withSignal({ signal }: OpenaiRequest): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
