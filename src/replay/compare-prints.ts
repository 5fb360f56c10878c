import { alignPrints } from './align-prints.ts';
import { type JsonPrint, nothing } from './json-print.ts';

/** One difference between what a request looked like and what the next one looks like. */
export interface PrintChange {
  /** `respelled`: the same value, written otherwise, or a member that may not count. */
  readonly kind: 'changed' | 'removed' | 'added' | 'moved' | 'respelled';
  /** Where it is in the new body; where it was, of what was removed. */
  readonly path: string;
  /** The indices of the lists that lead to it, as it was. */
  readonly position: readonly number[];
  /** What was there, in short: its kind, its size and a piece of its hash, never its text. */
  readonly before?: string;
  readonly after?: string;
  /** The paths of the elements that it is in, from the outermost: one for each index of their position. */
  readonly parts: readonly string[];
}

/** A place in a body, as it is told. */
interface Place {
  readonly path: string;
  readonly position: readonly number[];
  readonly parts: readonly string[];
  /** True inside a list that stands in the body as a text: it has no inner paths. */
  readonly isClosed: boolean;
}

/** A list that is compared from one of its elements on; what stands before that does not count. */
export interface ListPart {
  readonly items: readonly JsonPrint[];
  readonly start?: number;
  readonly isShort?: boolean;
}

/** Says all that changed between two prints of one value. */
export function comparePrints(before: JsonPrint, after: JsonPrint, path: string): readonly PrintChange[] {
  return changesIn(before, after, { path, position: [], parts: [], isClosed: false });
}

/** Says all that changed between two lists, from where they start to count. */
export function compareLists(before: ListPart, after: ListPart, path: string): readonly PrintChange[] {
  return changesInLists(before, after, { path, position: [], parts: [], isClosed: false });
}

function changesIn(before: JsonPrint, after: JsonPrint, place: Place): readonly PrintChange[] {
  if (before.hash === after.hash && before.exact === after.exact) return [];
  const inner = innerChanges(before, after, place);
  if (inner.length > 0) return inner;
  const kind = before.hash === after.hash ? 'respelled' : 'changed';
  return [changeOf(kind, place, before, after)];
}

function innerChanges(before: JsonPrint, after: JsonPrint, place: Place): readonly PrintChange[] {
  if (before.items && after.items) {
    return changesInLists({ ...before, items: before.items }, { ...after, items: after.items }, place);
  }
  if (!before.members || !after.members) return [];
  const names = new Set([...before.members.keys(), ...after.members.keys()]);
  return [...names].flatMap((name) => {
    const [was, is] = [before.members?.get(name), after.members?.get(name)];
    const below = within(place, memberPath(name));
    if (was && is) return changesIn(was, is, below);
    const certain = was ? 'removed' : 'added';
    return [changeOf((was ?? is)?.hash === 0 ? 'respelled' : certain, below, was, is)];
  });
}

function changesInLists(before: ListPart, after: ListPart, place: Place): readonly PrintChange[] {
  const { start: startBefore = 0 } = before;
  const { start: startAfter = 0 } = after;
  const [were, are] = [before.items.slice(startBefore), after.items.slice(startAfter)];
  const inAfter = { ...place, isClosed: place.isClosed || after.isShort === true };
  const inBefore = { ...place, isClosed: place.isClosed || before.isShort === true };
  return alignPrints(were, are).flatMap((step) => {
    const [was, is] = ['before' in step ? were[step.before] : undefined, 'after' in step ? are[step.after] : undefined];
    const old = 'before' in step ? step.before + startBefore : 0;
    const index = 'after' in step ? step.after + startAfter : old;
    const at = 'at' in step ? step.at + startBefore : old;
    const here = step.kind === 'removed' ? inBefore : inAfter;
    const below = { ...within(here, `[${index}]`), position: [...place.position, at] };
    if (step.kind !== 'paired') return [changeOf(step.kind, below, was, is, old)];
    return changesIn(was ?? nothing, is ?? nothing, { ...below, parts: [...below.parts, below.path] });
  });
}

function changeOf(
  kind: PrintChange['kind'],
  { path, position, parts }: Place,
  before: JsonPrint | undefined,
  after: JsonPrint | undefined,
  from?: number,
): PrintChange {
  const was = kind === 'moved' ? `at ${from}: ${describe(before)}` : describe(before);
  return { kind, path, position, parts, ...(before && { before: was }), ...(after && { after: describe(after) }) };
}

/** Says what a value is, so that two different ones read differently, and nothing of its text is told. */
function describe(print: JsonPrint | undefined): string {
  if (!print || print.kind === 'nothing') return 'nothing';
  const { kind, size, name, exact } = print;
  const mark = `#${(exact >>> 0).toString(16).padStart(8, '0')}`;
  if (name !== undefined) return `${name} ${mark}`;
  if (kind === 'text') return `text of ${size} characters ${mark}`;
  if (kind === 'list') return `list of ${size} ${mark}`;
  return `${kind} ${mark}`;
}

function within(place: Place, step: string): Place {
  return place.isClosed ? place : { ...place, path: `${place.path}${step}` };
}

function memberPath(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
