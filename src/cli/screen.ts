/** How a piece of text looks where there is colour. */
export type Style = 'plain' | 'dim' | 'strong' | 'alarm';

/** Where a renderer writes. All text must be safe for a terminal already (see `visible`). */
export interface Screen {
  /** The last two characters that were written; empty before the first. */
  readonly tail: string;
  /** The longest line for what is to be shown in one line, in columns. */
  readonly lineLength: number;
  /** Appends text; line feeds end lines. */
  append(text: string, style: Style): void;
  /**
   * What is to be written now to show all that was appended since the last time.
   *
   * @param status The line at the bottom, where the screen has one; the next call takes it away again.
   */
  paint(status: string): string;
  /** What is to be written to leave the terminal as it was found, below all that was shown. */
  close(): string;
}

/** The escape sequences that switch a style on; `\x1b[0m` ends each. */
const switches: Readonly<Record<Style, string>> = {
  plain: '',
  dim: '\x1b[2m',
  strong: '\x1b[1;36m',
  alarm: '\x1b[33m',
};

/** Puts a piece of text in its style. */
export function styled(text: string, style: Style): string {
  return style === 'plain' || text === '' ? text : `${switches[style]}${text}\x1b[0m`;
}

/** The `tail` of a screen after some more text. */
export function tailOf(tail: string, text: string): string {
  return (tail + text.slice(-2)).slice(-2);
}

/** The longest line for what is shown in one line, where no terminal sets a limit. */
const plainLineLength = 160;

/** Makes a screen for files, pipes and terminals that can only append: text as it comes, no status line, no colour. */
export function createPlainScreen(): Screen {
  let waiting = '';
  let tail = '';

  return {
    get tail() {
      return tail;
    },
    lineLength: plainLineLength,
    append(text) {
      waiting += text;
      tail = tailOf(tail, text);
    },
    paint() {
      const painted = waiting;
      waiting = '';
      return painted;
    },
    close() {
      const rest = `${waiting}${tail === '' || tail.endsWith('\n') ? '' : '\n'}`;
      waiting = '';
      tail = '';
      return rest;
    },
  };
}
