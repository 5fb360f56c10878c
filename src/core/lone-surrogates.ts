import { isJsonObject } from './json-object.ts';

const half = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Deeper than this nothing is looked at. */
const mostDepth = 512;

/**
 * Finds the texts in a JSON value that hold half a character: one of the two code units of a surrogate pair alone.
 *
 * @param path What the path of the value itself is.
 * @returns The paths of those texts, such as `messages[1].content`.
 */
export function* findLoneSurrogates(value: unknown, path: string, depth = 0): Generator<string, void, void> {
  if (typeof value === 'string') {
    if (half.test(value)) yield path;
  } else if (depth >= mostDepth) return;
  else if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) yield* findLoneSurrogates(element, `${path}[${index}]`, depth + 1);
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) yield* findLoneSurrogates(member, `${path}.${name}`, depth + 1);
  }
}
