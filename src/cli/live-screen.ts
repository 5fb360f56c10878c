import { advance, fitLine, textWidth } from './char-width.ts';
import { type Screen, type Style, styled, tailOf } from './screen.ts';

/** What a live screen is made with. */
export interface LiveScreenOptions {
  readonly color: boolean;
  /** The terminal's width at this moment, in columns; 0 where it is not known. */
  columns(): number;
}

/** One character with the marks drawn over it. */
interface Cell {
  readonly char: string;
  text: string;
  readonly style: Style;
}

const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
const eraseRow = '\x1b[2K';
const rowUp = '\x1b[1A';

const usualColumns = 80;
const leastColumns = 20;

/** Longest character with its marks, in UTF-16 code units. */
const longestCell = 32;

/**
 * Makes a screen for a terminal whose cursor can be moved: text grows above a status line.
 *
 * Only the line that still grows and the status line are ever drawn again; what is above them scrolls away as in any
 * program. Lines are broken here, between words where that is possible, and kept shorter than the terminal, so that
 * the terminal breaks none itself and the place of the status line is known whatever the text is made of.
 */
export function createLiveScreen({ color, columns }: LiveScreenOptions): Screen {
  let line: Cell[] = [];
  let column = 0;
  let endedLines = '';
  /** What the last two lines on the terminal looked like; undefined before the first paint and after the end. */
  let painted: { text: string; width: number; status: string } | undefined;
  let tail = '';

  return {
    get tail() {
      return tail;
    },
    get lineLength() {
      return lineLength();
    },
    append(text, style) {
      for (const char of text) {
        if (char === '\n') endLine(line);
        else place(char, style);
      }
      tail = tailOf(tail, text);
    },
    paint(status) {
      const shown = fitLine(status, lineLength());
      const text = styledLine(line);
      if (painted && endedLines === '' && painted.text === text && painted.status === shown) return '';
      const start = painted ? returnToLine(painted.width, painted.status) : hideCursor;
      const bottom = shown === '' ? '' : `\n${style(shown, 'dim')}`;
      const output = `${start}${endedLines}${text}${bottom}`;
      endedLines = '';
      painted = { text, width: column, status: shown };
      return output;
    },
    close() {
      if (!painted && tail === '') return '';
      const start = painted ? returnToLine(painted.width, painted.status) : '';
      if (line.length > 0) endLine(line);
      const output = `${start}${endedLines}${showCursor}`;
      endedLines = '';
      painted = undefined;
      tail = '';
      return output;
    },
  };

  /** The last column stays free: behind a character in it terminals differ in where the cursor is. */
  function lineEnd(): number {
    return Math.max(columns() || usualColumns, leastColumns) - 1;
  }

  /** Two more stay free at the end of the status line: there a terminal echoes Ctrl-C as `^C`. */
  function lineLength(): number {
    return lineEnd() - 2;
  }

  function place(char: string, style: Style): void {
    const width = advance(column, char) - column;
    if (width === 0) {
      overlay(char, style);
      return;
    }
    // The blank behind a word that just fits stands in the margin.
    if (column + width > (isSpace(char) ? lineEnd() : lineEnd() - 1)) breakLine(char);
    line.push({ char, text: char, style });
    column = advance(column, char);
  }

  /** Draws a mark over the last character; not without end, for a line that never gets wider would never end. */
  function overlay(char: string, style: Style): void {
    const last = line.at(-1);
    if (!last) line.push({ char, text: char, style });
    else if (last.text.length < longestCell) last.text += char;
  }

  /** Ends the line at its last blank, or where it is if it has none; the word begun goes on in the next. */
  function breakLine(next: string): void {
    const blank = isSpace(next) ? line.length : line.findLastIndex(({ char }) => isSpace(char)) + 1;
    const end = blank === 0 ? line.length : blank;
    const rest = line.slice(end);
    endLine(line.slice(0, end));
    line = rest;
    column = rest.reduce((sum, cell) => advance(sum, cell.char), 0);
  }

  function endLine(cells: readonly Cell[]): void {
    endedLines += `${styledLine(cells)}\n`;
    line = [];
    column = 0;
  }

  /**
   * Moves the cursor from where the last paint left it to the start of the line that grows, and erases what is there:
   * a tab that is drawn next would not cover it. Row for row, because some terminals take an erased screen for one to
   * be kept, and put each frame into their history.
   */
  function returnToLine(lineWidth: number, status: string): string {
    // A terminal made narrower since has broken the lines itself.
    const rows = rowsOf(lineWidth) + (status === '' ? 0 : rowsOf(textWidth(status))) - 1;
    return `\r${eraseRow}${`${rowUp}${eraseRow}`.repeat(rows)}`;
  }

  function rowsOf(cells: number): number {
    return Math.max(Math.ceil(cells / (columns() || usualColumns)), 1);
  }

  function styledLine(cells: readonly Cell[]): string {
    let text = '';
    let run = '';
    for (const [at, cell] of cells.entries()) {
      run += cell.text;
      if (cells[at + 1]?.style === cell.style) continue;
      text += style(run, cell.style);
      run = '';
    }
    return text;
  }

  function style(text: string, name: Style): string {
    return color ? styled(text, name) : text;
  }
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\t';
}
