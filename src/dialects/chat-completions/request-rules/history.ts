import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import { type Found, refused, spoiled } from '../../../core/request-rule.ts';
import { type FamilyName, reasoningFamily } from '../families.ts';

/** One call of a message, and where it stands. */
export interface PlacedCall {
  /** Such as `messages[1].tool_calls[0]`. */
  readonly path: string;
  /** Its id; empty where it has none. */
  readonly id: string;
  readonly native: JsonObject;
}

/** One message of a request, and where it stands. */
export interface PlacedMessage {
  /** Such as `messages[1]`. */
  readonly path: string;
  readonly role: unknown;
  readonly native: JsonObject;
  readonly calls: readonly PlacedCall[];
}

/** The messages of a request in order; what is no message is left out. */
export function messagesOf({ messages }: JsonObject): readonly PlacedMessage[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((native: unknown, index) => {
    const path = `messages[${index}]`;
    return isJsonObject(native) ? { path, role: native['role'], native, calls: callsOf(native, path) } : [];
  });
}

/** The assistant messages of a request in order. */
export function answersOf(body: JsonObject): readonly PlacedMessage[] {
  return messagesOf(body).filter(({ role }) => role === 'assistant');
}

function callsOf({ tool_calls: calls }: JsonObject, path: string): readonly PlacedCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((native: unknown, index) =>
    isJsonObject(native) ? { path: `${path}.tool_calls[${index}]`, id: textOf(native['id']), native } : [],
  );
}

/** A message with calls, or none, and the tool messages directly behind it. */
export interface Exchange {
  readonly calls: readonly PlacedCall[];
  readonly results: readonly PlacedMessage[];
}

/** Each run of tool messages with the message before it, and each message with calls. */
export function exchangesOf(body: JsonObject): readonly Exchange[] {
  let exchange: { calls: readonly PlacedCall[]; results: PlacedMessage[] } = { calls: [], results: [] };
  const exchanges = [exchange];
  for (const message of messagesOf(body)) {
    if (message.role === 'tool') exchange.results.push(message);
    else {
      exchange = { calls: message.role === 'assistant' ? message.calls : [], results: [] };
      exchanges.push(exchange);
    }
  }
  return exchanges;
}

/** The assistant messages of the tool cycle that the request goes on with; none where no cycle is open. */
export function openCycle(body: JsonObject): readonly PlacedMessage[] {
  const messages = messagesOf(body);
  const last = messages.at(-1);
  const isOpen = last?.role === 'tool' || (last?.role === 'assistant' && last.calls.length > 0);
  if (!isOpen) return [];
  const start = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(start + 1).filter(({ role }) => role === 'assistant');
}

/** The family of the request's model. */
export function familyOf({ model }: JsonObject): FamilyName {
  return reasoningFamily(typeof model === 'string' ? model : null).name;
}

/** Families that their own vendors serve, and check; of other models each server has its own mind. */
const hosted = new Set<FamilyName>(['claude', 'gpt', 'gemini', 'grok', 'deepseek', 'kimi', 'mistral']);

/** A finding of what the vendors' servers refuse: a warning where another may answer, and take it. */
export function byVendor(body: JsonObject, path: string, message: string): Found {
  return (hosted.has(familyOf(body)) ? refused : spoiled)(path, message);
}

/** Whether Mistral's own API answers: its models have plain names there. */
export function isMistralApi(body: JsonObject): boolean {
  return familyOf(body) === 'mistral' && !/\/|instruct/.test(textOf(body['model']));
}

/** Whether the request is for OpenRouter: it has parameters or a model id that only this gateway knows. */
export function isOpenRouter(body: JsonObject): boolean {
  const { model, provider } = body;
  if (isJsonObject(provider) || Array.isArray(body['models']) || Array.isArray(body['transforms'])) return true;
  return /^openrouter\/|:(?:free|nitro|floor|online|exacto|extended)$/.test(textOf(model));
}

/** A value if it is text, else "". */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Null is how a body says that a member is not given. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
