import Anthropic from '@anthropic-ai/sdk';
import { type Content, type FunctionDeclaration, GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { type AnthropicEntry, type AnthropicMessage, anthropic } from '../../src/anthropic.ts';
import { type ChatCompletionsEntry, type ChatMessage, chatCompletions } from '../../src/chat-completions.ts';
import { type GeminiContent, type GeminiEntry, gemini } from '../../src/gemini.ts';
import {
  assembleTurn,
  type Dialect,
  type JsonObject,
  stringifyRequest,
  type Turn,
  type TurnSource,
} from '../../src/index.ts';
import { type ResponsesEntry, type ResponsesItem, responses } from '../../src/responses.ts';
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

const functions = tools.map((name) => ({ name, description: `Looks up ${name}.`, parameters: { ...schema } }));

/** Chat completions of one model. */
function chatSide(name: string, model: string): Side<ChatCompletionsEntry, ChatMessage> {
  const settings = {
    model,
    stream: true as const,
    tools: functions.map((tool) => ({ type: 'function' as const, function: tool })),
  };
  const bodyOf = (messages: readonly ChatMessage[]) => ({
    ...settings,
    messages: [{ role: 'system' as const, content: 'Answer briefly.' }, ...messages],
  });
  return {
    name,
    dialect: chatCompletions,
    url: 'https://openrouter.ai/api/v1/chat/completions',
    headers: { authorization: 'Bearer none' },
    bodyOf,
    open(messages, { fetch, url }, signal) {
      const baseURL = url === undefined ? 'https://openrouter.ai/api/v1' : `${url}/api/v1`;
      const client = openai({ fetch, url: baseURL });
      const body = bodyOf(messages) as OpenAI.ChatCompletionCreateParamsStreaming;
      return client.chat.completions.create(body, signal ? { signal } : {}).asResponse();
    },
  };
}

/** Claude behind a gateway. */
export const gatewaySide: Side<ChatCompletionsEntry, ChatMessage> = chatSide(
  'chat completions, reasoning_details',
  'anthropic/claude-opus-5.5',
);
/** A model whose reasoning nobody signs. */
export const deepseekSide: Side<ChatCompletionsEntry, ChatMessage> = chatSide(
  'chat completions, reasoning_content',
  'deepseek/deepseek-v4',
);

/** Responses with nothing stored. */
export const responsesSide: Side<ResponsesEntry, ResponsesItem> = {
  name: 'responses',
  dialect: responses({ store: false }),
  url: 'https://api.openai.com/v1/responses',
  headers: { authorization: 'Bearer none' },
  bodyOf: (input) => ({
    model: 'gpt-6',
    store: false,
    include: ['reasoning.encrypted_content'],
    instructions: 'Answer briefly.',
    stream: true,
    tools: functions.map((tool) => ({ type: 'function', strict: false, ...tool })),
    input,
  }),
  open(input, { fetch, url }, signal) {
    const client = openai({ fetch, url: url === undefined ? 'https://api.openai.com/v1' : `${url}/v1` });
    const body = this.bodyOf(input) as unknown as OpenAI.Responses.ResponseCreateParamsStreaming;
    return client.responses.create(body, signal ? { signal } : {}).asResponse();
  },
};

const geminiModel = 'gemini-3.5-flash';

/** Contents of Gemini. Its client has the `fetch` of the platform, and nothing but parsed chunks. */
export const geminiSide: Side<GeminiEntry, GeminiContent> = {
  name: 'gemini',
  dialect: gemini,
  url: `https://generativelanguage.googleapis.com/v1beta/models/${geminiModel}:streamGenerateContent?alt=sse`,
  headers: { 'x-goog-api-key': 'none' },
  bodyOf: (contents) => ({
    systemInstruction: { parts: [{ text: 'Answer briefly.' }] },
    tools: [{ functionDeclarations: functions }],
    contents,
  }),
  open:
    (contents, { fetch: sendBy, url }, own) =>
    (signal) => {
      const httpOptions = { ...(url !== undefined && { baseUrl: url }), ...(sendBy && { fetch: sendBy }) };
      const client = new GoogleGenAI({ apiKey: 'none', httpOptions });
      return client.models.generateContentStream({
        model: geminiModel,
        contents: [...contents] as Content[],
        config: {
          systemInstruction: 'Answer briefly.',
          tools: [{ functionDeclarations: functions as unknown as FunctionDeclaration[] }],
          automaticFunctionCalling: { disable: true },
          abortSignal: own ? AbortSignal.any([signal, own]) : signal,
        },
      });
    },
};

function openai({ fetch, url }: { readonly fetch?: StrictProvider | undefined; readonly url: string }): OpenAI {
  return new OpenAI({ apiKey: 'none', maxRetries: 0, logLevel: 'off', baseURL: url, ...(fetch && { fetch }) });
}

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
