/**
 * How much may pile up before a turn fails with a `LimitExceededError`. Each has a finite default, see
 * {@link defaultLimits}.
 */
export interface Limits {
  /** One SSE message, in UTF-16 code units. */
  readonly messageLength: number;
  /** What is kept of one turn: text, reasoning, tool input, signatures, whole blocks, in UTF-16 code units. */
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

/**
 * The default limits, with those of the caller in their place. One that is undefined keeps the default.
 *
 * @throws TypeError for a limit that does not exist, or that is no number above 0: it would silently be none.
 */
export function limitsWith(given: Partial<Limits> | undefined): Limits {
  const limits: { -readonly [Name in keyof Limits]: number } = { ...defaultLimits };
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined) continue;
    if (!isLimitName(name)) {
      throw new TypeError(`There is no limit ${name}. Did you mean one of ${Object.keys(defaultLimits).join(', ')}?`);
    }
    if (!(typeof value === 'number' && value > 0)) {
      throw new TypeError(`The limit ${name} must be a number above 0, got ${String(value)}`);
    }
    limits[name] = value;
  }
  return limits;
}

function isLimitName(name: string): name is keyof Limits {
  return Object.hasOwn(defaultLimits, name);
}
