import { isJsonObject, type JsonObject } from '../../src/core/json-object.ts';
import type { Block, Message } from '../messages.ts';
import { type ScriptedAnswer, type ScriptedStep, type ScriptedThought, sealsOf, stepsOf } from '../script.ts';

/** A part of a reasoning item that is shown. */
export interface SummaryPart {
  readonly type: 'summary_text';
  readonly text: string;
}

/** A part of a message. */
export interface OutputText {
  readonly type: 'output_text';
  readonly annotations: readonly unknown[];
  readonly logprobs: readonly unknown[];
  readonly text: string;
}

/** One item of an answer, whole, with its members in the order in which the service writes them. */
export type Item =
  | {
      readonly id: string;
      readonly type: 'reasoning';
      readonly encrypted_content: string;
      readonly summary: readonly SummaryPart[];
    }
  | {
      readonly id: string;
      readonly type: 'message';
      readonly status: string;
      readonly content: readonly OutputText[];
      readonly phase: 'commentary' | 'final_answer';
      readonly role: 'assistant';
    }
  | {
      readonly id: string;
      readonly type: 'function_call';
      readonly status: string;
      readonly arguments: string;
      readonly call_id: string;
      readonly name: string;
    };

/** The items of an answer: thinking that stands side by side is one reasoning item, a part of its summary each. */
export function itemsOf(answer: ScriptedAnswer): Item[] {
  return stepsOf(answer).map((step, index) =>
    'thoughts' in step ? reasoningItem(answer, index, step.thoughts) : itemOf(answer, index, step),
  );
}

/** What the ids of an answer end with. */
export function suffixOf({ id }: ScriptedAnswer): string {
  return id.replace('msg_', '');
}

/** Makes a block of an item's JSON text; `index` is its place among the items it came with. */
export function blockOf(source: string, index: number): Block {
  const value: JsonObject = JSON.parse(source);
  return { value, source, place: String(index), type: typeOf(value) };
}

/** Whether a value has the shape of an input item. */
export function isItem(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { role, content, output, summary } = value;
  switch (typeOf(value)) {
    case 'message':
      return typeof role === 'string' && isTextOrList(content);
    case 'function_call':
      return hasTexts(value, 'call_id', 'name', 'arguments');
    case 'function_call_output':
      return hasTexts(value, 'call_id') && isTextOrList(output);
    case 'reasoning':
      return Array.isArray(summary);
    default:
      return hasTexts(value, 'type');
  }
}

/** Reads items from their JSON texts: those of the model that stand side by side are one message, so are all others. */
export function readItems(sources: readonly string[]): Message[] {
  const messages: (Message & { content: Block[] })[] = [];
  for (const [index, source] of sources.entries()) {
    const last = messages.at(-1);
    const role = isOfModel(blockOf(source, 0)) ? 'assistant' : 'user';
    if (last?.role === role) last.content.push(blockOf(source, last.content.length));
    else messages.push({ path: 'input', first: index, role, content: [blockOf(source, 0)] });
  }
  return messages;
}

function reasoningItem(answer: ScriptedAnswer, index: number, thoughts: readonly ScriptedThought[]): Item {
  return {
    id: `rs_${suffixOf(answer)}_${index}`,
    type: 'reasoning',
    encrypted_content: ciphertextOf(thoughts),
    summary: thoughts.flatMap((thought) =>
      thought.type === 'thinking' ? { type: 'summary_text', text: thought.thinking } : [],
    ),
  };
}

function itemOf(answer: ScriptedAnswer, index: number, block: Exclude<ScriptedStep, { thoughts: unknown }>): Item {
  if (block.type === 'text') {
    return {
      id: `msg_${suffixOf(answer)}_${index}`,
      type: 'message',
      status: 'completed',
      content: [{ type: 'output_text', annotations: [], logprobs: [], text: block.text }],
      phase: answer.stopReason === 'tool_use' ? 'commentary' : 'final_answer',
      role: 'assistant',
    };
  }
  const { id, name, inputText } = block;
  return {
    id: id.replace('toolu_', 'fc_'),
    type: 'function_call',
    status: 'completed',
    arguments: inputText,
    call_id: id.replace('toolu_', 'call_'),
    name,
  };
}

/** Looks like the service's ciphertext, and depends on all that was thought. */
function ciphertextOf(thoughts: readonly ScriptedThought[]): string {
  return `gAAAAAB${Buffer.from(sealsOf(thoughts)).toString('base64url')}`;
}

/** A message may leave out that it is one. */
function typeOf({ type, role }: JsonObject): string {
  return String(type ?? (role === undefined ? undefined : 'message'));
}

function isOfModel({ value, type }: Block): boolean {
  return type === 'message' ? value['role'] === 'assistant' : !type.endsWith('_output');
}

function hasTexts(value: JsonObject, ...keys: readonly string[]): boolean {
  return keys.every((key) => typeof value[key] === 'string');
}

function isTextOrList(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every(isJsonObject));
}
