import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { Conversation, Message, Unit } from '../conversation.ts';

/** Reads what reasoning is signed for: the tools, and all messages, the instructions among them. */
export function conversationOf({ tools, messages }: JsonObject): Conversation {
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [];
  return { head: { tools: tools ?? [] }, messages: list.filter(isJsonObject).map(messageOf) };
}

function messageOf(message: JsonObject, index: number): Message {
  const path = `messages.${index}`;
  const { role } = message;
  if (role === 'assistant') return { by: 'model', path, units: unitsOf(message, path), isResults: false };
  return { by: 'client', path, units: [{ path, kind: 'other', content: message }], isResults: role === 'tool' };
}

/** What a gateway has to make the model's own blocks of: details, then text, then calls. */
function unitsOf(message: JsonObject, path: string): readonly Unit[] {
  const details = objectsIn(message['reasoning_details']).map((detail, at) =>
    detailUnit(detail, `${path}.reasoning_details.${at}`),
  );
  const calls = objectsIn(message['tool_calls']).map((call, at) => callUnit(call, `${path}.tool_calls.${at}`));
  const plain = plainReasoning(message, path);
  const text = textOf(message['content']);
  return [
    ...details,
    // Beside the details the strings only mirror them.
    ...(details.length === 0 ? plain : []),
    ...(text === '' ? [] : [{ path: `${path}.content`, kind: 'text' as const, content: { type: 'text', text } }]),
    ...calls,
  ];
}

function detailUnit({ type, signature, data, ...detail }: JsonObject, path: string): Unit {
  if (type === 'reasoning.encrypted') {
    return { path, kind: 'reasoning', content: { ...detail, type }, seal: String(data) };
  }
  if (type !== 'reasoning.text') return { path, kind: 'reasoning', content: { ...detail, type }, seal: '' };
  // A thought whose text is omitted may come without the member.
  const { text = '', ...rest } = detail;
  return { path, kind: 'reasoning', content: { ...rest, type, text }, seal: String(signature ?? '') };
}

/** Thinking in a field of its own is not signed. */
function plainReasoning({ reasoning_content: text }: JsonObject, path: string): readonly Unit[] {
  if (typeof text !== 'string' || text === '') return [];
  return [{ path: `${path}.reasoning_content`, kind: 'reasoning', content: { type: 'reasoning_content', text } }];
}

function callUnit(call: JsonObject, path: string): Unit {
  const { id, function: called } = call;
  const { name, arguments: text } = Object(called) as JsonObject;
  return { path, kind: 'call', id: String(id), content: { type: 'call', id, name, arguments: text } };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}

function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
