import { canEndNumber, firstNumberPart, type NumberPart, nextNumberPart } from './json-number.ts';

/** What a {@link JsonScanner} finds, in the order of the text. Only what is sure is reported. */
export interface JsonSink {
  /** An array or object begins. */
  open(container: 'array' | 'object'): void;
  /** The innermost array or object is over. */
  close(): void;
  /** The name of the member whose value comes next. */
  key(key: string): void;
  /** A string value begins. */
  beginString(): void;
  /** Decoded text of the string value; never empty. Half a surrogate pair may stand at its end. */
  appendString(text: string): void;
  /** The string value is over. */
  endString(): void;
  /** A whole value that does not grow. */
  scalar(value: number | boolean | null): void;
}

/** Reads JSON text piece by piece, exactly as strict as `JSON.parse`. */
export interface JsonScanner {
  /** Reads on. Does nothing once the text is invalid. */
  push(text: string): void;
  /** `invalid` as soon as nothing that follows can make the text JSON; `complete` if it is JSON as it stands. */
  readonly state: 'open' | 'complete' | 'invalid';
  /** The number outside all containers that ends the text so far: a further digit may still change it. */
  readonly pendingNumber: number | undefined;
}

/** What the next character belongs to. */
type Expected =
  | 'value'
  | 'first_element'
  | 'key'
  | 'first_key'
  | 'colon'
  | 'next'
  | 'end'
  | 'string'
  | 'escape'
  | 'literal'
  | 'number';

interface Literal {
  readonly word: string;
  readonly value: boolean | null;
}

const nullLiteral: Literal = { word: 'null', value: null };
const literals: ReadonlyMap<string, Literal> = new Map([
  ['t', { word: 'true', value: true }],
  ['f', { word: 'false', value: false }],
  ['n', nullLiteral],
]);

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

const quote = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;

/**
 * Makes a scanner for one JSON text.
 *
 * It looks at every character once and keeps nothing but the open brackets and the token it is in, so its time is
 * linear in the text however that is cut. It does not recurse. Grammar: RFC 8259, which is what `JSON.parse` accepts.
 *
 * @param sink Is told what was found, during `push`.
 * @param maxDepth How many containers may be open at once; one more makes the text invalid.
 */
export function createJsonScanner(sink: JsonSink, maxDepth: number): JsonScanner {
  const closers: ('}' | ']')[] = [];
  let expected: Expected = 'value';
  // Beside `expected`, not one of its values: what was pending when the text went bad is still asked for.
  let isInvalid = false;
  let isKey = false;
  let key = '';
  let escapeText = '';
  let literal = nullLiteral;
  let matched = 0;
  let number = '';
  let part: NumberPart = 'sign';

  return {
    push(text) {
      let at = 0;
      while (at < text.length && !isInvalid) at = readFrom(text, at);
    },
    get state() {
      if (isInvalid) return 'invalid';
      return expected === 'end' || isNumberAtEnd() ? 'complete' : 'open';
    },
    get pendingNumber() {
      return isNumberAtEnd() ? Number(number) : undefined;
    },
  };

  function isNumberAtEnd(): boolean {
    return expected === 'number' && closers.length === 0 && canEndNumber(part);
  }

  /** Reads at least one character, or changes what is expected, and returns where to go on. */
  function readFrom(text: string, at: number): number {
    if (expected === 'string') return readString(text, at);
    if (expected === 'number') return readNumber(text, at);
    expect(readChar(text.charAt(at)));
    return at + 1;
  }

  /** Takes what comes next; undefined says that what was read makes the text invalid. */
  function expect(next: Expected | undefined): void {
    if (next === undefined) isInvalid = true;
    else expected = next;
  }

  function readChar(char: string): Expected | undefined {
    if (expected === 'escape') return escapeText === '' ? readEscape(char) : readHexDigit(char);
    if (expected === 'literal') return readLiteral(char);
    return isBlank(char) ? expected : readToken(char);
  }

  function readToken(char: string): Expected | undefined {
    switch (expected) {
      case 'value':
        return beginValue(char);
      case 'first_element':
        return char === ']' ? close() : beginValue(char);
      case 'key':
        return beginKey(char);
      case 'first_key':
        return char === '}' ? close() : beginKey(char);
      case 'colon':
        return char === ':' ? 'value' : undefined;
      case 'next':
        return endMember(char);
      default:
        return undefined;
    }
  }

  function beginValue(char: string): Expected | undefined {
    switch (char) {
      case '"':
        isKey = false;
        sink.beginString();
        return 'string';
      case '{':
        return open('object');
      case '[':
        return open('array');
      default:
        return beginLiteral(char) ?? beginNumber(char);
    }
  }

  function beginKey(char: string): Expected | undefined {
    if (char !== '"') return undefined;
    isKey = true;
    key = '';
    return 'string';
  }

  function endMember(char: string): Expected | undefined {
    const closer = closers.at(-1);
    if (char === closer) return close();
    if (char !== ',') return undefined;
    return closer === '}' ? 'key' : 'value';
  }

  function afterValue(): Expected {
    return closers.length === 0 ? 'end' : 'next';
  }

  function open(container: 'array' | 'object'): Expected | undefined {
    if (closers.length >= maxDepth) return undefined;
    const isArray = container === 'array';
    closers.push(isArray ? ']' : '}');
    sink.open(container);
    return isArray ? 'first_element' : 'first_key';
  }

  function close(): Expected {
    closers.pop();
    sink.close();
    return afterValue();
  }

  function readString(text: string, start: number): number {
    const end = endOfPlainText(text, start);
    if (end > start) append(text.slice(start, end));
    if (end === text.length) return end;
    const code = text.charCodeAt(end);
    escapeText = '';
    if (code === backslash) expect('escape');
    else expect(code === quote ? endString() : undefined);
    return end + 1;
  }

  function append(text: string): void {
    if (isKey) key += text;
    else sink.appendString(text);
  }

  function endString(): Expected {
    if (isKey) {
      sink.key(key);
      return 'colon';
    }
    sink.endString();
    return afterValue();
  }

  function readEscape(char: string): Expected | undefined {
    if (char === 'u') {
      escapeText = char;
      return 'escape';
    }
    const decoded = escapes.get(char);
    if (decoded === undefined) return undefined;
    append(decoded);
    return 'string';
  }

  function readHexDigit(char: string): Expected | undefined {
    if (!/[\da-f]/i.test(char)) return undefined;
    escapeText += char;
    if (escapeText.length < 'u0000'.length) return 'escape';
    append(String.fromCharCode(Number.parseInt(escapeText.slice(1), 16)));
    return 'string';
  }

  function beginLiteral(char: string): Expected | undefined {
    const found = literals.get(char);
    if (!found) return undefined;
    literal = found;
    matched = 1;
    return 'literal';
  }

  function readLiteral(char: string): Expected | undefined {
    if (char !== literal.word[matched]) return undefined;
    matched++;
    if (matched < literal.word.length) return 'literal';
    sink.scalar(literal.value);
    return afterValue();
  }

  function beginNumber(char: string): Expected | undefined {
    const first = firstNumberPart(char.charCodeAt(0));
    if (first === undefined) return undefined;
    part = first;
    number = char;
    return 'number';
  }

  function readNumber(text: string, start: number): number {
    let at = start;
    while (at < text.length) {
      const next = nextNumberPart(part, text.charCodeAt(at));
      if (next === undefined) break;
      part = next;
      at++;
    }
    number += text.slice(start, at);
    if (at < text.length) expect(endNumber(text.charAt(at)));
    return at;
  }

  function endNumber(follower: string): Expected | undefined {
    const isInside = closers.length > 0 && (follower === ',' || follower === closers.at(-1));
    if (!canEndNumber(part) || !(isInside || isBlank(follower))) return undefined;
    sink.scalar(Number(number));
    return afterValue();
  }
}

/** Where the text of a string stops being just itself: at a quote, a backslash or a control character. */
function endOfPlainText(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote || code === backslash || code < firstPrintable) break;
    at++;
  }
  return at;
}

function isBlank(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t';
}
