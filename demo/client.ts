import Anthropic, { type ClientOptions, type Middleware } from '@anthropic-ai/sdk';
import { isJsonObject } from '../src/core/json-object.ts';
import { stringifyRequest } from '../src/index.ts';

/**
 * Sends tool input as the text that the model wrote.
 *
 * The SDK writes its bodies with `JSON.stringify`, for which `1.0` is `1` and a 20-digit id is another number. A
 * middleware is the SDK's own place to change a request; it runs once for every attempt.
 */
const verbatimToolInput: Middleware = (request, next, { options }) => {
  const body = options?.body;
  return next(isJsonObject(body) ? { ...request, body: stringifyRequest(body) } : request);
};

/** Makes the official SDK's client, with tool input kept verbatim. */
export function createClient(options: ClientOptions): Anthropic {
  return new Anthropic({ ...options, middleware: [verbatimToolInput] });
}
