import { isJsonObject, type JsonObject } from '../src/core/json-object.ts';
import { rawElements, rawMembers } from './raw-json.ts';

/** A block of a message: its value, and the JSON text it was read from. */
export interface Block {
  readonly value: JsonObject;
  readonly source: string;
}

/** A message of a request. A content that is a string is one text block, as for the provider. */
export interface Message {
  readonly role: string;
  readonly content: readonly Block[];
}

/** What a request is refused with. */
export interface Refusal {
  /** The HTTP status. */
  readonly status: number;
  /** The provider's word for the kind of error. */
  readonly type: string;
  /** The provider's sentence. */
  readonly message: string;
}

/** What was understood of a request's body. */
export interface MessagesRequest {
  readonly model: string;
  readonly messages: readonly Message[];
}

/** Makes the refusal of a request that is wrong in itself. */
export function invalidRequest(message: string): Refusal {
  return { status: 400, type: 'invalid_request_error', message };
}

/** Makes a block of its JSON text. */
export function blockOf(source: string): Block {
  const value: unknown = JSON.parse(source);
  if (!isJsonObject(value)) throw new TypeError(`A block is a JSON object, not ${source}`);
  return { value, source };
}

/**
 * Reads the body of a request to `/v1/messages`, keeping the text of every block.
 *
 * @returns The request, or why the provider would not look at it any further.
 */
export function readRequest(body: string): MessagesRequest | Refusal {
  const parsed = parseJson(body);
  if (!isJsonObject(parsed)) return invalidRequest('The request body is not valid JSON');
  const { model, messages } = parsed;
  if (typeof model !== 'string') return invalidRequest('model: Field required');
  if (messages === undefined) return invalidRequest('messages: Field required');
  if (!Array.isArray(messages)) return invalidRequest('messages: Input should be a valid list');
  if (messages.length === 0) return invalidRequest('messages: at least one message is required');
  const misshapen = messages.findIndex((message) => !isMessage(message));
  if (misshapen >= 0) return invalidRequest(`messages.${misshapen}: Input should be a message with role and content`);
  if (parsed['stream'] !== true) return invalidRequest('stream: this local provider only streams');
  return { model, messages: rawElements(rawMembers(body).get('messages') ?? '[]').map(readMessage) };
}

function isMessage(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { role, content } = value;
  const isContent = typeof content === 'string' || (Array.isArray(content) && content.every(isJsonObject));
  return (role === 'user' || role === 'assistant') && isContent;
}

function readMessage(source: string): Message {
  const members = rawMembers(source);
  const content = members.get('content') ?? '[]';
  const sources = content.startsWith('[') ? rawElements(content) : [`{"type":"text","text":${content}}`];
  return { role: String(JSON.parse(members.get('role') ?? 'null')), content: sources.map(blockOf) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
