import { isJsonObject } from '../core/json-object.ts';
import { HashLanes } from './hash-lanes.ts';

/** What is kept of a JSON value to tell later whether, and where, it changed: hashes and sizes, none of its texts. */
export interface JsonPrint {
  /** Of what certainly counts; 0 for what may not count at all. Order of members, and how a number is spelt, do not. */
  readonly hash: number;
  /** Of what may count, too. */
  readonly exact: number;
  readonly kind: 'text' | 'number' | 'boolean' | 'nothing' | 'list' | 'object';
  /** Characters of a text, elements of a list, members of an object. */
  readonly size: number;
  /** The name of what has one, such as a tool. */
  readonly name?: string;
  /** The prints of its members, as far as they are kept. */
  readonly members?: ReadonlyMap<string, JsonPrint>;
  /** The prints of its elements, as far as they are kept. */
  readonly items?: readonly JsonPrint[];
  /** True for a list that stands in the body as a plain text. */
  readonly isShort?: true;
}

/** How many prints below one may still be kept. */
export interface PrintBudget {
  left: number;
}

/** Prints kept below one block, tool or item; what is beyond is told as a change of what it stands in. */
export const printsPerPart = 64;

/** How deep below a part prints are kept. */
const keptDepth = 5;

/** How deep values are looked at; providers take less. */
const maxDepth = 512;

/** A longer name is not kept, nor is what has it. */
const maxName = 64;

/** The print of what is not there. */
export const nothing: JsonPrint = scalar('nothing', 0, '');

/**
 * Takes the print of a JSON value. Linear in the value; at most {@link printsPerPart} prints of parts of it are kept.
 */
export function printOf(value: unknown, budget: PrintBudget = { left: printsPerPart }, depth = 0): JsonPrint {
  if (typeof value === 'string') return scalar('text', value.length, value);
  if (typeof value === 'number' && Number.isFinite(value)) return scalar('number', 1, String(value));
  if (typeof value === 'boolean') return scalar('boolean', 1, String(value));
  if (typeof value !== 'object' || value === null || depth >= maxDepth) return nothing;
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return printOf(toJSON.call(value), budget, depth + 1);
  if (Array.isArray(value)) {
    const below = reserve(value.length, budget, depth);
    const items = value.map((item: unknown) => printOf(item, below ?? { left: 0 }, depth + 1));
    return listPrint(items, { isKept: below !== undefined });
  }
  const known = membersOf(value);
  const areNamed = known.every(([name]) => name.length <= maxName);
  const below = areNamed ? reserve(known.length, budget, depth) : undefined;
  const members = known.map(([name, member]): [string, JsonPrint] => {
    return [name, printOf(member, below ?? { left: 0 }, depth + 1)];
  });
  return objectPrint(members, { isKept: below !== undefined });
}

/** The members of an object that JSON has. */
export function membersOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined && typeof member !== 'function');
}

/** A value whose changes may not count. */
export function doubtful(print: JsonPrint): JsonPrint {
  return { ...print, hash: 0 };
}

/** A print with another exact hash: that of the text in which the value was written. */
export function writtenAs(print: JsonPrint, text: string): JsonPrint {
  return { ...print, exact: new HashLanes().text(text).end() };
}

/** The print of a list, from those of its elements. */
export function listPrint(
  items: readonly JsonPrint[],
  { isKept = true, isShort = false }: { isKept?: boolean; isShort?: boolean } = {},
): JsonPrint {
  const hash = hashOf('[', items, ({ hash: own }) => own);
  const exact = items.every(isPlain) ? hash : hashOf('[', items, ({ exact: own }) => own);
  return { hash, exact, kind: 'list', size: items.length, ...(isKept && { items }), ...(isShort && { isShort }) };
}

/** The print of an object, from those of its members. */
export function objectPrint(
  members: readonly (readonly [string, JsonPrint])[],
  { isKept = true, name }: { isKept?: boolean; name?: unknown } = {},
): JsonPrint {
  const sorted = [...members].sort(([one], [other]) => (one < other ? -1 : 1));
  const certain = sorted.filter(([, { hash }]) => hash !== 0);
  const hash = hashOfMembers(certain, ({ hash: own }) => own);
  const isSure = certain.length === sorted.length && sorted.every(([, member]) => isPlain(member));
  const exact = isSure ? hash : hashOfMembers(sorted, ({ exact: own }) => own);
  const isNamed = typeof name === 'string' && name.length <= maxName;
  return {
    hash,
    exact,
    kind: 'object',
    size: members.length,
    ...(isNamed && { name }),
    ...(isKept && { members: new Map(members) }),
  };
}

/** How many prints are kept in one, itself included. */
export function countPrints(print: JsonPrint): number {
  const below = [...(print.items ?? []), ...(print.members?.values() ?? [])];
  return below.reduce((sum, child) => sum + countPrints(child), 1);
}

/** A member of an object; undefined for what is none. */
export function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

/** The index of the last element of a kind; null if there is none. */
export function lastIndex(items: readonly unknown[], isMeant: (item: unknown) => boolean): number | null {
  const index = items.findLastIndex(isMeant);
  return index < 0 ? null : index;
}

function scalar(kind: JsonPrint['kind'], size: number, text: string): JsonPrint {
  const hash = new HashLanes().text(kind).text(text).end();
  return { hash, exact: hash, kind, size };
}

function isPlain({ hash, exact }: JsonPrint): boolean {
  return hash === exact;
}

function hashOf(tag: string, prints: readonly JsonPrint[], own: (print: JsonPrint) => number): number {
  const lanes = new HashLanes().text(tag);
  for (const print of prints) lanes.hash(own(print));
  return lanes.end();
}

function hashOfMembers(members: readonly (readonly [string, JsonPrint])[], own: (print: JsonPrint) => number): number {
  const lanes = new HashLanes().text('{');
  for (const [name, print] of members) lanes.text(name).hash(own(print));
  return lanes.end();
}

/** Takes room for so many prints; undefined if there is none. */
function reserve(count: number, budget: PrintBudget, depth: number): PrintBudget | undefined {
  if (depth >= keptDepth || count > budget.left) return undefined;
  budget.left -= count;
  return budget;
}
