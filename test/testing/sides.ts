import Anthropic from '@anthropic-ai/sdk';
import { type AnthropicEntry, type AnthropicMessage, anthropic } from '../../src/anthropic.ts';
import {
  assembleTurn,
  type Dialect,
  type JsonObject,
  stringifyRequest,
  type Turn,
  type TurnSource,
} from '../../src/index.ts';
import type { StrictProvider } from '../../src/testing.ts';

/** Where an official client finds a provider. */
export interface Where {
  readonly fetch?: StrictProvider;
  /** Instead of where the real one is. */
  readonly url?: string;
}

/** What a client of one wire needs. */
export interface Side<Entry, Item> {
  readonly name: string;
  readonly dialect: Dialect<Entry, Item>;
  /** Where `fetch` goes. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the `fetch` of its official client can be replaced. */
  readonly takesFetch: boolean;
  bodyOf(history: readonly Item[]): JsonObject;
  /** Asks by the official client. */
  open(history: readonly Item[], where: Where, signal?: AbortSignal): TurnSource;
}

const tools = ['weather', 'tides', 'roads'];
const schema = { type: 'object' as const, properties: { city: { type: 'string' } } };

const anthropicSettings = {
  model: 'claude-opus-5-5',
  max_tokens: 4096,
  thinking: { type: 'adaptive' as const },
  system: 'Answer briefly.',
  tools: tools.map((name) => ({ name, description: `Looks up ${name}.`, input_schema: schema })),
  stream: true as const,
};

/** Messages of Anthropic. */
export const anthropicSide: Side<AnthropicEntry, AnthropicMessage> = {
  name: 'anthropic',
  dialect: anthropic,
  url: 'https://api.anthropic.com/v1/messages',
  headers: { 'x-api-key': 'none', 'anthropic-version': '2023-06-01' },
  takesFetch: true,
  bodyOf: (messages) => ({ ...anthropicSettings, messages }),
  open(messages, where, signal) {
    const client = new Anthropic({
      apiKey: 'none',
      maxRetries: 0,
      logLevel: 'off',
      ...(where.fetch && { fetch: where.fetch }),
      ...(where.url !== undefined && { baseURL: where.url }),
    });
    const options = signal ? { signal } : {};
    return client.messages.create({ ...anthropicSettings, messages: [...messages] }, options).asResponse();
  },
};

/** Sends a body as it is. */
export function post<Entry, Item>(
  provider: StrictProvider,
  { url, headers }: Side<Entry, Item>,
  body: JsonObject,
): Promise<Response> {
  return provider(url, { method: 'POST', headers: { ...headers }, body: stringifyRequest(body) });
}

/** Asks for the turn behind a history. */
export function ask<Entry, Item>(
  provider: StrictProvider,
  side: Side<Entry, Item>,
  history: readonly Item[],
): Turn<Entry> {
  return assembleTurn(post(provider, side, side.bodyOf(history)), side.dialect);
}
