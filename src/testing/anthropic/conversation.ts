import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { Conversation, Message, Unit } from '../conversation.ts';

/** Reads what a thinking block is signed for: instructions, tools, and the blocks of all messages. */
export function conversationOf({ system, tools, messages }: JsonObject): Conversation {
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [];
  return { head: { system: blocksOf(system), tools: tools ?? [] }, messages: list.filter(isJsonObject).map(messageOf) };
}

function messageOf({ role, content }: JsonObject, index: number): Message {
  const path = `messages.${index}`;
  const units = blocksOf(content).map((block, at) => unitOf(block, `${path}.content.${at}`));
  return {
    by: role === 'assistant' ? 'model' : 'client',
    path,
    // An empty text is left out on the way back, for it is refused; nothing is lost with it.
    units: units.filter(({ content: block }) => block['type'] !== 'text' || block['text'] !== ''),
    isResults: units.some(({ content: block }) => block['type'] === 'tool_result'),
  };
}

/** A text that stands for a whole content is one text block. */
function blocksOf(content: unknown): readonly JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

function unitOf(block: JsonObject, path: string): Unit {
  switch (block['type']) {
    case 'thinking': {
      const { signature, ...content } = block;
      return { path, kind: 'reasoning', content, seal: String(signature) };
    }
    case 'redacted_thinking': {
      const { data, ...content } = block;
      return { path, kind: 'reasoning', content, seal: String(data) };
    }
    case 'text':
      return { path, kind: 'text', content: block };
    case 'tool_use':
      return { path, kind: 'call', content: block, id: String(block['id']) };
    default:
      return { path, kind: 'other', content: block };
  }
}
