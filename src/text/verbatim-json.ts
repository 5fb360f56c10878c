const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * The source text of one value inside a JSON text, without the blanks around it.
 *
 * Every step of the path reads the container it leads into once, and parses nothing but names; there is no recursion.
 * The result does not keep `json` in memory.
 *
 * @param json A text that `JSON.parse` accepts; of any other nothing is promised, but that the call ends.
 * @param path The way to the value: a string names a member, a number an element. Of members with one name the last
 *   counts, as in `JSON.parse`.
 * @returns undefined if there is no such value.
 *
 * @example
 * ```ts
 * sourceTextAt('{"call": {"input": {"id": 1.0 }}}', ['call', 'input']); // '{"id": 1.0 }'
 * ```
 */
export function sourceTextAt(json: string, path: readonly (string | number)[]): string | undefined {
  const start = findValue(json, path);
  return start === undefined ? undefined : detach(json.slice(start, skipValue(json, start)));
}

/**
 * The source texts of all elements of an array inside a JSON text, read in one pass.
 *
 * @param path The way to the array, as in {@link sourceTextAt}.
 * @returns `[]` if there is no array.
 */
export function elementTextsAt(json: string, path: readonly (string | number)[]): string[] {
  const start = findValue(json, path);
  const texts: string[] = [];
  if (start === undefined || json[start] !== '[') return texts;
  let at = skipBlanks(json, start + 1);
  while (at < json.length && json[at] !== ']') {
    texts.push(json.slice(at, skipValue(json, at)));
    at = nextMember(json, at);
  }
  return texts;
}

/**
 * How deep the arrays and objects of a JSON text nest: `{}` is 1, `3` is 0.
 *
 * Brackets are counted, those in strings left out, so the text need not be valid.
 */
export function nestingDepth(json: string): number {
  let depth = 0;
  let deepest = 0;
  let at = 0;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    depth += bracketStep(code);
    if (depth > deepest) deepest = depth;
    at = code === quote ? skipString(json, at) : at + 1;
  }
  return deepest;
}

const sources = new WeakMap<object, string>();

/**
 * Remembers that a value was parsed from a text, for {@link stringifyRequest}.
 *
 * @param value What `JSON.parse(text)` gave. It is not kept alive.
 * @param text The source text, as it stood on the wire.
 */
export function rememberSource(value: object, text: string): void {
  // Half a surrogate pair does not survive the way into bytes, its escape does; it can only stand inside a string.
  // Looked for with a simpler expression first: hardly any text has a surrogate at all.
  const verbatim = /[\ud800-\udfff]/.test(text) ? text.replace(/\p{Surrogate}/gu, escapeHalf) : text;
  sources.set(value, verbatim);
}

function escapeHalf(half: string): string {
  return `\\u${half.charCodeAt(0).toString(16)}`;
}

/**
 * Writes a request body like `JSON.stringify`, but the tool input of assembled turns as the text that the provider
 * sent: `1.0`, `1e3`, 20-digit ids, the order of keys and the blanks stay as they were.
 *
 * Newest models sign what came before, so an input that was parsed and written again may be another one to them.
 * What is recognised is the input object itself, wherever it stands in the body; the blocks and messages around it may
 * be copied. An input that was changed is written as it is now, and so is a copy of one. Anything else comes out
 * exactly as `JSON.stringify(body)` writes it. Linear in the size of the body.
 *
 * @param body The whole body of the request.
 * @throws TypeError where `JSON.stringify` throws one (a cycle, a bigint), and for what has no JSON: undefined, a
 *   function, a symbol.
 *
 * @example
 * ```ts
 * const turn = await assembleTurn(response, anthropic).finalTurn();
 * const messages = [...history, ...turn.entries, { role: 'user', content: toolResults }];
 * await fetch(url, { method: 'POST', headers, body: stringifyRequest({ model, messages, stream: true }) });
 * ```
 */
export function stringifyRequest(body: unknown): string {
  // The marker is random so that no text in the body can be made to contain it; should one do so, it is drawn again.
  for (;;) {
    const marker = `source ${Math.random()}`;
    const texts: string[] = [];
    const json: string | undefined = JSON.stringify(body, (_key, value: unknown) => {
      const text = unchangedSource(value);
      if (text === undefined) return value;
      texts.push(text);
      return marker;
    });
    if (json === undefined) {
      throw new TypeError(
        `A request body must be a value that JSON can hold, got ${typeof body}. Pass the body's object.`,
      );
    }
    const pieces = json.split(`"${marker}"`);
    if (pieces.length === texts.length + 1) return pieces.map((piece, index) => piece + (texts[index] ?? '')).join('');
  }
}

/** The text a value was parsed from, unless the value was changed since. */
function unchangedSource(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const text = sources.get(value);
  if (text === undefined) return undefined;
  // Compared as texts, where numbers that JavaScript cannot hold are rounded alike on both sides.
  const now = JSON.stringify(value);
  return now === text || now === JSON.stringify(JSON.parse(text)) ? text : undefined;
}

function findValue(json: string, path: readonly (string | number)[]): number | undefined {
  let start: number | undefined = skipBlanks(json, 0);
  for (const segment of path) {
    start = typeof segment === 'string' ? findMember(json, start, segment) : findElement(json, start, segment);
    if (start === undefined) return undefined;
  }
  return start;
}

/** Where the value of an object's member begins: of the last one with that name. */
function findMember(json: string, start: number, name: string): number | undefined {
  if (json[start] !== '{') return undefined;
  let found: number | undefined;
  let at = skipBlanks(json, start + 1);
  while (json[at] === '"') {
    const keyEnd = skipString(json, at);
    const valueStart = skipBlanks(json, skipBlanks(json, keyEnd) + 1);
    if (JSON.parse(json.slice(at, keyEnd)) === name) found = valueStart;
    at = nextMember(json, valueStart);
  }
  return found;
}

/** Where an element of an array begins. */
function findElement(json: string, start: number, index: number): number | undefined {
  if (json[start] !== '[') return undefined;
  let at = skipBlanks(json, start + 1);
  for (let passed = 0; at < json.length && json[at] !== ']'; passed++) {
    if (passed === index) return at;
    at = nextMember(json, at);
  }
  return undefined;
}

/** Where the member after the value at `start` begins, or the bracket that ends their container stands. */
function nextMember(json: string, start: number): number {
  const end = skipBlanks(json, skipValue(json, start));
  return json.charCodeAt(end) === comma ? skipBlanks(json, end + 1) : end;
}

/** Where the value at `start` is over. */
function skipValue(json: string, start: number): number {
  if (json.charCodeAt(start) === quote) return skipString(json, start);
  let depth = bracketStep(json.charCodeAt(start));
  let at = start + 1;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (depth === 0 && canFollowValue(code)) break;
    depth += bracketStep(code);
    at = code === quote ? skipString(json, at) : at + 1;
  }
  return at;
}

/** Where the string whose opening quote stands at `start` is over. */
function skipString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === quote) return at + 1;
    at += code === backslash ? 2 : 1;
  }
  return json.length;
}

function skipBlanks(json: string, start: number): number {
  let at = start;
  while (json.charCodeAt(at) <= space) at++;
  return at;
}

function canFollowValue(code: number): boolean {
  return code <= space || code === comma || bracketStep(code) < 0;
}

/** How a character outside strings changes the depth. */
function bracketStep(code: number): -1 | 0 | 1 {
  if (code === openBracket || code === openBrace) return 1;
  return code === closeBracket || code === closeBrace ? -1 : 0;
}

/** A copy that stands alone: engines let a slice keep the whole text alive that it was cut from. */
function detach(slice: string): string {
  const copy: string = JSON.parse(JSON.stringify(slice));
  return copy;
}
