import Anthropic from '@anthropic-ai/sdk';
import type { LoopbackClient } from './connection-laws.ts';

const request = {
  model: 'claude-local',
  max_tokens: 100,
  stream: true,
  messages: [{ role: 'user', content: 'Hello?' }],
} satisfies Anthropic.MessageCreateParamsStreaming;

/** The platform's own `fetch`. */
export const byFetch: LoopbackClient = {
  name: 'fetch',
  open: (url, signal) =>
    fetch(`${url}/v1/messages`, { method: 'POST', body: JSON.stringify(request), ...withSignal(signal) }),
};

/** The events as the official SDK has parsed them. */
const bySdkEvents: LoopbackClient = {
  name: 'the events of the SDK',
  open: (url, signal) => sdk(url).messages.create(request, withSignal(signal)),
};

/** The response that the official SDK got. */
const bySdkResponse: LoopbackClient = {
  name: 'the response of the SDK',
  open: (url, signal) => sdk(url).messages.create(request, withSignal(signal)).asResponse(),
};

/** All ways that must not differ in anything but who parses the events. */
export const anthropicClients: readonly LoopbackClient[] = [byFetch, bySdkEvents, bySdkResponse];

function sdk(url: string): Anthropic {
  return new Anthropic({ apiKey: 'unused', baseURL: url, maxRetries: 0, logLevel: 'off' });
}

function withSignal(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
