import type { BlockKind, BlockState, ToolCall } from '../core/turn.ts';
import type { UiEvent } from '../core/turn-event.ts';
import { createPartialJson, type PartialJson } from '../text/partial-json.ts';

/** One block as it stands, for a renderer. Immutable. */
export interface BlockView {
  /** Its place in the order of arrival; good as a key. */
  readonly index: number;
  readonly kind: BlockKind;
  readonly state: 'streaming' | BlockState;
  /** The id of a call. */
  readonly id?: string;
  /** The name of a called tool. */
  readonly name?: string;
  /** True for reasoning whose text the provider withholds. */
  readonly redacted?: true;
  /** Its text so far; for a call the text of its input so far: JSON, but for custom tools. */
  readonly text: string;
  /**
   * The input of a call so far: a value that grows, absent until something of it can be shown. That of a custom tool is
   * no JSON: look at `text` while it streams; it is the whole text when the call is finished.
   */
  readonly input?: unknown;
  readonly citations: readonly unknown[];
  /** What came whole: a server tool's result, an unknown block. */
  readonly content?: unknown;
  /** The finished call. */
  readonly toolCall?: ToolCall;
  /** When it began, in milliseconds by the clock. */
  readonly startedAt: number;
  /** When it was over; null while it streams. */
  readonly stoppedAt: number | null;
}

/** When a block began and ended, in milliseconds by the clock. */
export interface BlockTimes {
  readonly startedAt: number;
  readonly stoppedAt: number;
}

/** An event that starts a block. */
export type BlockStart = Extract<UiEvent, { readonly type: 'block_start' }>;

/** An event of a block that has started. */
export type BlockChange = Exclude<Extract<UiEvent, { readonly index: number }>, BlockStart>;

/** A block between two views. */
export interface BlockDraft {
  /** Takes the next event of the block: text is appended, nothing is parsed or copied. */
  push(event: BlockChange, timesOf: (index: number) => BlockTimes): void;
  /** The block as it stands; the same object as the last time if nothing changed. */
  view(): BlockView;
}

/** Makes the draft of a block that begins. */
export function createBlockDraft({ type: _type, ...head }: BlockStart, { startedAt }: BlockTimes): BlockDraft {
  let last: BlockView = { ...head, state: 'streaming', text: '', citations: [], startedAt, stoppedAt: null };
  let isChanged = false;
  let text = '';
  /** The JSON text that the parser has not read yet. */
  let unread = '';
  let input: PartialJson | undefined;
  let citations: unknown[] = [];
  let rest: Partial<BlockView> = {};

  return {
    push(event, timesOf) {
      isChanged = true;
      switch (event.type) {
        case 'text_delta':
        case 'reasoning_delta':
          text += event.text;
          break;
        case 'tool_input_delta':
          text += event.json;
          unread += event.json;
          break;
        case 'citation':
          citations.push(event.citation);
          break;
        case 'block_content':
          rest = { ...rest, content: event.content };
          break;
        case 'block_stop': {
          const { state, toolCall } = event;
          rest = { ...rest, state, stoppedAt: timesOf(event.index).stoppedAt, ...(toolCall && { toolCall }) };
          // A text may look like JSON as far as it came.
          if (typeof toolCall?.input === 'string') rest = { ...rest, input: toolCall.input };
          break;
        }
        default:
          event satisfies never;
      }
    },
    view() {
      if (!isChanged) return last;
      isChanged = false;
      last = { ...last, text, ...readInput(), ...rest };
      if (citations.length > 0) last = { ...last, citations: [...last.citations, ...citations] };
      citations = [];
      rest = {};
      return last;
    },
  };

  /** Parses what came since the last view, and only when there is one. */
  function readInput(): { readonly input?: unknown } {
    if (unread === '') return {};
    input ??= createPartialJson();
    input.push(unread);
    unread = '';
    const value = input.snapshot();
    return value === undefined ? {} : { input: value };
  }
}
