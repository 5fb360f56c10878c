import type { BlockRecord } from '../../core/block-record.ts';
import { isJsonObject } from '../../core/json-object.ts';
import { createRepairs } from '../../core/repairs.ts';
import type { Repair, RepairCode, ToolCall } from '../../core/turn.ts';
import type { Slot } from './output-items.ts';

/** A part of a message. */
export type ResponsesMessagePart =
  | { type: 'output_text'; text: string; annotations: never[] }
  | { type: 'refusal'; refusal: string };

/** A message as it goes back: with its `phase`, where the model gave it one. */
export interface ResponsesMessage {
  type: 'message';
  id: string;
  role: 'assistant';
  status: 'in_progress' | 'completed' | 'incomplete';
  content: ResponsesMessagePart[];
  phase?: 'commentary' | 'final_answer' | null;
}

/** A reasoning item as it goes back: its ciphertext and its id are those of one event. */
export interface ResponsesReasoning {
  type: 'reasoning';
  id: string;
  summary: { type: 'summary_text'; text: string }[];
  content?: { type: 'reasoning_text'; text: string }[];
  encrypted_content?: string | null;
  status?: 'in_progress' | 'completed' | 'incomplete';
}

/** A call of a function as it goes back: its arguments are the text that came. */
export interface ResponsesFunctionCall {
  type: 'function_call';
  id?: string;
  call_id: string;
  name: string;
  arguments: string;
  status?: 'in_progress' | 'completed' | 'incomplete';
}

/** A call of a custom tool as it goes back. */
export interface ResponsesCustomToolCall {
  type: 'custom_tool_call';
  id?: string;
  call_id: string;
  name: string;
  input: string;
}

/**
 * One output item as it goes back.
 *
 * Items that are none of these (hosted tools, compaction, items that nobody knows yet) go back as they came too,
 * whatever the type says.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create#responses-create-input
 */
export type ResponsesEntry = ResponsesMessage | ResponsesReasoning | ResponsesFunctionCall | ResponsesCustomToolCall;

/** What goes back of a complete response, and how it differs from what came. */
export interface Entries {
  readonly entries: readonly ResponsesEntry[];
  readonly toolCalls: readonly ToolCall[];
  readonly repairs: readonly Repair[];
}

/** One item with the block that it became. */
interface Part {
  readonly block: BlockRecord;
  readonly isRenamed: boolean;
}

/**
 * Makes the items that go back of those of a complete response.
 *
 * They stay as they are, in the order of their places; what the service would refuse is left out, with a repair each.
 *
 * @param store Whether the service keeps its answers, so that an id alone names a reasoning item.
 */
export function buildEntries(slots: readonly Slot[], store: boolean): Entries {
  const { repairs, repair } = createRepairs();
  const inPlace = [...slots].sort((a, b) => a.place - b.place);
  const parts = inPlace.flatMap(({ item }): Part[] => (item ? [item] : []));

  const sound = new Set(parts.filter(({ block }) => faultOf(block, store) === undefined));
  for (const { block, isRenamed } of parts) {
    const code = faultOf(block, store) ?? (isRenamed ? 'duplicate_id' : undefined);
    if (code) repair(code, block.index);
  }
  const lonely = lonelyReasoning(parts, sound);
  for (const [{ block }, code] of lonely) if (faultOf(block, store) === undefined) repair(code, block.index);

  const kept = parts.filter((part) => sound.has(part) && !lonely.has(part));
  return {
    entries: kept.map(({ block }) => block.native as ResponsesEntry),
    toolCalls: kept.flatMap(({ block }) => block.toolCall ?? []),
    repairs: repairs(),
  };
}

/**
 * Reasoning goes only with what follows it: the service refuses an item without its follower. What follows is all up to
 * the next reasoning; of parallel calls one that goes back is enough, for it would be refused without its reasoning.
 */
function lonelyReasoning(parts: readonly Part[], sound: ReadonlySet<Part>): Map<Part, RepairCode> {
  const lonely = new Map<Part, RepairCode>();
  let followers: { readonly areSound: boolean } | undefined;
  let isInRun = false;
  for (const part of [...parts].reverse()) {
    const isReasoning = part.block.kind === 'reasoning';
    if (isReasoning && !followers?.areSound) lonely.set(part, followers ? 'unpaired' : 'trailing_reasoning');
    if (!isReasoning) followers = { areSound: sound.has(part) || (!isInRun && followers?.areSound === true) };
    isInRun = isReasoning;
  }
  return lonely;
}

/** Items go back verbatim; arguments that are no JSON too, for the service only wants the call answered. */
function faultOf({ state, kind, name, native }: BlockRecord, store: boolean): RepairCode | undefined {
  if (state === 'invalid') return name === undefined ? 'nameless_call' : undefined;
  if (state !== 'finished') return state;
  return kind === 'reasoning' && !store && !isSealed(native) ? 'unsealed' : undefined;
}

/** Whether a reasoning item carries what the service needs to read it. */
function isSealed(native: unknown): boolean {
  const sealed = isJsonObject(native) ? native['encrypted_content'] : undefined;
  return typeof sealed === 'string' && sealed !== '';
}
