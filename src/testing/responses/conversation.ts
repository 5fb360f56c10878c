import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { Conversation, Message, Unit } from '../conversation.ts';

/** Reads what reasoning is bound to: instructions, tools, the format, the effort, and all items. */
export function conversationOf(body: JsonObject): Conversation {
  const { instructions = null, tools = [], text, reasoning, input } = body;
  const format = isJsonObject(text) ? text['format'] : undefined;
  const effort = isJsonObject(reasoning) ? reasoning['effort'] : undefined;
  const head = { instructions, tools, format, effort };
  if (typeof input === 'string') return { head, messages: [userMessage({ role: 'user', content: input }, 'input')] };
  return { head, messages: messagesOf(Array.isArray(input) ? input.filter(isJsonObject) : []) };
}

/** Items of the model that stand side by side are one turn; each of the client's stands for itself. */
function messagesOf(items: readonly JsonObject[]): readonly Message[] {
  const messages: (Message & { readonly units: Unit[] })[] = [];
  for (const [index, item] of items.entries()) {
    const path = `input[${index}]`;
    const last = messages.at(-1);
    if (!isOfModel(item)) messages.push(userMessage(item, path));
    else if (last?.by === 'model') last.units.push(unitOf(item, path));
    else messages.push({ by: 'model', path, units: [unitOf(item, path)], isResults: false });
  }
  return messages;
}

function userMessage(item: JsonObject, path: string): Message & { readonly units: Unit[] } {
  const isResults = String(item['type']).endsWith('_output');
  const { role, content } = item;
  // A text that stands for a whole content is one part, and a message need not say that it is one.
  const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content;
  const said = isResults ? item : { type: 'message', role, content: parts };
  return { by: 'client', path, units: [{ path, kind: 'other', content: said }], isResults };
}

function isOfModel({ type, role }: JsonObject): boolean {
  if (type === undefined || type === 'message') return role === 'assistant';
  return !String(type).endsWith('_output');
}

/** Ids and states are not part of what is said: without its reasoning an item goes back without its id. */
function unitOf({ id, status: _status, ...item }: JsonObject, path: string): Unit {
  const itemId = typeof id === 'string' ? id : undefined;
  switch (item['type'] ?? 'message') {
    case 'reasoning': {
      const { encrypted_content: seal, ...content } = item;
      const isStored = seal === undefined || seal === null;
      // Without either there is nothing by which it could be known.
      const text = isStored ? (itemId === undefined ? '' : undefined) : String(seal);
      return { path, kind: 'reasoning', itemId, content, seal: text };
    }
    case 'message':
      return { path, kind: 'text', itemId, content: { type: 'message', text: textOf(item['content']) } };
    case 'function_call': {
      const { type, call_id, name, arguments: input } = item;
      return { path, kind: 'call', id: String(call_id), itemId, content: { type, call_id, name, arguments: input } };
    }
    default:
      return { path, kind: 'other', itemId, content: item };
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isJsonObject)
    .map(({ text, refusal }) => (typeof text === 'string' ? text : typeof refusal === 'string' ? refusal : ''))
    .join('');
}
