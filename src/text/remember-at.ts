import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import { elementTextsAt, rememberSource, sourceTextAt } from './verbatim-json.ts';

/**
 * Remembers, for each element of a list that was parsed from a text, the source text of one value inside it, so that it
 * is written again as it stood there: `1.0`, 20-digit ids, blanks.
 *
 * @param source The JSON text of what holds the list.
 * @param list The way to the list.
 * @param elements The elements of the list, parsed.
 * @param path The way from an element to the value.
 */
export function rememberAt(
  source: string,
  list: readonly string[],
  elements: readonly JsonObject[],
  path: readonly string[],
): void {
  const values = elements.map((element) => path.reduce<unknown>(memberOf, element));
  if (!values.some(isJsonObject)) return;
  const texts = elementTextsAt(source, list);
  for (const [at, value] of values.entries()) {
    const text = isJsonObject(value) ? sourceTextAt(texts[at] ?? '', path) : undefined;
    if (isJsonObject(value) && text !== undefined && JSON.stringify(value) !== text) rememberSource(value, text);
  }
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}
