import { isJsonObject, type JsonObject } from '../../src/core/json-object.ts';
import { type Block, type Message, unmarked } from '../messages.ts';
import { rawElements, rawMembers } from '../raw-json.ts';
import type { ScriptedBlock } from '../script.ts';

const requiredFields: Readonly<Record<string, readonly string[]>> = {
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  text: ['type', 'text'],
  tool_use: ['type', 'id', 'name', 'input'],
};

/** Makes a block of its JSON text; `index` is its place in the content. */
export function blockOf(source: string, index: number): Block {
  const value: JsonObject = unmarked(JSON.parse(source));
  return { value, source, place: `content.${index}`, type: String(value['type']) };
}

/** The block as the provider keeps it: JSON text in the provider's own shape. */
export function sourceOf(block: ScriptedBlock): string {
  if (block.type !== 'tool_use') return JSON.stringify(block);
  const { type, id, name, inputText } = block;
  return `${JSON.stringify({ type, id, name }).slice(0, -1)},"input":${inputText}}`;
}

/** Whether a value has the shape of a message. */
export function isMessage(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { role, content } = value;
  const isContent = typeof content === 'string' || (Array.isArray(content) && content.every(isJsonObject));
  return (role === 'user' || role === 'assistant') && isContent;
}

/** Reads messages from their JSON texts. A content that is a string is one text block, as for the provider. */
export function readMessages(sources: readonly string[]): Message[] {
  return sources.map((source, index) => {
    const members = rawMembers(source);
    const content = members.get('content') ?? '[]';
    const blocks = content.startsWith('[') ? rawElements(content) : [`{"type":"text","text":${content}}`];
    const role = String(JSON.parse(members.get('role') ?? 'null'));
    return { path: `messages.${index}`, role, content: blocks.map(blockOf) };
  });
}

/** Says which field of an answer is missing, or too many; null if none is. */
export function findWrongField(messages: readonly Message[]): string | null {
  for (const { path, role, content } of messages) {
    if (role !== 'assistant') continue;
    if (content.length === 0) return `${path}: ${mustNotBeEmpty}`;
    for (const block of content) {
      const problem = describeWrongField(block);
      if (problem !== null) return `${path}.${block.place}.${problem}`;
    }
  }
  return null;
}

function describeWrongField(block: Block): string | null {
  const required = requiredFields[block.type];
  if (!required) return null;
  const missing = required.find((key) => !(key in block.value));
  if (missing !== undefined) return `${block.type}.${missing}: Field required`;
  const extra = Object.keys(block.value).find((key) => !required.includes(key));
  return extra === undefined ? null : `${block.type}.${extra}: Extra inputs are not permitted`;
}

const mustNotBeEmpty = 'all messages must have non-empty content except for the optional final assistant message';
