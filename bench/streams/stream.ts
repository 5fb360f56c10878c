/** The wire formats that the bench measures, by the names of their dialects. */
export type DialectName = 'anthropic' | 'chatCompletions';

/** An event stream made in memory, and what must come out of it. */
export interface Stream {
  readonly dialect: DialectName;
  /** The SSE messages as text, each with its closing blank line. */
  readonly messages: readonly string[];
  /** Text and reasoning of all blocks, in UTF-16 code units. */
  readonly textLength: number;
  /** The part of it that is reasoning. */
  readonly reasoningLength: number;
  /** JSON text of all tool inputs, in UTF-16 code units. It is compact: parsed and written again it is the same. */
  readonly inputLength: number;
  readonly blocks: number;
  /** The pieces in which the tool inputs come. */
  readonly inputPieces: readonly string[];
}

/** Length of all texts, in UTF-16 code units. */
export function totalLength(texts: readonly string[]): number {
  return texts.reduce((length, text) => length + text.length, 0);
}
