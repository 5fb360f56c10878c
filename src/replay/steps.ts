import type { HistoryCall, HistoryFormat, HistoryRole } from '../core/history.ts';

/** One step of a conversation: what the user said, a turn, the results of its calls, or anything else. */
export interface Step<Item> {
  readonly role: HistoryRole;
  readonly items: readonly Item[];
  /** The model that wrote a turn; null where it is not known. */
  readonly model: string | null;
  /** Where a turn came from, if that was said: the sealed parts of it are bound to it. */
  readonly origin: string | null;
  /** The provider's id of a turn. */
  readonly turnId: string | null;
  /** The calls of a turn that want an answer. */
  readonly calls: readonly HistoryCall[];
  /** The tokens of reasoning in a turn; null where the provider did not count them. */
  readonly reasoningTokens: number | null;
  /** Whether the provider paused the turn, and wants it back to go on. */
  readonly isPaused: boolean;
}

/** A step of which no more is known than its items. */
export function plainStep<Item>(
  role: HistoryRole,
  items: readonly Item[],
  calls: readonly HistoryCall[] = [],
): Step<Item> {
  return { role, items, calls, model: null, origin: null, turnId: null, reasoningTokens: null, isPaused: false };
}

/** The calls that wait for an answer: those of a turn behind which nothing stands. */
export function pendingCalls(steps: readonly Step<unknown>[]): readonly HistoryCall[] {
  return steps.findLast(({ role }) => role !== 'other')?.calls ?? [];
}

/**
 * Whether a tool cycle is open: a call is not answered, or its answer was not taken up, or the turn is paused.
 *
 * What the user says meanwhile does not close it; a turn without calls does.
 */
export function isCycleOpen(steps: readonly Step<unknown>[]): boolean {
  const last = steps.findLast(({ role }) => role === 'turn');
  return last !== undefined && leavesOpen(last);
}

function leavesOpen({ calls, isPaused }: Step<unknown>): boolean {
  return calls.length > 0 || isPaused;
}

/** Splits elements of a history into steps: neighbours of one role are one. */
export function stepsOf<Item>(history: HistoryFormat<Item>, items: readonly Item[]): Step<Item>[] {
  const groups: { role: HistoryRole; items: Item[] }[] = [];
  for (const item of items) {
    const role = history.roleOf(item);
    const last = groups.at(-1);
    if (last?.role === role) last.items.push(item);
    else groups.push({ role, items: [item] });
  }
  return groups.map(({ role, items: group }) => plainStep(role, group, role === 'turn' ? history.callsIn(group) : []));
}

/**
 * The steps of each exchange: from what the user says to what is said before the user speaks again.
 *
 * A tool cycle is never cut in two: what the user says while one is open belongs to its exchange.
 */
export function exchangesOf<Item>(steps: readonly Step<Item>[]): Step<Item>[][] {
  const exchanges: Step<Item>[][] = [];
  let before: HistoryRole | undefined;
  let isOpen = false;
  for (const step of steps) {
    const begins = step.role === 'user' && before !== 'user' && !isOpen;
    if (begins || exchanges.length === 0) exchanges.push([]);
    exchanges.at(-1)?.push(step);
    if (step.role !== 'other') before = step.role;
    if (step.role === 'turn') isOpen = leavesOpen(step);
  }
  return exchanges;
}

/**
 * The steps of the last exchanges; one whose tool cycle is open is always among them.
 *
 * What is neither the user's nor a turn's, such as a system message, stays: it speaks of all that follows.
 */
export function lastExchanges<Item>(steps: readonly Step<Item>[], wanted: number): Step<Item>[] {
  const exchanges = exchangesOf(steps);
  const kept = Math.max(wanted, isCycleOpen(steps) ? 1 : 0);
  const from = Math.max(0, exchanges.length - kept);
  const instructions = exchanges
    .slice(0, from)
    .flat()
    .filter(({ role }) => role === 'other');
  return [...instructions, ...exchanges.slice(from).flat()];
}

/**
 * Refuses a history in which a call has no answer behind it, or an answer no call before it.
 *
 * @throws TypeError that names the first of them.
 */
export function requirePairs<Item>(history: HistoryFormat<Item>, steps: readonly Step<Item>[]): void {
  let open: readonly HistoryCall[] = [];
  for (const { role, items, calls } of steps) {
    if (role === 'other') continue;
    const answers = role === 'results' ? items.flatMap((item) => history.answersIn(item)) : [];
    const named = answers.filter((id) => id !== undefined);
    const ids = new Set(open.map(({ id }) => id));
    const stray = named.find((id) => !ids.has(id));
    if (stray !== undefined)
      throw new TypeError(`There is a result for the call ${stray}, and no such call before it.`);
    const again = repeated(named);
    if (again !== undefined) throw new TypeError(`The call ${again} has two results.`);
    if (answers.length !== open.length) {
      const [first] = open;
      throw new TypeError(
        `The call ${first?.id ?? '(none)'} and its results do not fit: ${open.length} calls, ${answers.length} results.`,
      );
    }
    open = calls;
  }
}

function repeated(ids: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return ids.find((id) => {
    const isKnown = seen.has(id);
    seen.add(id);
    return isKnown;
  });
}
