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
 */
export function buildEntries(blocks: readonly BlockRecord[]): Entries {
  const { repairs, repair } = createRepairs();

  const sound = blocks.filter((block) => {
    const code = ownFault(block);
    if (code) repair(code, block.index);
    return code === undefined || code === 'invalid_input';
  });
  const paired = withoutHalfPairs(blocks, sound, ({ index }) => repair('unpaired', index));
  for (let last = paired.at(-1); last?.kind === 'reasoning'; last = paired.at(-1)) {
    repair('trailing_reasoning', last.index);
    paired.pop();
  }

  const content = paired.map(({ native }) => native as ContentBlockParam);
  const entries: AnthropicEntry[] = content.length > 0 ? [{ role: 'assistant', content }] : [];
  return { entries, repairs: repairs() };
}

function ownFault({ state, kind, name, text }: BlockRecord): RepairCode | undefined {
  if (state === 'invalid') return name ? 'invalid_input' : 'nameless_call';
  if (state === 'finished') return kind === 'text' && text === '' ? 'empty_text' : undefined;
  return state;
}

/** A server tool's call and its result go back together or not at all; a call without any result yet may go alone. */
function withoutHalfPairs(
  all: readonly BlockRecord[],
  kept: readonly BlockRecord[],
  onLeftOut: (block: BlockRecord) => void,
): BlockRecord[] {
  const left = all.filter((block) => !kept.includes(block));
  const lostCalls = new Set(left.filter(({ kind }) => kind === 'server_tool_call').map(({ id }) => id));
  const lostResults = new Set(left.filter(({ kind }) => kind === 'server_tool_result').map(resultOf));
  return kept.filter((block) => {
    const isHalf =
      (block.kind === 'server_tool_call' && lostResults.has(block.id)) ||
      (block.kind === 'server_tool_result' && lostCalls.has(resultOf(block)));
    if (isHalf) onLeftOut(block);
    return !isHalf;
  });
}

/** The id of the call whose result a block is. */
function resultOf({ native }: BlockRecord): string | undefined {
  const id = isJsonObject(native) ? native['tool_use_id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
