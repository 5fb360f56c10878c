import type { BlockRecord } from '../../core/block-record.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { createRepairs } from '../../core/repairs.ts';
import type { Repair, ToolCall } from '../../core/turn.ts';
import type { Call } from './calls.ts';
import type { ReasoningFamily } from './families.ts';
import type { ReasoningDetail } from './reasoning-details.ts';
import { isUnsigned } from './shown-runs.ts';

/** A call as it goes back: its arguments are the text that came. A server that leaves out `type` gets it back without. */
export type ChatToolCall =
  | { id: string; type: 'function'; function: { name: string; arguments: string } }
  | { id: string; type: 'custom'; custom: { name: string; input: string } };

/**
 * One assistant message as it goes back, to the server that sent it or one like it.
 *
 * Fields that no standard knows go back under the name they came in, among them `reasoning`, `reasoning_content`,
 * `reasoning_text`, `reasoning_opaque` and `reasoning_details`.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create#chat-create-messages
 */
export interface ChatCompletionsEntry {
  role: 'assistant';
  /** Null where nothing was said. Where the server sends lists (Mistral) it is a list, whatever the type says. */
  content: string | null;
  refusal?: string;
  tool_calls?: ChatToolCall[];
  /** A call in the form that was before `tool_calls`. */
  function_call?: { name: string; arguments: string };
  audio?: { id: string };
  reasoning?: string;
  reasoning_content?: string;
  reasoning_text?: string;
  reasoning_opaque?: string;
  reasoning_details?: JsonObject[];
}

/** What a message is made of. */
export interface MessageParts {
  readonly content: unknown;
  /** Reasoning fields and the refusal, as far as they came. */
  readonly strings: JsonObject;
  /** Undefined if the field never came. */
  readonly details: readonly ReasoningDetail[] | undefined;
  /** Those that a cut run showed. */
  readonly cutDetails: ReadonlySet<ReasoningDetail>;
  readonly calls: readonly Call[];
  readonly audio: JsonObject | undefined;
  /** Fields that nobody here knows. */
  readonly others: JsonObject;
  readonly blocks: readonly BlockRecord[];
  /** What is known of the model's family beyond the wire. */
  readonly family: ReasoningFamily | undefined;
}

/** Fields that mirror the text of the details. */
const mirrors = ['reasoning', 'reasoning_content', 'reasoning_text'];

/** What goes back of a message, and how it differs from what came. */
export interface Entries {
  readonly entries: readonly ChatCompletionsEntry[];
  readonly repairs: readonly Repair[];
  /** In the order of the message, which is not that of the blocks where a call got its name late. */
  readonly toolCalls: readonly ToolCall[];
}

/** Makes the message that goes back of the blocks that are finished. */
export function buildEntries(parts: MessageParts): Entries {
  const { repairs, repair } = createRepairs();
  const calls = keptCalls(parts, repair);
  const reasoning = asFamilyWants(parts, keptReasoning(parts, calls, repair), calls, repair);
  const { refusal } = parts.strings;
  const audioId = parts.audio?.['id'];
  const modern = calls.filter(({ isLegacy }) => !isLegacy);
  // A server that mirrors a call in the old form means one call.
  const legacy = modern.length > 0 ? undefined : calls.find(({ isLegacy }) => isLegacy);
  const content = keptContent(parts);

  const message = {
    role: 'assistant',
    content,
    ...(typeof refusal === 'string' && refusal !== '' && { refusal }),
    ...reasoning,
    ...(modern.length > 0 && { tool_calls: modern.map(({ native }) => native) }),
    ...(legacy && { function_call: legacy.native['function'] }),
    ...(typeof audioId === 'string' && { audio: { id: audioId } }),
    ...parts.others,
  };
  const sent = legacy ? [legacy] : modern;
  const toolCalls = sent.flatMap(({ block }) => block?.toolCall ?? []);
  const says = ['refusal', 'audio', 'images'].some((name) => name in message);
  if (content !== null || calls.length > 0 || says) {
    return { entries: [message as ChatCompletionsEntry], repairs: repairs(), toolCalls };
  }
  for (const block of parts.blocks) {
    if (block.kind === 'reasoning' && block.state === 'finished') repair('trailing_reasoning', block.index);
  }
  return { entries: [], repairs: repairs(), toolCalls };
}

/** The content without thinking that was cut; a list of nothing but thinking says nothing. */
function keptContent({ content, blocks }: MessageParts): unknown {
  if (!Array.isArray(content)) return content;
  const isCut = blocks.at(-1)?.kind === 'reasoning' && blocks.at(-1)?.state === 'cut';
  const kept: readonly unknown[] = isCut && isThinking(content.at(-1)) ? content.slice(0, -1) : content;
  return kept.every(isThinking) ? null : kept;
}

function isThinking(chunk: unknown): boolean {
  return isJsonObject(chunk) && chunk['type'] === 'thinking';
}

type RepairSink = ReturnType<typeof createRepairs>['repair'];

function keptCalls({ calls }: MessageParts, repair: RepairSink): readonly Call[] {
  return calls.filter(({ block, slot, isRenamed }) => {
    if (!block) return false;
    if (block.state === 'cut') repair('cut', block.index);
    else if (slot.name === '') repair('nameless_call', block.index);
    else if (block.state === 'invalid') repair('invalid_input', block.index);
    else if (slot.type !== 'custom' && slot.text.trim() === '') repair('empty_input', block.index);
    else if (isRenamed) repair('duplicate_id', block.index);
    return block.state === 'finished' || (block.state === 'invalid' && slot.name !== '');
  });
}

/**
 * The reasoning that goes with the message.
 *
 * A call that is left out takes the ciphertext of its id along; thinking that was never signed goes with its mirrors,
 * for a gateway would make unsigned thinking of them.
 */
function keptReasoning(parts: MessageParts, kept: readonly Call[], repair: RepairSink): JsonObject {
  const keptIds = new Set(kept.map(({ slot }) => slot.id));
  const lost = new Set(parts.calls.map(({ slot }) => slot.id).filter((id) => !keptIds.has(id)));
  const faulty = parts.blocks.filter(({ kind, state }) => kind === 'reasoning' && state !== 'finished');
  for (const { index, state } of faulty) repair(state === 'cut' ? 'cut' : 'unsigned', index);

  // What was sealed behind a thought that is left out is bound to it.
  const cutAt = parts.details?.findIndex((detail) => parts.cutDetails.has(detail)) ?? -1;
  const details = (cutAt < 0 ? parts.details : parts.details?.slice(0, cutAt))?.filter((detail) => {
    const { id } = detail.native;
    return !isUnsigned(detail) && !(isSealed(detail) && lost.has(id as string));
  });
  const { refusal: _refusal, ...strings } = parts.strings;
  const mirrored = Object.entries(strings).filter(([name]) => faulty.length === 0 || !mirrors.includes(name));
  return {
    ...Object.fromEntries(mirrored),
    ...(details && { reasoning_details: details.map(({ native }) => native) }),
  };
}

/**
 * Some servers refuse a turn with calls that has no reasoning field at all, others refuse any. The wire does not say
 * which, so it is done only for a family that was named.
 */
function asFamilyWants(
  { family }: MessageParts,
  reasoning: JsonObject,
  calls: readonly Call[],
  repair: RepairSink,
): JsonObject {
  if (family?.takesBack === false) return {};
  const first = calls[0]?.block;
  if (!family?.needsEmpty || !first || Object.keys(reasoning).length > 0) return reasoning;
  repair('empty_reasoning', first.index);
  return { reasoning_content: '' };
}

function isSealed({ type, native }: ReasoningDetail): boolean {
  return type === 'reasoning.encrypted' && typeof native['id'] === 'string';
}
