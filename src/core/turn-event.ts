import type {
  AssembledTurn,
  BlockKind,
  BlockState,
  FinishedBlock,
  ToolCall,
  TurnStatus,
  Usage,
  WarningCode,
} from './turn.ts';
import type { ErrorCode } from './wholeturn-error.ts';

/** What a person may be told of an error. */
export interface UiError {
  readonly code: ErrorCode;
  readonly message: string;
  /** Whether sending the request again may help; absent where that cannot be told. */
  readonly retryable?: boolean;
}

/**
 * What a person sees of a turn, live.
 *
 * 1. `turn_start` comes first, exactly one `turn_stop` comes last, whatever happened.
 * 2. `block_start` comes before the block's deltas; none comes after its `block_stop`.
 * 3. Text only grows: deltas append, nothing shown is taken back.
 * 4. No event carries a signature, ciphertext or other opaque state of the provider.
 *
 * `index` counts blocks in order of arrival, from 0; it is ours, wires differ in theirs.
 */
export type UiEvent =
  | { readonly type: 'turn_start'; readonly turnId: string | null; readonly model: string | null }
  | {
      readonly type: 'block_start';
      readonly index: number;
      readonly kind: BlockKind;
      readonly id?: string;
      readonly name?: string;
      readonly redacted?: true;
    }
  | { readonly type: 'text_delta'; readonly index: number; readonly text: string }
  | { readonly type: 'reasoning_delta'; readonly index: number; readonly text: string }
  | { readonly type: 'tool_input_delta'; readonly index: number; readonly json: string }
  | { readonly type: 'citation'; readonly index: number; readonly citation: unknown }
  | { readonly type: 'block_content'; readonly index: number; readonly content: unknown }
  | { readonly type: 'block_stop'; readonly index: number; readonly state: BlockState; readonly toolCall?: ToolCall }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'warning'; readonly code: WarningCode; readonly message: string; readonly index?: number }
  | {
      readonly type: 'turn_stop';
      readonly status: TurnStatus;
      readonly stopReason: string | null;
      readonly usage: Usage;
      readonly error?: UiError;
    };

/**
 * The one stream that both products come from: the UI events, each finished block as soon as it is finished, and the
 * turn, directly before `turn_stop`.
 */
export type TurnEvent<Entry = unknown> =
  | UiEvent
  | { readonly type: 'block'; readonly block: FinishedBlock }
  | { readonly type: 'turn'; readonly turn: AssembledTurn<Entry> };
