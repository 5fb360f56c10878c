import OpenAI from 'openai';
import type {
  ResponseCreateParamsStreaming,
  ResponseInput,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { stringifyRequest, type TurnSource } from '../../src/index.ts';
import type { LoopbackClient } from './connection-laws.ts';

/** What a request may be made with. */
export interface ResponsesRequest {
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
  /** The response that it goes on from. */
  readonly previous_response_id?: string;
  readonly input?: ResponseInput;
}

/** One way to make a request for a response, and to hand its answer to `assembleTurn`. */
export interface ResponsesClient {
  readonly name: string;
  /**
   * Makes the request.
   *
   * @param url Where the server is.
   */
  open(url: string, request?: ResponsesRequest): TurnSource;
  /** The text that it sends of a body. */
  write(body: unknown): string;
}

/** What the user says, if nothing else is. */
export const question: ResponseInputItem = { role: 'user', content: 'What do you see?' };

/** The platform's own `fetch`. */
export const byFetch: ResponsesClient = {
  name: 'fetch',
  open: (url, request = {}) =>
    fetch(`${url}/responses`, { method: 'POST', body: stringifyRequest(bodyOf(request)), ...withSignal(request) }),
  write: stringifyRequest,
};

/** The events as the official SDK has parsed them. */
export const bySdkEvents: ResponsesClient = {
  name: 'the events of the SDK',
  open: (url, request = {}) => sdk(url).responses.create(bodyOf(request), withSignal(request)),
  write: JSON.stringify,
};

/** The response that the official SDK got. */
const bySdkResponse: ResponsesClient = {
  name: 'the response of the SDK',
  open: (url, request = {}) => sdk(url).responses.create(bodyOf(request), withSignal(request)).asResponse(),
  write: JSON.stringify,
};

/** All ways that must not differ in anything but who parses the events. */
export const responsesClients: readonly ResponsesClient[] = [byFetch, bySdkEvents, bySdkResponse];

/** Those that see the bytes. */
export const clientsWithBytes: readonly ResponsesClient[] = [byFetch, bySdkResponse];

/** A client as the laws of connections want it. */
export function asLoopbackClient({ name, open }: ResponsesClient): LoopbackClient {
  return { name, open: (url, signal) => open(url, { signal }) };
}

/** The body of a request, in the order of its members. */
export function bodyOf({ signal: _signal, ...request }: ResponsesRequest): ResponseCreateParamsStreaming {
  return { model: 'gpt-local', stream: true, ...(request.input ? request : { ...request, input: [question] }) };
}

/** Made for each request, for the SDK keeps the `fetch` that it finds. */
function sdk(url: string): OpenAI {
  return new OpenAI({ apiKey: 'unused', baseURL: url, maxRetries: 0, logLevel: 'off' });
}

function withSignal({ signal }: ResponsesRequest): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
