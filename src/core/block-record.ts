import type { AssembledBlock, BlockKind, BlockState, ToolCall } from './turn.ts';
import type { TurnEvent, UiEvent } from './turn-event.ts';

/** One block while it is assembled. Becomes an {@link AssembledBlock} when it has a state. */
export interface BlockRecord
  extends Omit<AssembledBlock, 'kind' | 'state' | 'text' | 'native' | 'toolCall' | 'stoppedAt'> {
  /** May be more certain at the end than at the start. */
  kind: BlockKind;
  state: BlockState | undefined;
  text: string;
  native: unknown;
  toolCall?: ToolCall;
  stoppedAt: number;
}

/** What is shown of a block beside its text. */
export type ExtraEvent = Extract<UiEvent, { type: 'citation' | 'block_content' }>;

/** What a block is called when it begins. */
export interface BlockHead {
  readonly kind: BlockKind;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly redacted?: boolean | undefined;
}

/** Tells whether it is decided how a block ended. */
export function isAssembled(block: BlockRecord): block is BlockRecord & AssembledBlock {
  return block.state !== undefined;
}

/** The event with which a block begins. */
export function blockStart({ index, kind, id, name, redacted }: BlockRecord): UiEvent {
  return {
    type: 'block_start',
    index,
    kind,
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(redacted && { redacted }),
  };
}

/** The event that shows more of a block's text; undefined for a kind whose text is not shown. */
export function blockDelta(kind: BlockKind, index: number, text: string): UiEvent | undefined {
  switch (kind) {
    case 'text':
    case 'refusal':
      return { type: 'text_delta', index, text };
    case 'reasoning':
      return { type: 'reasoning_delta', index, text };
    case 'tool_call':
    case 'server_tool_call':
      return { type: 'tool_input_delta', index, json: text };
    default:
      return undefined;
  }
}

/** Appends the events with which a block ends; none while it has no state. */
export function pushBlockEnd<Entry>(events: TurnEvent<Entry>[], block: BlockRecord): void {
  const { index, kind, state, native, toolCall } = block;
  if (state === undefined) return;
  const call = toolCall && { toolCall };
  events.push({ type: 'block_stop', index, state, ...call });
  if (state === 'finished') events.push({ type: 'block', block: { index, kind, native, ...call } });
}

/** Appends all events of a block so far, its text in one delta. */
export function pushBlockStory<Entry>(
  story: TurnEvent<Entry>[],
  block: BlockRecord,
  extras: readonly ExtraEvent[] = [],
): void {
  story.push(blockStart(block));
  const delta = block.text === '' ? undefined : blockDelta(block.kind, block.index, block.text);
  if (delta) story.push(delta);
  for (const extra of extras) story.push(extra);
  pushBlockEnd(story, block);
}
