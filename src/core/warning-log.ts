import type { Warning, WarningCode } from './turn.ts';

/** Distinct warnings that are kept; what comes after is summed up in one last warning. */
const maxWarnings = 1000;

/** Characters of a warning that are kept: some of them quote the wire. */
const maxMessage = 300;

/** The warnings of one turn, each of them once. */
export interface WarningLog {
  readonly all: readonly Warning[];
  /** Adds a warning; undefined if it was given before, or if there are too many. */
  add(code: WarningCode, message: string, index: number | undefined): Warning | undefined;
}

/** Makes a log that stays small, whatever a stream sends. */
export function createWarningLog(): WarningLog {
  const all: Warning[] = [];
  const known = new Set<string>();

  return {
    all,
    add(code, message, index) {
      const text = message.slice(0, maxMessage);
      const key = `${code} ${index} ${text}`;
      if (known.has(key) || all.length > maxWarnings) return undefined;
      known.add(key);
      const warning: Warning =
        all.length === maxWarnings
          ? { code: 'too_many_warnings', message: `More than ${maxWarnings} warnings; the rest is left out` }
          : { code, message: text, ...(index !== undefined && { index }) };
      all.push(warning);
      return warning;
    },
  };
}
