/** A terminal in memory: enough of one to see what a renderer's output looks like. */
export interface VirtualTerminal {
  write(text: string): void;
  /** All rows that are not blank at the end, those that have scrolled away too. */
  rows(): string[];
  /** Where the cursor is: row and column, counted from 0. */
  cursor(): { row: number; column: number };
  readonly isCursorShown: boolean;
}

/** What a renderer may write beside text: it is an error if it writes any other control character. */
const allowed = new RegExp(`${String.fromCharCode(0x1b)}\\[(\\?25[lh]|\\d*A|2K|[\\d;]*m)|[\r\n\t]|\\P{Cc}`, 'gu');

/**
 * Makes a terminal that is as wide as it is told and has no lower end, so that nothing scrolls away.
 *
 * It wraps as terminals do: a character behind the last column goes to the next row. Characters of the sets that
 * `wideOnes` matches take two columns, marks none.
 */
export function createVirtualTerminal(
  columns: number,
  wideOnes: RegExp = /[\u3000-\u9fff\uac00-\ud7a3]/u,
): VirtualTerminal {
  const grid: string[][] = [[]];
  let row = 0;
  let column = 0;
  let isCursorShown = true;

  return {
    write(text) {
      const tokens = text.match(allowed) ?? [];
      if (tokens.join('') !== text) throw new Error(`Not allowed in ${JSON.stringify(text)}`);
      for (const token of tokens) read(token);
    },
    rows() {
      const rows = grid.map((cells) => Array.from(cells, (cell) => cell ?? ' ').join(''));
      while (rows.at(-1)?.trim() === '') rows.pop();
      return rows;
    },
    cursor: () => ({ row, column }),
    get isCursorShown() {
      return isCursorShown;
    },
  };

  function read(token: string): void {
    if (token.startsWith('\x1b[')) control(token);
    else if (token === '\r') column = 0;
    else if (token === '\n') moveTo(row + 1, 0);
    else if (token === '\t') column = Math.min((Math.floor(column / 8) + 1) * 8, columns - 1);
    else draw(token);
  }

  function control(sequence: string): void {
    if (sequence.endsWith('A')) row = Math.max(row - Number(sequence.slice(2, -1)), 0);
    else if (sequence.endsWith('2K')) rowAt(row).length = 0;
    else if (sequence.includes('?25')) isCursorShown = sequence.endsWith('h');
  }

  function draw(char: string): void {
    if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(char)) return;
    const width = wideOnes.test(char) ? 2 : 1;
    if (column + width > columns) moveTo(row + 1, 0);
    rowAt(row)[column] = char;
    if (width === 2) rowAt(row)[column + 1] = '';
    column += width;
  }

  function moveTo(nextRow: number, nextColumn: number): void {
    row = nextRow;
    column = nextColumn;
    rowAt(row);
  }

  function rowAt(at: number): string[] {
    while (grid.length <= at) grid.push([]);
    return grid[at] ?? [];
  }
}
