import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { BlockRecord } from '../../core/block-record.ts';
import { isJsonObject } from '../../core/json-object.ts';
import { createRepairs } from '../../core/repairs.ts';
import type { Repair, RepairCode } from '../../core/turn.ts';

/**
 * One assistant message as it goes back: assignable to the official SDK's `messages` parameter.
 *
 * @see https://docs.anthropic.com/en/api/messages#body-messages
 */
export interface AnthropicEntry {
  role: 'assistant';
  content: ContentBlockParam[];
}

/** What goes back of a complete message, and how it differs from what came. */
export interface Entries {
  readonly entries: readonly AnthropicEntry[];
  readonly repairs: readonly Repair[];
}

/**
 * Makes the message that goes back of the blocks of a complete one.
 *
 * The blocks stay as they are and in their order; what the provider would refuse is left out, with a repair each.
 *
 * @param isWhole Whether the message is complete: of one that is not, only what is finished goes back, and nothing that
 *   the service would have gone on with.
 */
export function buildEntries(blocks: readonly BlockRecord[], isWhole: boolean): Entries {
  const { repairs, repair } = createRepairs();

  const ids = new Set<string>();
  const sound = blocks.filter((block) => {
    const code = ownFault(block) ?? repeatedId(block, ids);
    if (code) repair(code, block.index);
    return code === undefined || code === 'invalid_input';
  });
  const leaveOut = ({ index }: BlockRecord): void => repair('unpaired', index);
  const paired = withoutHalfPairs(blocks, isWhole ? sound : withoutOpenCalls(sound, leaveOut), leaveOut);
  for (let last = paired.at(-1); last?.kind === 'reasoning'; last = paired.at(-1)) {
    repair('trailing_reasoning', last.index);
    paired.pop();
  }

  if (paired.every(isBlankText)) for (const { index } of paired.splice(0)) repair('empty_text', index);

  const content = paired.map(({ native }) => native as ContentBlockParam);
  const entries: AnthropicEntry[] = content.length > 0 ? [{ role: 'assistant', content }] : [];
  return { entries, repairs: repairs() };
}

/** A text of blanks is normal beside another block, and refused where it is all that is said. */
function isBlankText({ kind, text }: BlockRecord): boolean {
  return kind === 'text' && text.trim() === '';
}

/** Two calls of one id are refused; a proxy that answers again in secret makes them. */
function repeatedId({ kind, id }: BlockRecord, ids: Set<string>): RepairCode | undefined {
  if (kind !== 'tool_call' || id === undefined) return undefined;
  if (ids.has(id)) return 'duplicate_call';
  ids.add(id);
  return undefined;
}

function ownFault({ state, kind, name, text, native }: BlockRecord): RepairCode | undefined {
  if (state === 'invalid') return name ? 'invalid_input' : 'nameless_call';
  if (state === 'finished')
    return (kind === 'text' && text === '') || isEmptyCompaction(native) ? 'empty_text' : undefined;
  return state;
}

/** A compaction of "" is refused, one of null is not. */
function isEmptyCompaction(native: unknown): boolean {
  return isJsonObject(native) && native['type'] === 'compaction' && native['content'] === '';
}

/**
 * A server tool's call without a result is refused in a message that the service does not go on with; but for one that
 * called tools of the client, whose results it goes on with.
 */
function withoutOpenCalls(
  blocks: readonly BlockRecord[],
  onLeftOut: (block: BlockRecord) => void,
): readonly BlockRecord[] {
  const needed = new Set(blocks.flatMap((block) => [resultOf(block), callerOf(block)]));
  return blocks.filter((block) => {
    const isOpen = block.kind === 'server_tool_call' && !needed.has(block.id);
    if (isOpen) onLeftOut(block);
    return !isOpen;
  });
}

/** The id of the server tool's call by which a client's tool was called. */
function callerOf({ native }: BlockRecord): unknown {
  const caller = isJsonObject(native) ? native['caller'] : undefined;
  return isJsonObject(caller) ? caller['tool_id'] : undefined;
}

/** A server tool's call and its result go back together or not at all; a call without any result yet may go alone. */
function withoutHalfPairs(
  all: readonly BlockRecord[],
  kept: readonly BlockRecord[],
  onLeftOut: (block: BlockRecord) => void,
): BlockRecord[] {
  const isKept = new Set(kept);
  const left = all.filter((block) => !isKept.has(block));
  const lostCalls = new Set(left.flatMap(({ kind, id }) => (kind === 'server_tool_call' ? (id ?? []) : [])));
  const lostResults = new Set(left.flatMap((block) => resultOf(block) ?? []));
  return kept.filter((block) => {
    const isHalf =
      (block.kind === 'server_tool_call' && lostResults.has(block.id ?? '')) || lostCalls.has(resultOf(block) ?? '');
    if (isHalf) onLeftOut(block);
    return !isHalf;
  });
}

/** The id of the call whose result a block is; undefined for what is no result. */
function resultOf({ native, kind }: BlockRecord): string | undefined {
  if (kind !== 'server_tool_result') return undefined;
  const id = isJsonObject(native) ? native['tool_use_id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
