import fc from 'fast-check';

const halfPair = '\ud83d';
const blank = fc.constantFrom('', '', '', ' ', '\n\t', '\r\n');
const plainChar = fc.constantFrom('a', 'é', '😀', '\u2028', '/', '{', ']', ':', ',');
const escapedChar = fc.constantFrom('\\n', '\\"', '\\\\', '\\/', '\\u0041', '\\u00E9', '\\ud83d\\ude00', '\\u0000');
const loneChar = fc.constantFrom(halfPair, '\ude00', '\\ud83d', '\\uDE00', '\\ud83d\\n');
const numberText = fc.oneof(
  fc.constantFrom('0', '-0', '1e400', '-1E+2', '1.0', '0.1e-7', '98765432109876543210'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
);

/** JSON texts in all spellings: escapes, blanks, and – where `keys` may repeat – duplicate keys. */
function jsonText(options: { char: fc.Arbitrary<string>; uniqueKeys: boolean }): fc.Arbitrary<string> {
  const stringText = fc.array(options.char, { maxLength: 8 }).map((chars) => `"${chars.join('')}"`);
  const key = fc.oneof(fc.constantFrom('"a"', '"\\u0061"', '"1"', '"01"', '"__proto__"', '"constructor"'), stringText);
  const { text } = fc.letrec<{ text: string; array: string; object: string }>((tie) => ({
    text: fc.oneof(
      { maxDepth: 4, depthSize: 'medium' },
      fc.oneof(stringText, numberText, fc.constantFrom('true', 'false', 'null')),
      tie('array'),
      tie('object'),
    ),
    array: fc
      .array(fc.tuple(blank, tie('text'), blank), { maxLength: 5 })
      .map((elements) => `[${elements.map((element) => element.join('')).join(',')}]`),
    object: fc
      .array(fc.tuple(blank, key, blank, fc.constant(':'), blank, tie('text'), blank), { maxLength: 5 })
      .map((members) => (options.uniqueKeys ? members.filter(isFirstOfItsKey) : members))
      .map((members) => `{${members.map((member) => member.join('')).join(',')}}`),
  }));
  return fc.tuple(blank, text, blank).map((parts) => parts.join(''));
}

function isFirstOfItsKey(member: string[], index: number, members: string[][]): boolean {
  const keyOf = (other: string[]): unknown => JSON.parse(other[1] ?? '');
  return members.findIndex((other) => keyOf(other) === keyOf(member)) === index;
}

/** JSON texts of every kind. */
export const anyText: fc.Arbitrary<string> = jsonText({
  char: fc.oneof(plainChar, escapedChar, loneChar),
  uniqueKeys: false,
});

/** JSON texts whose objects have no key twice. */
export const growingText: fc.Arbitrary<string> = jsonText({
  char: fc.oneof(plainChar, escapedChar, loneChar),
  uniqueKeys: true,
});

/** JSON texts without half surrogate pairs. */
export const wellFormedText: fc.Arbitrary<string> = jsonText({
  char: fc.oneof(plainChar, escapedChar),
  uniqueKeys: false,
});

/** JSON texts with one spot removed, replaced or filled in: most of them are broken. */
export const mutatedText: fc.Arbitrary<string> = fc
  .tuple(anyText, fc.nat(), fc.nat(2), fc.constantFrom(...'{}[]",:-+.0123eEtrufalsn\\\n \u0001\ufeff', ''))
  .map(([text, spot, removed, put]) => {
    const at = spot % (text.length + 1);
    return text.slice(0, at) + put + text.slice(at + removed);
  });

/** Cuts a text; the places may be any numbers. */
export function piecesOf(text: string, at: readonly number[]): string[] {
  const bounds = [0, ...at.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  return bounds.slice(1).map((end, index) => text.slice(bounds[index], end));
}

/** Whether `JSON.parse` accepts a text. */
export function accepts(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
