import type { Finding } from '../core/finding.ts';
import type { HistoryFormat } from '../core/history.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';

/** Deeper than this a change is told as one of what it stands in. */
const maxDepth = 64;

/**
 * Finds where the history of a request is not that of a transcript: what was edited, left out, added, or moved on the
 * way between them.
 *
 * The order of members and `cache_control` do not count, for providers do not compare them. Instructions that the request
 * puts before the history are its own.
 *
 * @param items The history of the request.
 * @param entries That of the transcript.
 */
export function* historyChanges(
  items: readonly unknown[],
  entries: readonly unknown[],
  { roleOf }: HistoryFormat<unknown>,
  name: string,
): Generator<Finding> {
  const offset = Math.max(0, leading(items, roleOf) - leading(entries, roleOf));
  for (const [at, entry] of entries.entries()) {
    const path = `${name}[${at + offset}]`;
    if (at + offset >= items.length) yield changed(path, 'is missing');
    else {
      const inner = firstChange(items[at + offset], entry, path, 0);
      if (inner !== undefined) yield changed(inner, 'is not what the transcript has there');
    }
  }
  const extra = items.length - offset - entries.length;
  if (extra > 0) yield changed(`${name}[${offset + entries.length}]`, 'is not in the transcript, nor is what follows');
}

/** How many elements at the beginning are neither the user's nor a turn's. */
function leading(items: readonly unknown[], roleOf: HistoryFormat<unknown>['roleOf']): number {
  const at = items.findIndex((item) => !isJsonObject(item) || roleOf(item) !== 'other');
  return at < 0 ? items.length : at;
}

function changed(path: string, what: string): Finding {
  const message = `The history was changed on the way: ${path} ${what}. Signatures and ciphertext are refused, or dropped, with what they are bound to. Send the transcript's entries as they are, and append what is new.`;
  return { code: 'history_changed', path, message, severity: 'error' };
}

/** The path of the first value that differs; undefined where none does. */
function firstChange(one: unknown, other: unknown, path: string, depth: number): string | undefined {
  if (Object.is(one, other)) return undefined;
  if (depth === maxDepth) return JSON.stringify(one) === JSON.stringify(other) ? undefined : path;
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return path;
    return firstOf(one.map((value, at) => firstChange(value, other[at], `${path}[${at}]`, depth + 1)));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return path;
  const names = new Set([...membersOf(one), ...membersOf(other)]);
  return firstOf([...names].map((name) => firstChange(one[name], other[name], `${path}.${name}`, depth + 1)));
}

function membersOf(object: JsonObject): string[] {
  return Object.keys(object).filter((name) => name !== 'cache_control' && object[name] !== undefined);
}

function firstOf(paths: readonly (string | undefined)[]): string | undefined {
  return paths.find((path) => path !== undefined);
}
