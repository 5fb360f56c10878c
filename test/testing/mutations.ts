import type { JsonObject } from '../../src/index.ts';

/** What a change does to what. */
export type Kind = 'edit seal' | 'edit reasoning' | 'edit text' | 'drop' | 'swap';

/** One change of a body, made in place. */
export interface Mutation {
  readonly kind: Kind;
  /** Makes it in a copy of the body that it was found in. */
  make(body: JsonObject): void;
}

const seals = new Set(['signature', 'data', 'encrypted_content', 'thoughtSignature']);
const texts = new Set(['thinking', 'text', 'content', 'arguments', 'output']);
const lists = new Set(['content', 'reasoning_details', 'tool_calls', 'parts']);

type Path = readonly (string | number)[];

/**
 * All changes that a signature shows which is bound to what stands before it: an edited text, an element that is
 * dropped or changes places with the next, in a message before the last that is signed; and each signature itself.
 */
export function mutationsOf(body: JsonObject): readonly Mutation[] {
  const [name, history] = historyOf(body);
  const last = history.findLastIndex((message) => [...leaves(message)].some(isSeal));
  return history.slice(0, last + 1).flatMap((message, index) => {
    const at = [name, index];
    const own = [...leaves(message)];
    const edits = own.filter(isSeal).map((leaf) => edit('seal', [...at, ...leaf.path]));
    if (index === last) return edits;
    const wording = own.filter(({ path }) => texts.has(String(path.at(-1))));
    const inLists = [...listsIn(message)].flatMap(({ path, list }) => moves([...at, ...path], list));
    return [
      ...edits,
      ...wording.map(({ path }) => edit(isReasoning(body, [...at, ...path]) ? 'reasoning' : 'text', [...at, ...path])),
      ...inLists,
      // The elements of a history of Responses are what elsewhere stands in one message.
      ...(name === 'input' && index + 1 <= last ? moves([name], history, index) : []),
    ];
  });
}

function historyOf(body: JsonObject): [name: string, history: readonly JsonObject[]] {
  const name = ['messages', 'input', 'contents'].find((key) => Array.isArray(body[key])) ?? '';
  return [name, body[name] as readonly JsonObject[]];
}

interface Leaf {
  readonly path: Path;
  readonly value: string;
}

function* leaves(value: unknown, path: Path = []): Generator<Leaf> {
  if (typeof value === 'string') yield { path, value };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value))
    yield* leaves(inner, [...path, Array.isArray(value) ? Number(key) : key]);
}

function isSeal({ path }: Leaf): boolean {
  return seals.has(String(path.at(-1)));
}

function isReasoning(body: JsonObject, path: Path): boolean {
  const { type, thought } = parentOf(body, path);
  return thought === true || ['thinking', 'reasoning.text', 'summary_text'].includes(String(type));
}

function* listsIn(
  value: unknown,
  path: Path = [],
): Generator<{ readonly path: Path; readonly list: readonly unknown[] }> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (lists.has(key) && Array.isArray(inner)) yield { path: [...path, key], list: inner };
  }
}

/** Drops each element, and lets it change places with the next. */
function moves(path: Path, list: readonly unknown[], only?: number): readonly Mutation[] {
  return list.flatMap((element, at): Mutation[] => {
    if (only !== undefined && only !== at) return [];
    const drop: Mutation = { kind: 'drop', make: (body) => listIn(body, path).splice(at, 1) };
    const isLast = at + 1 >= list.length || JSON.stringify(element) === JSON.stringify(list[at + 1]);
    return isLast
      ? [drop]
      : [drop, { kind: 'swap', make: (body) => listIn(body, path).splice(at, 2, list[at + 1], element) }];
  });
}

/** Changes one character, or adds one. */
function edit(what: 'seal' | 'reasoning' | 'text', path: Path): Mutation {
  return {
    kind: `edit ${what}`,
    make(body) {
      const parent = parentOf(body, path);
      const key = String(path.at(-1));
      const value = String(parent[key]);
      parent[key] = what === 'seal' ? `${value[0] === 'A' ? 'B' : 'A'}${value.slice(1)}` : `${value}x`;
    },
  };
}

function parentOf(body: JsonObject, path: Path): JsonObject {
  return path.slice(0, -1).reduce<unknown>((inner, key) => (inner as JsonObject)[key], body) as JsonObject;
}

function listIn(body: JsonObject, path: Path): unknown[] {
  return path.reduce<unknown>((inner, key) => (inner as JsonObject)[key], body) as unknown[];
}
