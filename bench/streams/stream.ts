/** The wire formats that the bench measures, by the names of their dialects. */
export type DialectName = 'anthropic' | 'chatCompletions' | 'responses' | 'gemini';

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
  /** The pieces of JSON text in which the tool inputs come; none where they do not come as text. */
  readonly inputPieces: readonly string[];
}

/** How long a mixed answer is, in any wire format. */
export interface AnswerSizes {
  /** Deltas of reasoning, each of about one word; where the format has signatures or ciphertext, it has some. */
  readonly reasoning: number;
  /** Deltas of text, each of about one word. */
  readonly text: number;
  /** Which part of the text's words is not ASCII. */
  readonly foreign?: number;
  /** Parallel tool calls; where their input comes in pieces, the pieces come in turns. */
  readonly calls: number;
  /** Characters of each call's input. */
  readonly callLength?: number;
}

/** Length of all texts, in UTF-16 code units. */
export function totalLength(texts: readonly string[]): number {
  return texts.reduce((length, text) => length + text.length, 0);
}
