import type { Dialect } from '../core/dialect.ts';
import { requireDialect } from '../core/dialect.ts';
import type { HistoryFormat } from '../core/history.ts';
import { type ToolResult, withRefusals } from '../core/tool-results.ts';
import type { AssembledTurn, Repair, ToolCall } from '../core/turn.ts';
import { deepFreeze } from './deep-freeze.ts';
import { ownCopy, requireSpeech } from './given-content.ts';
import { isRefused, isSameModel } from './origin.ts';
import { callsOf, type SealOptions, type SealPolicy, seal } from './seal.ts';
import {
  exchangesOf,
  isCycleOpen,
  lastExchanges,
  pendingCalls,
  plainStep,
  requirePairs,
  type Step,
  stepsOf,
} from './steps.ts';
import { requireObjects, stringifySteps } from './transcript-text.ts';

/** How a turn is committed. */
export interface CommitOptions extends SealOptions {
  /** What becomes of a turn that is not complete: an error, which is the default, or what a policy keeps of it. */
  readonly ifInterrupted?: 'throw' | SealPolicy | undefined;
  /** Whether a turn that the provider refused to finish is kept, too. False by default. */
  readonly keepRefused?: boolean | undefined;
  /** Where the turn came from, if one model is asked at several places whose sealed parts do not travel. */
  readonly origin?: string | undefined;
}

/** What became of a turn that was committed. */
export interface CommitReport {
  readonly turnId: string | null;
  readonly status: AssembledTurn['status'];
  /** How many elements it added to the history. */
  readonly added: number;
  /** Why it added none, or less than all: it was refused, or interrupted. */
  readonly leftOut: 'refused' | 'interrupted' | null;
  /** The ids of calls that got an error because they never ran. */
  readonly interrupted: readonly string[];
  readonly repairs: readonly Repair[];
}

/** The entries of a history for a model, and what had to be changed for it. */
export interface Travel<Item> {
  readonly entries: readonly Item[];
  /** The turns that lost what only another model can read: their place among the turns, and the model. */
  readonly changed: readonly { readonly turn: number; readonly model: string | null }[];
}

/**
 * The history of one conversation: append-only, and frozen to its depth.
 *
 * Newest models bind a signature to all that stands before it, so nothing is ever edited: a repair happens once, at the
 * end, when a turn is committed. What must be shortened makes another transcript.
 *
 * @typeParam Entry What goes back of a turn.
 * @typeParam Item One element of the history, of any role.
 */
export interface Transcript<Entry, Item> {
  /** The name of its dialect. */
  readonly dialect: string;
  /** All of it, for the next request. */
  readonly entries: readonly Item[];
  /** The calls that wait for a result, in order. */
  readonly pending: readonly ToolCall[];
  /**
   * Whether a call is not answered, or its answer not taken up by the model yet: then the model is to be asked again,
   * and all of the cycle must travel.
   */
  readonly isCycleOpen: boolean;
  /** What became of each turn that was committed; nothing of those before `parseTranscript`. */
  readonly reports: readonly CommitReport[];
  /**
   * Appends what the user says.
   *
   * @param content A text, or parts in the provider's own shape; a copy of them is kept.
   * @throws TypeError while calls wait for their results, and for what says nothing.
   */
  user(content: string | readonly unknown[]): void;
  /**
   * Appends a turn: never merged with another one. Calls whose inputs are all invalid are answered at once, with
   * errors: there is nothing to run.
   *
   * @throws TypeError for a turn that is not complete (unless `ifInterrupted` says what to keep), of another dialect, or
   *   that is in it already; and while calls wait for their results.
   */
  commit(turn: AssembledTurn<Entry>, options?: CommitOptions): CommitReport;
  /**
   * Appends the results of all pending calls, in the order of the calls, as the provider wants them. A call whose input
   * was invalid is answered with an error, if it has no result.
   *
   * @throws TypeError if a call has no result, or two, or a result no call.
   */
  answer(results: readonly ToolResult[]): void;
  /**
   * A transcript of the last exchanges, from what the user says to the answer; one whose tool cycle is open is always
   * among them, and no cycle is cut in two. System messages stay.
   */
  trim(options: { readonly keepCycles: number }): Transcript<Entry, Item>;
  /** A transcript without the reasoning of closed cycles, where the model that wrote it can do without. */
  withoutReasoning(): Transcript<Entry, Item>;
  /** What may travel to a model: turns of another one go without what only that can read. */
  forModel(model: string, options?: { readonly origin?: string }): Travel<Item>;
  /** The tokens of reasoning in each turn that is in it, in order; null where the provider did not count them. */
  readonly reasoningTokens: readonly (number | null)[];
  /** A text that holds all of it, tool input as it came; for {@link parseTranscript}. */
  stringify(): string;
}

/** What a transcript begins with. */
export interface TranscriptOptions {
  /**
   * A history so far, in the provider's own shape, however it is typed. Its calls must be answered, but for those at the
   * end. It is frozen, as it is.
   */
  readonly entries?: readonly object[] | undefined;
}

/**
 * Makes the transcript of a conversation.
 *
 * @example
 * ```ts
 * const transcript = createTranscript(anthropic);
 * transcript.user('What is the weather in Harlow?');
 * transcript.commit(await assembleTurn(ask(transcript.entries), anthropic).settled(), { ifInterrupted: 'keep_text' });
 * if (transcript.pending.length > 0) transcript.answer(await runAll(transcript.pending));
 * ```
 *
 * @throws TypeError for what is no dialect, or one without transcripts, and for entries that do not fit together.
 */
export function createTranscript<Entry, Item>(
  dialect: Dialect<Entry, Item>,
  { entries = [] }: TranscriptOptions = {},
): Transcript<Entry, Item> {
  const history = historyOf(dialect);
  if (!Array.isArray(entries)) throw new TypeError(`Expected a list of entries, got ${typeof entries}.`);
  requireObjects(entries);
  // What the provider takes is what its type says, or more: types of the SDKs are wider than those here.
  const steps = stepsOf(history, entries as readonly Item[]);
  requirePairs(history, steps);
  return transcriptOf(dialect, steps, []);
}

/** The format of a dialect's histories. */
export function historyOf<Item>(dialect: Dialect<unknown, Item>): HistoryFormat<Item> {
  requireDialect(dialect);
  if (!dialect.history) throw new TypeError(`The dialect ${dialect.name} does not say how a history is written in it.`);
  return dialect.history;
}

/** Makes a transcript of steps that fit together. */
export function transcriptOf<Entry, Item>(
  dialect: Dialect<Entry, Item>,
  given: readonly Step<Item>[],
  givenReports: readonly CommitReport[],
): Transcript<Entry, Item> {
  const history = historyOf(dialect);
  const steps: Step<Item>[] = [...given];
  const reports: CommitReport[] = [...givenReports];
  const committed = new WeakSet<object>();
  let entries: readonly Item[] | undefined;
  for (const { items } of steps) deepFreeze(items);

  const transcript: Transcript<Entry, Item> = {
    dialect: dialect.name,
    get entries() {
      entries ??= Object.freeze(steps.flatMap(({ items }) => items));
      return entries;
    },
    get pending() {
      return pendingCalls(steps).filter(({ isExecutable }) => isExecutable);
    },
    get isCycleOpen() {
      return isCycleOpen(steps);
    },
    get reports() {
      return [...reports];
    },
    user(content) {
      requireAnswered('the user speaks');
      requireSpeech(content);
      append(plainStep('user', [ownCopy(history.user(content))]));
    },
    commit(turn, options = {}) {
      requireAnswered('another turn is committed');
      requireNew(turn);
      const report = keep(turn, options);
      // What added nothing may be committed once more, with another policy.
      if (report.added > 0) committed.add(turn);
      reports.push(report);
      return report;
    },
    answer(results) {
      const calls = pendingCalls(steps);
      if (calls.length === 0) throw new TypeError('No call waits for a result.');
      append(plainStep('results', ownCopy(history.answers(calls, withRefusals(calls, results)))));
    },
    trim({ keepCycles }) {
      if (!(Number.isInteger(keepCycles) && keepCycles >= 0)) {
        throw new TypeError(`keepCycles must be a whole number from 0 up, got ${String(keepCycles)}.`);
      }
      return transcriptOf(dialect, lastExchanges(steps, keepCycles), reports);
    },
    withoutReasoning() {
      const exchanges = exchangesOf(steps);
      const open = isCycleOpen(steps) ? exchanges.length - 1 : exchanges.length;
      const lighter = exchanges.map((exchange, at) => (at < open ? exchange.map(withoutReasoning) : exchange));
      return transcriptOf(dialect, lighter.flat(), reports);
    },
    forModel(model, { origin } = {}) {
      const changed: { turn: number; model: string | null }[] = [];
      let turn = 0;
      const items = steps.flatMap((step) => {
        if (step.role !== 'turn') return step.items;
        const isOwn = isSameModel(step.model, model) && (origin ?? step.origin) === step.origin;
        const travelling = isOwn ? step.items : history.forAnotherModel(step.items);
        if (!isSame(travelling, step.items)) changed.push({ turn, model: step.model });
        turn += 1;
        return travelling;
      });
      deepFreeze(items);
      return { entries: items, changed };
    },
    get reasoningTokens() {
      return steps.filter(({ role }) => role === 'turn').map(({ reasoningTokens }) => reasoningTokens);
    },
    stringify: () => stringifySteps(dialect.name, steps),
  };
  return transcript;

  function append(step: Step<Item>): void {
    deepFreeze(step.items);
    steps.push(step);
    entries = undefined;
  }

  function requireAnswered(what: string): void {
    const [first] = pendingCalls(steps);
    if (first)
      throw new TypeError(`The call ${first.id} (${first.name}) waits for its result; answer it before ${what}.`);
  }

  function requireNew(turn: AssembledTurn<Entry>): void {
    if (turn.dialect !== dialect.name) {
      throw new TypeError(`A turn of ${turn.dialect} does not go into a transcript of ${dialect.name}.`);
    }
    if (committed.has(turn) || steps.some((step) => isOf(step, turn))) {
      throw new TypeError(`The turn ${turn.turnId ?? ''} is in the transcript already.`);
    }
  }

  function keep(turn: AssembledTurn<Entry>, options: CommitOptions): CommitReport {
    const { ifInterrupted = 'throw', keepRefused = false, origin = null } = options;
    const { turnId, status, model, stopReason, usage } = turn;
    const report = { turnId, status, added: 0, leftOut: null, interrupted: [], repairs: turn.repairs };
    if (status !== 'complete' && ifInterrupted === 'throw') {
      throw new TypeError(
        `The turn is ${status}. Say with ifInterrupted what to keep of it: 'drop', 'keep_text', 'keep_finished'.`,
      );
    }
    if (status === 'complete' && !keepRefused && isRefused(stopReason)) return { ...report, leftOut: 'refused' };
    const sealed = seal<Item>(turn, ifInterrupted === 'throw' ? 'drop' : ifInterrupted, options);
    const { entries: own } = sealed;
    const calls = callsOf(history, own, turn);
    // Of calls that must not be run nobody can give the results, so they are answered at once.
    const areAllInvalid = calls.length > 0 && calls.every(({ isExecutable }) => !isExecutable);
    const refused = status === 'complete' && areAllInvalid ? history.answers(calls, withRefusals(calls, [])) : [];
    const answers = ownCopy([...sealed.answers, ...refused]);
    const isPaused = status === 'complete' && stopReason === 'pause_turn';
    const { reasoningTokens } = usage;
    if (own.length > 0) append({ role: 'turn', items: own, model, origin, turnId, calls, isPaused, reasoningTokens });
    if (answers.length > 0) append(plainStep('results', answers));
    const { interrupted, repairs } = sealed;
    const leftOut = status === 'complete' ? null : 'interrupted';
    return { ...report, added: own.length + answers.length, leftOut, interrupted, repairs };
  }

  function withoutReasoning(step: Step<Item>): Step<Item> {
    if (step.role !== 'turn' || !history.mayDropReasoning(step.model)) return step;
    return { ...step, items: history.withoutReasoning(step.items), reasoningTokens: 0 };
  }
}

/** Whether a step is this very turn: some servers give two turns one id. */
function isOf({ turnId, items }: Step<unknown>, turn: AssembledTurn): boolean {
  if (turnId === null || turnId !== turn.turnId || items.length !== turn.entries.length) return false;
  return isSame(items, turn.entries) || JSON.stringify(items) === JSON.stringify(turn.entries);
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}
