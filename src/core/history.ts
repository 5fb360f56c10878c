import type { ToolResult } from './tool-results.ts';
import type { AssembledBlock, ToolCall } from './turn.ts';

/** A call that stands in a history and wants an answer. */
export interface HistoryCall extends ToolCall {
  /** False for one whose input is none: it goes back so that the model can mend it, and must not be run. */
  readonly isExecutable: boolean;
  /** The call in the provider's own shape. */
  readonly native: unknown;
}

/** What an element of a history is. */
export type HistoryRole = 'user' | 'turn' | 'results' | 'other';

/**
 * How the history of a conversation is written in one wire format.
 *
 * @typeParam Item One element of the history, of any role.
 */
export interface HistoryFormat<Item> {
  /** What the user says: a text, or the provider's own parts. */
  user(content: string | readonly unknown[]): Item;
  /** The answers to all calls of a turn, in the order of the calls. Throws for results that do not fit. */
  answers(calls: readonly HistoryCall[], results: readonly ToolResult[]): readonly Item[];
  /** Whether a call can be answered with an error; without it all can. */
  takesError?(call: HistoryCall): boolean;
  roleOf(item: Item): HistoryRole;
  /** The calls of a turn that the client must answer. */
  callsIn(items: readonly Item[]): readonly HistoryCall[];
  /** How many answers an element holds, and to which calls where it names them. */
  answersIn(item: Item): readonly (string | undefined)[];
  /** A turn that says only these texts; nothing where there are none. */
  ofTexts(texts: readonly AssembledBlock[]): readonly Item[];
  /** Whether a model's reasoning may be left out once its tool cycle is closed. */
  mayDropReasoning(model: string | null): boolean;
  /** The elements of a turn without reasoning and without what is sealed to the model that wrote them. */
  withoutReasoning(items: readonly Item[]): readonly Item[];
  /** The elements of a turn as another model takes them, which cannot read what is sealed in them. */
  forAnotherModel(items: readonly Item[]): readonly Item[];
  /** Remembers the source texts of the tool inputs in an element that was parsed from a text. */
  rememberInputs(item: Item, source: string): void;
}
