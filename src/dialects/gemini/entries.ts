import type { BlockRecord } from '../../core/block-record.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { createRepairs } from '../../core/repairs.ts';
import type { Repair, RepairCode, ToolCall } from '../../core/turn.ts';

/**
 * One part of a content as it goes back. Exactly one member says what it is; the signature belongs to the part it came
 * in, whatever that is. What is not named here goes back all the same: `toolCall`, `executableCode`, …
 *
 * @see https://ai.google.dev/api/caching#Part
 */
export interface GeminiPart {
  text?: string;
  /** True for reasoning. */
  thought?: boolean;
  /** What only the provider can read. */
  thoughtSignature?: string;
  functionCall?: { id?: string; name?: string; args?: JsonObject };
  functionResponse?: { id?: string; name?: string; response?: JsonObject };
  inlineData?: { mimeType?: string; data?: string };
  fileData?: { mimeType?: string; fileUri?: string };
}

/**
 * One content as it goes back: assignable to `Content` of `@google/genai`. A turn is one of them, with its parts in the
 * order in which they came.
 *
 * @see https://ai.google.dev/api/caching#Content
 */
export interface GeminiEntry {
  /** `model`, unless the wire said otherwise. */
  role: string;
  parts: GeminiPart[];
}

/** What goes back of a complete content, and how it differs from what came. */
export interface Entries {
  readonly entries: readonly GeminiEntry[];
  /** The calls that may be executed. */
  readonly toolCalls: readonly ToolCall[];
  readonly repairs: readonly Repair[];
}

/**
 * Makes the content that goes back of the blocks of a complete one.
 *
 * The parts stay as they are and in their order, for a signature speaks of what stands before it; what may not go back
 * is left out, with a repair each.
 */
export function buildEntries(role: string, blocks: readonly BlockRecord[]): Entries {
  const { repairs, repair } = createRepairs();
  const kept = blocks.filter((block) => {
    const code = faultOf(block);
    if (code) repair(code, block.index);
    return code === undefined || code === 'invalid_input';
  });
  for (let last = kept.at(-1); last && isThought(last); last = kept.at(-1)) {
    repair('trailing_reasoning', last.index);
    kept.pop();
  }
  // Every native block of this dialect is a part.
  const parts = kept.map(({ native }) => native as GeminiPart);
  const entries = parts.length > 0 ? [{ role, parts }] : [];
  return { entries, toolCalls: unansweredCalls(kept), repairs: repairs() };
}

/**
 * The calls that nobody has run yet. One whose response stands behind it in the same content was run by the service
 * (MCP), or by a client that calls functions on its own, and must not be run again.
 */
function unansweredCalls(blocks: readonly BlockRecord[]): readonly ToolCall[] {
  const open = new Map<string, ToolCall[]>();
  const answered = new Set<ToolCall>();
  for (const { toolCall, native } of blocks) {
    if (toolCall) addTo(open, toolCall);
    const response = isJsonObject(native) ? native['functionResponse'] : undefined;
    if (!isJsonObject(response)) continue;
    const calls = open.get(String(response['name'])) ?? [];
    const call = calls.find(({ id }) => id === response['id']) ?? calls[0];
    if (!call) continue;
    answered.add(call);
    calls.splice(calls.indexOf(call), 1);
  }
  return blocks.flatMap(({ toolCall }) => (toolCall && !answered.has(toolCall) ? [toolCall] : []));
}

/** Reasoning in words, or in drafts of images. */
function isThought({ kind, native }: BlockRecord): boolean {
  return kind === 'reasoning' || (kind === 'media' && isJsonObject(native) && native['thought'] === true);
}

function addTo(open: Map<string, ToolCall[]>, call: ToolCall): void {
  const known = open.get(call.name);
  if (known) known.push(call);
  else open.set(call.name, [call]);
}

function faultOf({ state, name }: BlockRecord): RepairCode | undefined {
  if (state === 'invalid') return name === undefined ? 'nameless_call' : 'invalid_input';
  return state === 'finished' ? undefined : state;
}
