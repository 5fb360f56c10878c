import { isJsonObject } from '../core/json-object.ts';
import type { Repair, Warning } from '../core/turn.ts';

/**
 * Describes in words what came whole: a server tool's result, media, a block that nobody knows.
 *
 * A list becomes its length and the titles in it, anything else its JSON; the type comes first. The text may hold
 * control characters.
 */
export function describeContent(content: unknown): string {
  if (!isJsonObject(content)) return jsonOf(content);
  const { type, content: inner } = content;
  if (typeof type !== 'string') return jsonOf(content);
  if (Array.isArray(inner)) return `${type} ${describeList(inner)}`;
  if (inner !== undefined) return `${type} ${jsonOf(inner)}`;
  const { type: _type, ...rest } = content;
  return Object.keys(rest).length === 0 ? type : `${type} ${jsonOf(rest)}`;
}

/** What a person needs to find a cited source: its title and where it is. */
export function describeCitation(citation: unknown): string {
  const { title, document_title: documentTitle, url, source } = isJsonObject(citation) ? citation : {};
  const words = [title ?? documentTitle, url ?? source].filter((word) => typeof word === 'string' && word !== '');
  return words.length === 0 ? jsonOf(citation) : words.join(' – ');
}

/** A repair in a line; its message names the block. */
export function describeRepair({ code, message }: Repair): string {
  return `repair ${code}: ${message}`;
}

/** A warning in a line, with the block that it is about. */
export function describeWarning({ code, index, message }: Warning): string {
  return `warning ${code}${index === undefined ? '' : ` (block ${index})`}: ${message}`;
}

function describeList(items: readonly unknown[]): string {
  const count = `(${items.length === 1 ? '1 item' : `${items.length} items`})`;
  const titles = items.flatMap((item) =>
    isJsonObject(item) && typeof item['title'] === 'string' ? item['title'] : [],
  );
  const details = titles.length > 0 ? titles.join(', ') : items.map(jsonOf).join(', ');
  return details === '' ? count : `${count} ${details}`;
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
