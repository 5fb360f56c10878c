import Anthropic, { type Middleware } from '@anthropic-ai/sdk';
import { anthropic } from '../../src/anthropic.ts';
import { isJsonObject } from '../../src/core/json-object.ts';
import { assembleTurn, createTranscript, stringifyRequest } from '../../src/index.ts';
import { resultOf, tools } from '../tools.ts';
import type { Access, Client } from '../wire.ts';

type MessageParam = Anthropic.MessageParam;

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
export function createAnthropicClient({ model, ...access }: Access): Client<MessageParam> {
  const client = new Anthropic({ ...access, authToken: null, middleware: [verbatimToolInput] });
  const settings = {
    model,
    max_tokens: 4096,
    thinking: { type: 'adaptive', display: 'summarized' },
    tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
    stream: true,
  } satisfies Omit<Anthropic.MessageCreateParamsStreaming, 'messages'>;

  return {
    send(history, signal) {
      const response = client.messages.create({ ...settings, messages: [...history] }, { signal }).asResponse();
      return assembleTurn(response, anthropic, { signal });
    },
    begin: () => createTranscript(anthropic),
    run: resultOf,
    mistakes: [{ title: 'of the answer only the tool calls are kept', make: onlyToolCalls }],
  };
}

/** Keeps of each answer the tool calls, since they are all that the tools need. */
export function onlyToolCalls(messages: readonly MessageParam[]): MessageParam[] {
  return messages.map((message) =>
    message.role === 'assistant' && typeof message.content !== 'string'
      ? { ...message, content: message.content.filter(({ type }) => type === 'tool_use') }
      : message,
  );
}
