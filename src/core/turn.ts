import type { TurnError } from './errors.ts';

/** What a block is for a reader, whatever the provider calls it. */
export type BlockKind =
  | 'text'
  | 'reasoning'
  | 'tool_call'
  | 'server_tool_call'
  | 'server_tool_result'
  | 'refusal'
  | 'media'
  | 'other';

/**
 * How a block ended.
 *
 * - `finished`: whole, well-formed, signed where its kind is signed, confirmed by what followed.
 * - `cut`: the turn, or a token limit, ended in the middle of it, or it may have.
 * - `invalid`: a tool call whose input is no JSON object, or which has no name.
 * - `unsigned`: reasoning that should be signed and is not.
 * - `unfaithful`: something came for it that could not be kept, so it is not what the provider sent.
 */
export type BlockState = 'finished' | 'cut' | 'invalid' | 'unsigned' | 'unfaithful';

/**
 * How a turn ended: with its terminal event (`complete`), with the bytes (`truncated`), with an error (`failed`), or
 * by the caller (`aborted`).
 */
export type TurnStatus = 'complete' | 'truncated' | 'failed' | 'aborted';

/** A call that the model asks the client to run. */
export interface ToolCall {
  /** The wire's id (in Responses the `call_id`), or a deterministic one where the wire gave none. */
  readonly id: string;
  readonly name: string;
  /**
   * The parsed input, a copy of its own: a tool may change it without touching what goes back. A JSON object; for a custom
   * tool the text that came.
   */
  readonly input: unknown;
  /** The input's text as it stood on the wire; `{}` for JSON that was empty or blank. */
  readonly inputText: string;
}

/** One block that is safe to act on: it will not change, and it is what the provider sent. */
export interface FinishedBlock {
  /** Its place in the order of arrival. */
  readonly index: number;
  readonly kind: BlockKind;
  /** The block in the provider's own shape. */
  readonly native: unknown;
  readonly toolCall?: ToolCall;
}

/** One block as far as it came, whatever became of it. */
export interface AssembledBlock {
  /** Its place in the order of arrival: 0, 1, 2, … */
  readonly index: number;
  readonly kind: BlockKind;
  readonly state: BlockState;
  /** The id of a call. */
  readonly id?: string;
  /** The name of a called tool. */
  readonly name?: string;
  /** True for reasoning whose text the provider withholds. */
  readonly redacted?: true;
  /** What was shown of it: its text, its reasoning, or the JSON text of its input. */
  readonly text: string;
  /** The block in the provider's own shape, as far as it came. */
  readonly native: unknown;
  /** Set for a `finished` tool call. */
  readonly toolCall?: ToolCall;
  /** When it began, by the `clock` (milliseconds). */
  readonly startedAt: number;
  /** When it was over. */
  readonly stoppedAt: number;
}

/** Tokens of one turn, as the wire counts them; null where it did not say. */
export interface Usage {
  /** Anthropic counts the tokens that were not read from a cache; the other dialects count all. */
  readonly inputTokens: number | null;
  /** All that was written, reasoning included. */
  readonly outputTokens: number | null;
  /** The part of `outputTokens` that was reasoning. */
  readonly reasoningTokens: number | null;
  readonly cacheReadTokens: number | null;
  readonly cacheWriteTokens: number | null;
  /** The provider's own object, fields of later events over those of earlier ones. */
  readonly wire: unknown;
}

/** What was met on the wire that is worth knowing, and did not end the turn. */
export type WarningCode =
  | 'unknown_event'
  | 'unknown_delta'
  | 'unexpected_delta'
  | 'malformed_event'
  | 'duplicate_block_start'
  | 'missing_block_stop'
  | 'missing_message_stop'
  | 'missing_finish_reason'
  | 'restarted'
  | 'repeated_signature'
  | 'input_replaced'
  | 'whole_text_differs'
  | 'unsealed_reasoning'
  | 'input_transformed'
  | 'too_many_warnings';

/** Something worth knowing that did not end the turn. The same one is told once. */
export interface Warning {
  readonly code: WarningCode;
  readonly message: string;
  /** The block it is about. */
  readonly index?: number;
}

/**
 * Why a block is not in `entries`, or not as it came.
 *
 * - `cut`, `unsigned`, `unfaithful`: left out, see {@link BlockState}.
 * - `invalid_input`: in the entry with `{"INVALID_JSON": …}` as its input, so that the model can mend it.
 * - `empty_input`: in the entry with `{}`, where the wire had an empty string.
 * - `empty_reasoning`: the message got an empty reasoning field, which its family of models wants beside calls.
 * - `duplicate_call`: left out; a call with this id stands before it.
 * - `duplicate_id`: in the entry under an id of its own; that of the wire is taken by a call before it.
 * - `nameless_call`: left out; no tool can be meant.
 * - `empty_text`: left out; the provider refuses it: a text of "", or of blanks where nothing else is said.
 * - `unpaired`: left out, because what it goes with is: the other half of a server tool, or what its reasoning led to.
 * - `unsealed`: left out; reasoning without ciphertext, where the service does not keep it.
 * - `trailing_reasoning`: left out; what goes back must not end in reasoning.
 */
export type RepairCode =
  | 'cut'
  | 'unsigned'
  | 'unfaithful'
  | 'invalid_input'
  | 'empty_input'
  | 'empty_reasoning'
  | 'duplicate_call'
  | 'duplicate_id'
  | 'nameless_call'
  | 'empty_text'
  | 'unpaired'
  | 'unsealed'
  | 'trailing_reasoning';

/** One difference between what came and what goes back, and its reason. */
export interface Repair {
  readonly code: RepairCode;
  /** The block it is about. */
  readonly index: number;
  readonly message: string;
}

/**
 * One assistant answer, from its start to its end, for the program: what may be executed and what goes back.
 *
 * @typeParam Entry One element of the next request's history, in the provider's own shape.
 */
export interface AssembledTurn<Entry = unknown> {
  /** The wire format it came in: `anthropic`, … */
  readonly dialect: string;
  readonly status: TurnStatus;
  /** The provider's id of the answer. */
  readonly turnId: string | null;
  readonly model: string | null;
  /** The wire's own value. */
  readonly stopReason: string | null;
  readonly usage: Usage;
  /** Every block that was seen, in order of arrival. */
  readonly blocks: readonly AssembledBlock[];
  /** The calls that may be executed; `[]` unless the turn is complete. */
  readonly toolCalls: readonly ToolCall[];
  /** What goes back, replay-safe; `[]` unless the turn is complete. */
  readonly entries: readonly Entry[];
  /** What was left out of `entries`, or changed in them, and why. */
  readonly repairs: readonly Repair[];
  /** What the next request needs outside its history: container, previous response id, … */
  readonly carry: Readonly<Record<string, unknown>>;
  /** What the provider said of the turn outside its content, under the provider's own names. */
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly warnings: readonly Warning[];
  /** The other choices of an answer that has several, each a turn of its own. */
  readonly choices?: readonly AssembledTurn<Entry>[];
  /** Why the turn failed. */
  readonly error?: TurnError;
}
