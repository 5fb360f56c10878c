import { isJsonObject } from '../src/core/json-object.ts';
import { invalidRequest, type Message, type Refusal } from './messages.ts';
import { parseJson, rawElements, rawMembers } from './raw-json.ts';
import type { Service } from './service.ts';

/** What was understood of a request. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
}

/**
 * Reads a request, keeping the text of every block.
 *
 * @returns The request, or why the provider would not look at it any further.
 */
export function readRequest(address: URL, body: string, service: Service): ChatRequest | Refusal {
  const parsed = parseJson(body);
  if (!isJsonObject(parsed)) return invalidRequest('The request body is not valid JSON');
  const { model, isStreaming } = service.readHead(address, parsed);
  if (typeof model !== 'string') return invalidRequest('model: Field required');
  const { field, unit, shape } = service.history;
  const history = parsed[field];
  if (history === undefined) return invalidRequest(`${field}: Field required`);
  if (!Array.isArray(history)) return invalidRequest(`${field}: Input should be a valid list`);
  if (history.length === 0) return invalidRequest(`${field}: at least one ${unit} is required`);
  const misshapen = history.findIndex((element) => !service.isMessage(element));
  if (misshapen >= 0) return invalidRequest(`${field}.${misshapen}: Input should be ${shape}`);
  if (!isStreaming) return invalidRequest('stream: this local provider only streams');
  return { model, messages: service.readMessages(rawElements(rawMembers(body).get(field) ?? '[]')) };
}
