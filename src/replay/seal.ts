import { finishedPartOf } from '../core/finished-part.ts';
import type { HistoryCall, HistoryFormat } from '../core/history.ts';
import { isJsonObject } from '../core/json-object.ts';
import { type ToolResult, withRefusals } from '../core/tool-results.ts';
import type { AssembledBlock, AssembledTurn, Repair, ToolCall } from '../core/turn.ts';

/**
 * What of an interrupted turn is kept.
 *
 * - `drop`: nothing.
 * - `keep_text`: the visible text that is finished, and nothing else.
 * - `keep_finished`: all that is finished, in its order: reasoning where it is signed and whole, calls with their
 *   results. A call without a result gets an error in its place, for the provider wants one.
 */
export type SealPolicy = 'drop' | 'keep_text' | 'keep_finished';

/** What a turn is sealed with. */
export interface SealOptions {
  /** The results of calls that ran before the turn was interrupted, by their ids; for `keep_finished`. */
  readonly results?: readonly ToolResult[] | undefined;
  /** Whether `keep_text` keeps the text in the middle of which the turn was interrupted, too. `drop` by default. */
  readonly cutText?: 'drop' | 'keep' | undefined;
}

/**
 * What of an interrupted turn goes back, and what does not.
 *
 * @typeParam Item One element of the history, as its parameter in the official SDK is typed.
 */
export interface SealedTurn<Item = unknown> {
  /** What was done: `keep_text` instead of `keep_finished` where a call without a result cannot get an error. */
  readonly policy: SealPolicy;
  /** The turn's own elements of the history. */
  readonly entries: readonly Item[];
  /** The answers to its calls, to be sent directly behind. */
  readonly answers: readonly Item[];
  /** The ids of calls that got an error because they never ran. */
  readonly interrupted: readonly string[];
  /** What was left out of the turn's own elements, or changed in them, and why. */
  readonly repairs: readonly Repair[];
}

const interruptedMessage = 'The turn was interrupted before this call ran.';

/**
 * Makes safe elements of a history of a turn that is not complete, on purpose: a stream that was cut, stopped, or that
 * failed.
 *
 * What comes out is accepted by the provider as it is: no reasoning at the end, no call without an answer, nothing that
 * was not finished. A complete turn comes out as it is, its calls unanswered.
 *
 * @typeParam Item One element of the history. The turn does not know its type, so it is taken at your word.
 * @throws TypeError for a result of a call that the turn does not have, and for a turn that was not assembled by this
 *   process: what is whole of it is not known.
 *
 * @example
 * ```ts
 * const stopped = await turn.settled();
 * const { entries, answers } = seal<MessageParam>(stopped, 'keep_finished');
 * messages.push(...entries, ...answers);
 * ```
 */
export function seal<Item = unknown>(
  turn: AssembledTurn,
  policy: SealPolicy,
  options: SealOptions = {},
): SealedTurn<Item> {
  // Every element comes from the turn's own dialect, whose items these are.
  return sealed(turn, policy, options) as SealedTurn<Item>;
}

function sealed(turn: AssembledTurn, policy: SealPolicy, options: SealOptions): SealedTurn {
  requireKnown(policy, options);
  const nothing = { policy, entries: [], answers: [], interrupted: [], repairs: [] };
  if (turn.status === 'complete') return { ...nothing, entries: turn.entries, repairs: turn.repairs };
  if (policy === 'drop') return nothing;
  const part = finishedPartOf(turn);
  if (!part?.history) throw new TypeError('What is whole of this turn is not known: it was not assembled here.');
  const { history, repairs, entries } = part;
  const { results = [] } = options;
  const calls = callsOf(history, entries, turn);
  const isStuck = results.length === 0 && calls.some((call) => history.takesError?.(call) === false);
  if (policy === 'keep_text' || isStuck) {
    return { ...nothing, policy: 'keep_text', entries: history.ofTexts(keptTexts(turn, options)) };
  }
  return { policy, entries, repairs, ...answersTo(calls, history, results) };
}

function requireKnown(policy: SealPolicy, { cutText = 'drop' }: SealOptions): void {
  if (policy !== 'drop' && policy !== 'keep_text' && policy !== 'keep_finished') {
    throw new TypeError(`Expected 'drop', 'keep_text' or 'keep_finished', got ${String(policy)}.`);
  }
  if (cutText !== 'drop' && cutText !== 'keep') {
    throw new TypeError(`cutText must be 'drop' or 'keep', got ${String(cutText)}.`);
  }
}

function keptTexts({ blocks }: AssembledTurn, { cutText = 'drop' }: SealOptions): readonly AssembledBlock[] {
  return blocks.filter(({ kind, state, text }) => {
    const isKept = state === 'finished' || (state === 'cut' && cutText === 'keep');
    return kind === 'text' && isKept && text.trim() !== '';
  });
}

function answersTo(
  calls: readonly HistoryCall[],
  history: HistoryFormat<unknown>,
  results: readonly ToolResult[],
): Pick<SealedTurn, 'answers' | 'interrupted'> {
  const answered = new Set(results.map(({ id }) => id));
  const missing = calls.filter(({ id, isExecutable }) => isExecutable && !answered.has(id));
  const errors = missing.map(({ id }) => ({ id, content: interruptedMessage, isError: true }));
  const all = withRefusals(calls, [...results, ...errors]);
  const answers = calls.length > 0 || results.length > 0 ? history.answers(calls, all) : [];
  return { answers, interrupted: missing.map(({ id }) => id) };
}

/**
 * The calls in elements of a turn, under the ids by which the turn's own calls are known: a wire without ids has none in
 * what goes back. Which is which the elements themselves say; in a copy of a turn their ids.
 */
export function callsOf(
  history: HistoryFormat<unknown>,
  entries: readonly unknown[],
  { blocks }: AssembledTurn,
): readonly HistoryCall[] {
  const known = new Map<unknown, ToolCall>();
  for (const { native, toolCall } of blocks) {
    if (!toolCall) continue;
    known.set(toolCall.id, toolCall);
    // The call itself may be a member of its block.
    for (const part of isJsonObject(native) ? [native, ...Object.values(native)] : []) {
      if (isJsonObject(part)) known.set(part, toolCall);
    }
  }
  return history.callsIn(entries).map((call) => {
    const own = known.get(call.native) ?? known.get(call.id);
    return own ? { ...call, ...own, isExecutable: true } : call;
  });
}
