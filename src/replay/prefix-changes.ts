import type { JsonObject } from '../core/json-object.ts';
import type { BoundBlock, PrefixFormat, PrefixPrint } from './bound-prefix.ts';
import { compareLists, comparePrints, type PrintChange } from './compare-prints.ts';
import type { JsonPrint } from './json-print.ts';
import { isSameModel } from './origin.ts';
import { changeFinding, modelFinding, type PrefixFinding } from './prefix-finding.ts';
import type { HistoryLine, NotedTurn } from './prefix-memory.ts';

/** The reasoning of a turn that is in a request: its place there, and where it was. */
interface SentBlock {
  readonly path: string;
  readonly position: readonly number[];
}

/** Makes what finds the path of a block in a request; undefined for one that is not sent. */
function blockFinder({ blocks, compaction }: PrefixPrint): (block: BoundBlock) => string | undefined {
  const sent = blocks.filter(({ position: [entry = 0] }) => entry >= (compaction ?? 0));
  const paths = new Map(sent.flatMap(({ keys, path }) => keys.map((key) => [key, path])));
  return ({ keys }) => keys.map((key) => paths.get(key)).find((path) => path !== undefined);
}

/** Takes a change with the reasoning that it costs. */
type Collect = (change: PrintChange, lost: readonly string[]) => void;

/**
 * Says what of a request is not what it was when the reasoning in it was written. What costs no reasoning is not told.
 *
 * Linear in the request, for each history that is remembered.
 */
export function prefixFindings(
  format: PrefixFormat,
  body: JsonObject,
  request: PrefixPrint,
  turns: readonly NotedTurn[],
): readonly PrefixFinding[] {
  const sent = sentBlocks(turns, request);
  const changes = new Map<string, { readonly change: PrintChange; readonly lost: (readonly string[])[] }>();
  const collect: Collect = (change, lost) => {
    if (lost.length === 0) return;
    const key = `${change.kind} ${change.path}`;
    const known = changes.get(key);
    if (known) known.lost.push(lost);
    else changes.set(key, { change, lost: [lost] });
  };
  for (const [settings, group] of grouped(turns, (turn) => turn.settings)) {
    collectSettings(
      settings,
      request,
      group.flatMap((turn) => sent.get(turn) ?? []),
      collect,
    );
  }
  for (const [line, group] of grouped(turns, (turn) => turn.line)) {
    if (line && request.previousId === null) collectEntries(format, line, group, request, sent, collect);
  }

  const consequence = format.consequence(body);
  const found = [...changes.values()].map(({ change, lost }) => {
    const [first = []] = lost;
    const all = lost.length === 1 ? first : inPathOrder(lost.flat());
    return changeFinding(change, all, consequence, format.remedy(change));
  });
  return [...inOrder(format, request, found), ...modelFindings(request, sent)];
}

/** The reasoning of each turn that a request sends: itself, or by the id of the answer behind which it stands. */
export function sentBlocks(
  turns: readonly NotedTurn[],
  request: PrefixPrint,
): ReadonlyMap<NotedTurn, readonly SentBlock[]> {
  const { previousId } = request;
  if (previousId === null) {
    const find = blockFinder(request);
    const sentOf = (block: BoundBlock): SentBlock[] => {
      const path = find(block);
      return path === undefined ? [] : [{ path, position: block.position }];
    };
    return new Map(turns.map((turn) => [turn, turn.blocks.flatMap(sentOf)]));
  }
  const base = turns.findLast(({ turnId }) => turnId === previousId);
  const behind = turns.filter((turn) => base && turn.line === base.line && turn.length <= base.length);
  const whole = [{ path: 'previous_response_id', position: [] }];
  return new Map(behind.map((turn) => [turn, turn.blocks.length > 0 ? whole : []]));
}

/** What stands outside the entries is before all reasoning. */
function collectSettings(
  settings: NotedTurn['settings'],
  request: PrefixPrint,
  blocks: readonly SentBlock[],
  collect: Collect,
): void {
  if (blocks.length === 0) return;
  const paths = inPathOrder(blocks.map(({ path }) => path));
  for (const [name, before] of settings) {
    const after = request.settings.get(name);
    if (after) for (const change of comparePrints(before, after, name)) collect(change, paths);
  }
}

/** What changed among the entries of one history. */
function collectEntries(
  { entriesPath }: PrefixFormat,
  line: HistoryLine,
  turns: readonly NotedTurn[],
  request: PrefixPrint,
  sent: ReadonlyMap<NotedTurn, readonly SentBlock[]>,
  collect: Collect,
): void {
  const blocks = turns.flatMap((turn) => sent.get(turn) ?? []);
  const known = line.entries.slice(0, Math.max(...turns.map(({ length }) => length)));
  const sealed = new Set(turns.flatMap((turn) => turn.blocks.map(({ position }) => position.join())));
  const starts = startsIn(known, request);
  const before = { items: known, start: starts.before };
  const after = { items: request.entries, start: starts.after, isShort: request.isShort };
  const lostFrom = suffixes(blocks);
  for (const change of compareLists(before, after, entriesPath)) {
    // The blocks stand in their order, so what a change costs is all from one on.
    const lost = lostFrom(change.position);
    const own = resealed(change, sealed).filter((path) => !lost.includes(path));
    collect(change, own.length > 0 ? inPathOrder([...own, ...lost]) : lost);
  }
}

/** Finds the blocks that do not stand before a place; many changes before one block share one list. */
function suffixes(blocks: readonly SentBlock[]): (position: readonly number[]) => readonly string[] {
  const lists = new Map<number, readonly string[]>();
  return (position) => {
    let first = 0;
    let end = blocks.length;
    while (first < end) {
      const middle = (first + end) >> 1;
      if (isBefore(blocks[middle]?.position ?? [], position)) first = middle + 1;
      else end = middle;
    }
    const known = lists.get(first) ?? inPathOrder(blocks.slice(first).map(({ path }) => path));
    lists.set(first, known);
    return known;
  };
}

/** A block whose seal itself was changed cannot be found by it, but by its place. */
function resealed({ position, parts }: PrintChange, sealed: ReadonlySet<string>): readonly string[] {
  return parts.filter((_, at) => sealed.has(position.slice(0, at + 1).join()));
}

/** From where a history counts that was compacted: from the compaction, if it is known, or from what is left behind it. */
function startsIn(
  known: readonly JsonPrint[],
  { entries, compaction }: PrefixPrint,
): { readonly before: number; readonly after: number } {
  if (compaction === null) return { before: 0, after: 0 };
  const own = known.findLastIndex(({ hash }) => hash === entries[compaction]?.hash);
  if (own >= 0) return { before: own, after: compaction };
  const left = new Set(entries.slice(compaction + 1).map(({ hash }) => hash));
  const first = known.findIndex(({ hash }) => left.has(hash));
  return { before: first < 0 ? known.length : first, after: compaction + 1 };
}

function modelFindings(
  { model }: PrefixPrint,
  sent: ReadonlyMap<NotedTurn, readonly SentBlock[]>,
): readonly PrefixFinding[] {
  if (model === null) return [];
  const strangers = [...sent].filter(([turn, blocks]) => {
    return turn.model !== null && blocks.length > 0 && !isSameModel(turn.model, model);
  });
  return [...grouped(strangers, ([turn]) => turn.model ?? '')].map(([before, group]) => {
    const paths = group.flatMap(([, blocks]) => blocks.map(({ path }) => path));
    return modelFinding(before, model, inPathOrder(paths));
  });
}

function grouped<Key, Value>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

function inPathOrder(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort(byPath);
}

/** First what stands first: the settings as the format lists them, then the entries. */
function inOrder(
  { entriesPath }: PrefixFormat,
  { settings }: PrefixPrint,
  found: readonly PrefixFinding[],
): readonly PrefixFinding[] {
  const places = [...settings.keys(), entriesPath];
  const placeOf = ({ path }: PrefixFinding): number => places.findIndex((place) => path.startsWith(place));
  return [...found].sort((one, other) => placeOf(one) - placeOf(other) || byPath(one.path, other.path));
}

/** Orders paths as their places are, `[9]` before `[10]`. */
function byPath(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

function isBefore(position: readonly number[], change: readonly number[]): boolean {
  const length = Math.min(position.length, change.length);
  for (let at = 0; at < length; at += 1) {
    const difference = (position[at] ?? 0) - (change[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
