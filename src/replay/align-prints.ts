import type { JsonPrint } from './json-print.ts';

/** What became of one element of a list. Places are indices; `at` is the place before which it now stands. */
export type ListStep =
  | { readonly kind: 'paired'; readonly before: number; readonly after: number }
  | { readonly kind: 'removed'; readonly before: number }
  | { readonly kind: 'added'; readonly after: number; readonly at: number }
  | { readonly kind: 'moved'; readonly before: number; readonly after: number; readonly at: number };

/** Of elements that are all alike so many are tried as partners, so that a list of them takes no square time. */
const maxTwins = 8;

/**
 * Says how one list became another: which elements are still there but not the same (`paired`), which are gone, new, or
 * in another place. Elements that did not change at all are not told.
 *
 * n log n in the lists.
 */
export function alignPrints(before: readonly JsonPrint[], after: readonly JsonPrint[]): readonly ListStep[] {
  const partners = partnersOf(before, after);
  const takenAfter = new Set(partners.values());
  const steps: ListStep[] = [...pairsThatDiffer(partners, before, after)];

  const twins = indicesByHash(after, (at) => !takenAfter.has(at));
  const moved = new Map<number, number>();
  before.forEach((print, at) => {
    const twin = partners.has(at) ? undefined : twins.get(print.hash)?.shift();
    if (twin !== undefined) moved.set(at, twin);
  });
  for (const twin of moved.values()) takenAfter.add(twin);

  const pairs = pairByKey(before, after, partners, (at) => moved.has(at), takenAfter);
  for (const [at, other] of pairs) steps.push({ kind: 'paired', before: at, after: other });
  const settled = new Map([...partners, ...pairs]);
  before.forEach((_, at) => {
    if (!settled.has(at) && !moved.has(at)) steps.push({ kind: 'removed', before: at });
  });
  return [...steps, ...newcomers(after.length, settled, moved)];
}

function pairsThatDiffer(
  partners: ReadonlyMap<number, number>,
  before: readonly JsonPrint[],
  after: readonly JsonPrint[],
): ListStep[] {
  return [...partners]
    .filter(([at, other]) => before[at]?.exact !== after[other]?.exact)
    .map(([at, other]) => ({ kind: 'paired', before: at, after: other }));
}

/** The elements that are the same in both lists, in the same order: a longest common subsequence. */
function partnersOf(before: readonly JsonPrint[], after: readonly JsonPrint[]): Map<number, number> {
  const partners = new Map<number, number>();
  let start = 0;
  while (start < before.length && start < after.length && before[start]?.hash === after[start]?.hash) {
    partners.set(start, start);
    start += 1;
  }
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end)?.hash === after.at(-1 - end)?.hash) {
    end += 1;
    partners.set(before.length - end, after.length - end);
  }
  const candidates = indicesByHash(after, (at) => at >= start && at < after.length - end);
  const chain = longestChain(before.slice(start, before.length - end), candidates);
  for (const [at, other] of chain) partners.set(start + at, other);
  return partners;
}

interface Link {
  readonly before: number;
  readonly after: number;
  readonly previous: Link | undefined;
}

/** Keeps, for each length of a chain of partners, the chain whose end leaves most room. */
function longestChain(
  before: readonly JsonPrint[],
  candidates: ReadonlyMap<number, readonly number[]>,
): [number, number][] {
  const ends: Link[] = [];
  before.forEach(({ hash }, at) => {
    const twins = candidates.get(hash)?.slice(0, maxTwins) ?? [];
    for (const after of [...twins].reverse()) {
      const length = firstAtLeast(ends, after);
      ends[length] = { before: at, after, previous: ends[length - 1] };
    }
  });
  const chain: [number, number][] = [];
  for (let link = ends.at(-1); link; link = link.previous) chain.push([link.before, link.after]);
  return chain.reverse();
}

function firstAtLeast(ends: readonly Link[], after: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle]?.after ?? 0) < after) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Between two partners, elements of one name or kind are taken for each other's versions, in their order. */
function pairByKey(
  before: readonly JsonPrint[],
  after: readonly JsonPrint[],
  partners: ReadonlyMap<number, number>,
  isMoved: (at: number) => boolean,
  takenAfter: ReadonlySet<number>,
): Map<number, number> {
  const gapsOfAfter = gapsOf(after.length, new Set(partners.values()));
  const gapsOfBefore = gapsOf(before.length, new Set(partners.keys()));
  const free = new Map<string, number[]>();
  after.forEach((print, at) => {
    if (!takenAfter.has(at)) push(free, `${gapsOfAfter[at]} ${keyOf(print)}`, at);
  });
  const pairs = new Map<number, number>();
  before.forEach((print, at) => {
    if (partners.has(at) || isMoved(at)) return;
    const version = free.get(`${gapsOfBefore[at]} ${keyOf(print)}`)?.shift();
    if (version !== undefined) pairs.set(at, version);
  });
  return pairs;
}

/** For each place, how many partners stand before it. */
function gapsOf(length: number, partnered: ReadonlySet<number>): readonly number[] {
  let gap = 0;
  return Array.from({ length }, (_, at) => {
    if (partnered.has(at)) gap += 1;
    return gap;
  });
}

/** What an element is, whatever it says: the name of a tool, the type of a block, the role of a message. */
function keyOf({ kind, name, members }: JsonPrint): string {
  if (name !== undefined) return `name ${name}`;
  if (kind !== 'object') return 'value';
  return `object ${members?.get('type')?.hash ?? ''} ${members?.get('role')?.hash ?? ''}`;
}

/** What is new in a list, and what came from elsewhere in it. */
function newcomers(
  length: number,
  settled: ReadonlyMap<number, number>,
  moved: ReadonlyMap<number, number>,
): readonly ListStep[] {
  const origins = new Map([...settled].map(([before, after]) => [after, before]));
  const movedFrom = new Map([...moved].map(([before, after]) => [after, before]));
  const steps: ListStep[] = [];
  let at = 0;
  for (let after = 0; after < length; after += 1) {
    const origin = origins.get(after);
    const from = movedFrom.get(after);
    if (origin !== undefined) at = origin + 1;
    else if (from === undefined) steps.push({ kind: 'added', after, at });
    else steps.push({ kind: 'moved', before: from, after, at: Math.min(at, from) });
  }
  return steps;
}

function indicesByHash(prints: readonly JsonPrint[], isFree: (at: number) => boolean): Map<number, number[]> {
  const indices = new Map<number, number[]>();
  prints.forEach(({ hash }, at) => {
    if (isFree(at)) push(indices, hash, at);
  });
  return indices;
}

function push<Key>(lists: Map<Key, number[]>, key: Key, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
