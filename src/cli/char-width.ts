/** Drawn over the character before: accents, joiners, variation selectors. The soft hyphen is not: some draw it. */
const withoutWidth = /(?!\u00ad)[\p{Mn}\p{Me}\p{Cf}]/u;

/** Drawn over two columns, or by some terminals. */
const wide =
  /[\p{Extended_Pictographic}\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303f\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/**
 * The columns that a terminal needs for one character (a code point), at the most.
 *
 * Terminals differ, most of all over emoji. A guess too wide only ends a line early, one too narrow would break the
 * layout; so in doubt it is the wider one. A tab has no width of its own: see `advance`.
 */
export function charWidth(char: string): 0 | 1 | 2 {
  if (char < '\u0300') return char === '\u00ad' || char >= ' ' ? 1 : 0;
  if (withoutWidth.test(char)) return 0;
  return wide.test(char) ? 2 : 1;
}

/** The column behind a character that is drawn at a column; a tab goes on to the next multiple of eight. */
export function advance(column: number, char: string): number {
  return char === '\t' ? (Math.floor(column / 8) + 1) * 8 : column + charWidth(char);
}

/** The columns that a line without tabs needs, at the most. */
export function textWidth(line: string): number {
  let width = 0;
  for (const char of line) width += charWidth(char);
  return width;
}

/** Cuts a line without tabs at its end so that it needs no more than some columns; what was cut shows as `…`. */
export function fitLine(line: string, columns: number): string {
  if (textWidth(line) <= columns) return line;
  return columns > 0 ? `${start([...line], columns - 1).join('')}…` : '';
}

/** The same, cut in the middle: for names, which often differ at their ends alone. */
export function fitMiddle(line: string, columns: number): string {
  if (textWidth(line) <= columns) return line;
  const chars = [...line];
  const head = start(chars, Math.ceil((columns - 1) / 2));
  const tail = [...start(chars.reverse(), columns - 1 - textWidth(head.join('')))].reverse();
  return `${head.join('')}…${tail.join('')}`;
}

/** As many characters from the first on as fit into some columns. */
function start(chars: readonly string[], columns: number): readonly string[] {
  let width = 0;
  const end = chars.findIndex((char) => {
    width += charWidth(char);
    return width > columns;
  });
  return end === -1 ? chars : chars.slice(0, end);
}
