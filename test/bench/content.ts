/** What the messages of a recording hold, read without the recording's own bookkeeping. */
export interface Content {
  readonly text: string;
  readonly reasoning: string;
  /** The pieces of JSON text in which inputs come. */
  readonly pieces: readonly string[];
  /** The inputs as JSON text. */
  readonly inputs: readonly string[];
}
