import { isJsonObject } from '../src/core/json-object.ts';
import { invalidRequest, type Message, type Refusal } from './messages.ts';
import { parseJson, rawElements, rawMembers } from './raw-json.ts';
import type { Service } from './service.ts';

/** What was understood of a request's body. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
}

/**
 * Reads the body of a request, keeping the text of every block.
 *
 * @returns The request, or why the provider would not look at it any further.
 */
export function readRequest(body: string, service: Service): ChatRequest | Refusal {
  const parsed = parseJson(body);
  if (!isJsonObject(parsed)) return invalidRequest('The request body is not valid JSON');
  const { model, messages } = parsed;
  if (typeof model !== 'string') return invalidRequest('model: Field required');
  if (messages === undefined) return invalidRequest('messages: Field required');
  if (!Array.isArray(messages)) return invalidRequest('messages: Input should be a valid list');
  if (messages.length === 0) return invalidRequest('messages: at least one message is required');
  const misshapen = messages.findIndex((message) => !service.isMessage(message));
  if (misshapen >= 0) return invalidRequest(`messages.${misshapen}: Input should be a message with role and content`);
  if (parsed['stream'] !== true) return invalidRequest('stream: this local provider only streams');
  return { model, messages: service.readMessages(rawElements(rawMembers(body).get('messages') ?? '[]')) };
}
