/** One SSE message of an answer, and how long to wait before it is sent. */
export interface Frame {
  readonly text: string;
  /** In milliseconds, at the model's usual pace. */
  readonly delay: number;
}

/** What of a request shows in its answer. */
export interface FrameOptions {
  /** The model's name, as the request gave it. */
  readonly model: string;
  /** Tokens of the request, as they are to be reported. */
  readonly inputTokens: number;
}

/** The pace of a model: what it takes before the answer, before a block, and before a delta, in milliseconds. */
export const delays = { start: 300, block: 120, delta: 28 } as const;

/** Cuts a text as models write it: by words. */
export function words(text: string): readonly string[] {
  return text.match(/\S+\s*/g) ?? [];
}

/** Cuts the text of a tool input as models write it: anywhere, even between the two halves of a surrogate pair. */
export function slices(text: string): readonly string[] {
  return text.match(/.{1,7}/gs) ?? [];
}
