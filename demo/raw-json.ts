/** A JSON string in full, a structural character, or a literal; blanks between tokens match nothing. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

const memberStart = /^\s*("[^"\\]*(?:\\.[^"\\]*)*")\s*:/;

/**
 * Cuts the text of a JSON array into the source texts of its elements.
 *
 * `JSON.parse` forgets how a number was written and in which order keys stood; comparing byte for byte needs the text.
 *
 * @param text A JSON array that `JSON.parse` accepts; nothing is checked here.
 * @example
 * ```ts
 * rawElements('[1.0, {"a": 1e3}]'); // ['1.0', '{"a": 1e3}']
 * ```
 */
export function rawElements(text: string): string[] {
  return topLevelParts(text);
}

/**
 * Cuts the text of a JSON object into the source texts of its members' values, by key. Of a repeated key the last
 * counts, as for `JSON.parse`.
 *
 * @param text A JSON object that `JSON.parse` accepts; nothing is checked here.
 */
export function rawMembers(text: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  for (const part of topLevelParts(text)) {
    const [start, key] = memberStart.exec(part) ?? [];
    if (start === undefined || key === undefined) continue;
    members.set(String(JSON.parse(key)), part.slice(start.length).trim());
  }
  return members;
}

/** The value of a JSON text; undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The texts between the commas of the outermost array or object. */
function topLevelParts(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '{' || token === '[') depth += 1;
    if (depth === 1 && (token === '{' || token === '[')) start = index + 1;
    const isEnd = depth === 1 && (token === '}' || token === ']' || token === ',');
    if (isEnd) {
      const part = text.slice(start, index).trim();
      if (part !== '') parts.push(part);
      start = index + 1;
    }
    if (token === '}' || token === ']') depth -= 1;
  }
  return parts;
}
