/**
 * What must not reach a terminal as it is: control characters, of which escape sequences are made; the marks that turn
 * the direction of text around; line ends that not every terminal knows; halves of surrogate pairs.
 *
 * @see https://trojansource.codes for what the direction marks can do
 */
const unsafe = /(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** The symbol of a control character is as far from the start of its Unicode block as the character from 0. */
const controlPictures = 0x2400;

/**
 * Makes a text safe for a terminal: what would steer it is shown as a symbol (`␛`, `␍`, `⟨U+009B⟩`). Line feeds and
 * tabs stay.
 *
 * Whoever splits the text splits the result: each character is shown by itself, only surrogate pairs must be whole.
 */
export function visible(text: string): string {
  return text.replace(unsafe, symbolOf);
}

/** The same, in one line: line feeds and tabs are shown as symbols too. */
export function visibleLine(text: string): string {
  return visible(text).replace(/[\n\t]/g, symbolOf);
}

/**
 * Makes JSON text safe for a terminal without changing what it means: unsafe characters in strings become `\u` escapes.
 * A carriage return between tokens, the only other place where JSON allows one of them, becomes a blank.
 */
export function visibleJson(json: string): string {
  return json.replaceAll('\r', ' ').replace(unsafe, (char) => `\\u${hex(char.charCodeAt(0))}`);
}

/** Cuts a text before the first half of a surrogate pair at its end, whose other half may be in the next piece. */
export function holdHalfPair(text: string): { whole: string; half: string } {
  const isHalf = /[\ud800-\udbff]$/.test(text);
  const end = isHalf ? text.length - 1 : text.length;
  return { whole: text.slice(0, end), half: text.slice(end) };
}

function symbolOf(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(controlPictures + code);
  if (code === 0x7f) return '\u2421';
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return `⟨U+${hex(char.charCodeAt(0)).toUpperCase()}⟩`;
}

function hex(code: number): string {
  return code.toString(16).padStart(4, '0');
}
