import { LimitExceededError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject, setMember } from '../../core/json-object.ts';
import { createArgsWriter } from './args-writer.ts';
import { type PathSegment, readJsonPath } from './json-path.ts';

/** An array or object while its children come. */
export interface ArgsContainer {
  readonly kind: 'array' | 'object';
  /** How many containers it stands in. */
  readonly depth: number;
  readonly children: Map<PathSegment, ArgsNode>;
  /** The last name that was a whole number; infinite once another was written. */
  lastIndex: number;
}

/** A text, which grows while its last piece said that it goes on. */
export interface ArgsText {
  readonly kind: 'text';
  text: string;
  goesOn: boolean;
}

/** A value that does not grow. */
export interface ArgsScalar {
  readonly kind: 'scalar';
  readonly value: number | boolean | null;
}

/** One value inside arguments. */
export type ArgsNode = ArgsContainer | ArgsText | ArgsScalar;

/** The arguments of one call, which come in pieces: a path, and a value or a part of a text. */
export interface PartialArgs {
  /** Takes one piece; false if nothing can be made of it, or if it contradicts one before. */
  push(piece: unknown): boolean;
  /** The text that became certain since the last call. */
  take(): string;
  /** All of it; undefined if elements of an array are missing. */
  value(): JsonObject | undefined;
}

/** What partial arguments are made with. */
export interface PartialArgsOptions {
  /** How deep they may nest. */
  readonly maxDepth: number;
  /** Is told the length of what is kept and not part of the text. */
  count(length: number): void;
}

/**
 * Makes the arguments of one call.
 *
 * Nothing but the pieces takes memory, wherever their paths lead: an element is kept under its index, not in a list.
 *
 * @see https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling
 */
export function createPartialArgs({ maxDepth, count }: PartialArgsOptions): PartialArgs {
  const root = container('object', 0);
  const writer = createArgsWriter(root);

  return {
    push(piece) {
      if (!isJsonObject(piece)) return false;
      const path = readJsonPath(piece['jsonPath']);
      const node = path && readNode(piece, path.isArray, path.segments.length);
      if (!node) return false;
      const depth = path.segments.length + (isContainer(node) ? 1 : 0);
      if (depth > maxDepth) throw new LimitExceededError('inputDepth', maxDepth);
      writer.beginPiece();
      if (!place(path.segments, node, goesOn(piece))) return false;
      if (!writer.isInOrder) count(String(piece['jsonPath']).length + (node.kind === 'text' ? node.text.length : 0));
      return true;
    },
    take: writer.take,
    value: () => objectOf(root),
  };

  /** Walks to where a value belongs, and makes what is missing on the way. Changes nothing if it does not fit. */
  function place(segments: readonly PathSegment[], node: ArgsNode, isMoreToCome: boolean): boolean {
    let parent = root;
    for (const [at, segment] of segments.entries()) {
      if ((typeof segment === 'number') !== (parent.kind === 'array')) return false;
      const known = parent.children.get(segment);
      const next = segments[at + 1];
      if (next === undefined && known?.kind === 'text' && known.goesOn) return grow(known, node, isMoreToCome);
      if (next === undefined) return known ? renew(parent, segment, known, node) : add(parent, segment, node);
      const child = known ?? container(typeof next === 'number' ? 'array' : 'object', at + 1);
      if (!isContainer(child)) return false;
      if (!known) add(parent, segment, child);
      parent = child;
    }
    return false;
  }

  function add(parent: ArgsContainer, segment: PathSegment, node: ArgsNode): true {
    parent.children.set(segment, node);
    writer.add(parent, segment, node);
    return true;
  }

  /** A container is named again; another value takes the place of one before. */
  function renew(parent: ArgsContainer, segment: PathSegment, known: ArgsNode, node: ArgsNode): boolean {
    if (isContainer(known) || isContainer(node)) return known.kind === node.kind;
    writer.stop();
    parent.children.set(segment, node);
    return true;
  }

  /** A piece without a value is one with an empty text, which some servers leave out. */
  function grow(known: ArgsText, node: ArgsNode, isMoreToCome: boolean): boolean {
    if (node.kind !== 'text' && node.kind !== 'object') return false;
    const more = node.kind === 'text' ? node.text : '';
    known.text += more;
    known.goesOn = isMoreToCome;
    writer.grow(known, more, !isMoreToCome);
    return true;
  }
}

function container(kind: ArgsContainer['kind'], depth: number): ArgsContainer {
  return { kind, depth, children: new Map(), lastIndex: -1 };
}

function isContainer(node: ArgsNode): node is ArgsContainer {
  return node.kind === 'array' || node.kind === 'object';
}

/** The value of a piece; one that has none makes a container. Undefined for what is no value. */
function readNode(piece: JsonObject, isArray: boolean, depth: number): ArgsNode | undefined {
  const { stringValue: text, numberValue: number, boolValue: truth } = piece;
  const hasValue = (text ?? number ?? truth ?? undefined) !== undefined;
  if (isArray) return hasValue ? undefined : container('array', depth);
  if (typeof text === 'string') return { kind: 'text', text, goesOn: goesOn(piece) };
  if (typeof number === 'number' && Number.isFinite(number)) return { kind: 'scalar', value: number };
  if (typeof truth === 'boolean') return { kind: 'scalar', value: truth };
  if (hasValue) return undefined;
  return 'nullValue' in piece ? { kind: 'scalar', value: null } : container('object', depth);
}

function goesOn(piece: JsonObject): boolean {
  return piece['willContinue'] === true;
}

/** The value of a node. Recursion is bounded by the depth that arguments may have. */
function plainValue(node: ArgsNode): unknown {
  if (node.kind === 'text') return node.text;
  if (node.kind === 'scalar') return node.value;
  return node.kind === 'array' ? listOf(node) : objectOf(node);
}

function objectOf({ children }: ArgsContainer): JsonObject | undefined {
  const object: JsonObject = {};
  for (const [name, child] of children) {
    const value = plainValue(child);
    if (value === undefined) return undefined;
    setMember(object, String(name), value);
  }
  return object;
}

/** Elements come under their index, and all of them must be there. */
function listOf({ children }: ArgsContainer): unknown[] | undefined {
  const list: unknown[] = [];
  for (let index = 0; index < children.size; index += 1) {
    const child = children.get(index);
    const value = child && plainValue(child);
    if (value === undefined) return undefined;
    list.push(value);
  }
  return list;
}
