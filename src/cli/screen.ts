/** How a piece of text looks where there is colour. */
export type Style = 'plain' | 'dim' | 'strong' | 'alarm';

/** Where a renderer writes. All text must be safe for a terminal already (see `visible`). */
export interface Screen {
  /** Whether nothing was written yet. */
  readonly isBlank: boolean;
  /** Whether the last line is still empty. */
  readonly isFresh: boolean;
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

/** Makes a screen for files, pipes and terminals that can only append: text as it comes, no status line, no colour. */
export function createPlainScreen(): Screen {
  let waiting = '';
  let isBlank = true;
  let isFresh = true;

  return {
    get isBlank() {
      return isBlank;
    },
    get isFresh() {
      return isFresh;
    },
    append(text) {
      if (text === '') return;
      waiting += text;
      isBlank = false;
      isFresh = text.endsWith('\n');
    },
    paint() {
      const painted = waiting;
      waiting = '';
      return painted;
    },
    close() {
      const rest = `${waiting}${isFresh ? '' : '\n'}`;
      waiting = '';
      isFresh = true;
      return rest;
    },
  };
}
