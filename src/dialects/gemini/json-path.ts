/** One step of a path: a string names a member, a number an element. */
export type PathSegment = string | number;

/** A path to one value, as far as it can be read. */
export interface JsonPath {
  /** Never empty. */
  readonly segments: readonly PathSegment[];
  /** Whether the path ends in `[]`, which says that there is an array, and nothing of its elements. */
  readonly isArray: boolean;
}

const shorthand = /\.([^.[\]]+)/y;
const element = /\[(0|[1-9]\d*)\]/y;
const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * Reads a JSONPath that leads to one value: `$.stops[0].name`, `$['odd.key']["other"]`, `$.tags[]`.
 *
 * Linear in the path.
 *
 * @returns undefined for what is no such path: wildcards, slices, filters, negative indexes, the root itself.
 * @see https://www.rfc-editor.org/rfc/rfc9535
 */
export function readJsonPath(path: unknown): JsonPath | undefined {
  if (typeof path !== 'string' || !path.startsWith('$')) return undefined;
  const isArray = path.endsWith('[]');
  const end = isArray ? path.length - '[]'.length : path.length;
  const segments: PathSegment[] = [];
  let at = 1;
  while (at < end) {
    const step = readShorthand(path, at) ?? readElement(path, at) ?? readQuoted(path, at);
    if (!step) return undefined;
    segments.push(step.segment);
    at = step.end;
  }
  return segments.length > 0 ? { segments, isArray } : undefined;
}

/** One step of a path, and where it is over. */
interface Step {
  readonly segment: PathSegment;
  readonly end: number;
}

function readShorthand(path: string, at: number): Step | undefined {
  shorthand.lastIndex = at;
  const [whole = '', name] = shorthand.exec(path) ?? [];
  return name === undefined || name === '*' ? undefined : { segment: name, end: at + whole.length };
}

function readElement(path: string, at: number): Step | undefined {
  element.lastIndex = at;
  const [whole = '', index] = element.exec(path) ?? [];
  return index === undefined ? undefined : { segment: Number(index), end: at + whole.length };
}

/** A name in brackets and quotes. Scanned by hand: an expression would need a stack as deep as the name is long. */
function readQuoted(path: string, start: number): Step | undefined {
  const mark = path[start + 1];
  if (path[start] !== '[' || (mark !== "'" && mark !== '"')) return undefined;
  let at = start + 2;
  while (at < path.length && path[at] !== mark) at += path[at] === '\\' ? 2 : 1;
  if (path[at] !== mark || path[at + 1] !== ']') return undefined;
  return { segment: unescaped(path.slice(start + 2, at)), end: at + 2 };
}

function unescaped(name: string): string {
  if (!name.includes('\\')) return name;
  return name.replace(/\\(?:u([\da-fA-F]{4})|(.))/gs, (_whole, code: string | undefined, char: string) =>
    code === undefined ? (escapes[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
