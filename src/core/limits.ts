/**
 * How much may pile up before a turn fails with a `LimitExceededError`. Each has a finite default, see
 * {@link defaultLimits}.
 */
export interface Limits {
  /** One SSE message, in UTF-16 code units. */
  readonly messageLength: number;
  /** Text of all blocks of one turn (text, reasoning, tool input, signatures), in UTF-16 code units. */
  readonly turnLength: number;
  /** Blocks of one turn. */
  readonly blocks: number;
  /** Nesting of the JSON of one tool input. */
  readonly inputDepth: number;
  /** Kept of the body of a refused request, in bytes. */
  readonly errorBodyBytes: number;
}

const MiB = 1024 * 1024;

/** The limits that hold where nothing else is said. */
export const defaultLimits: Limits = {
  messageLength: 16 * MiB,
  turnLength: 64 * MiB,
  blocks: 4096,
  inputDepth: 512,
  errorBodyBytes: 64 * 1024,
};
