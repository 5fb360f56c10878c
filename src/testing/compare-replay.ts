import type { Dialect } from '../core/dialect.ts';
import { historyOf } from '../replay/transcript.ts';
import { type SignTest, signTest } from './sign-test.ts';

/** How the turns of a run go back: as they came, or without their reasoning. */
export type Replay = 'intact' | 'stripped';

/** What came of one run of a task. */
export interface RunOutcome {
  readonly toolCalls: number;
  /** Whether the known-good outcome was reached. */
  readonly isComplete: boolean;
}

/** What a run is made with. */
export interface RunContext {
  readonly replay: Replay;
  /** The history as this run sends it: apply it to what each request sends, and to nothing else. */
  prepare<Item>(entries: readonly Item[]): readonly Item[];
}

/** Options of {@link compareReplay}. */
export interface CompareReplayOptions<Task, Item> {
  readonly dialect: Dialect<unknown, Item>;
  /** Tasks of several steps, each with a known-good outcome. About thirty tell something. */
  readonly tasks: readonly Task[];
  /** Runs a task from its beginning. What it throws ends the comparison. */
  readonly run: (task: Task, context: RunContext) => Promise<RunOutcome>;
}

/** One task in both runs. */
export interface ComparedTask<Task> {
  readonly task: Task;
  readonly intact: RunOutcome;
  readonly stripped: RunOutcome;
}

/** Both runs side by side. */
export interface ReplayComparison<Task> {
  readonly tasks: readonly ComparedTask<Task>[];
  /** Tool calls per task. */
  readonly toolCalls: { readonly intact: number; readonly stripped: number; readonly test: SignTest };
  /** The share of tasks that reached their outcome. */
  readonly completion: { readonly intact: number; readonly stripped: number; readonly test: SignTest };
}

/**
 * Measures what it costs to lose the reasoning on the way back: the failure that does not raise.
 *
 * A provider that does not check takes a history without reasoning, and the model has forgotten its plan: it calls tools
 * again, and ends elsewhere. So each task is run twice, with its turns replayed intact and stripped, and the pairs are
 * compared. The stripped run is what a loop does in which anything on the way drops blocks.
 *
 * @example
 * ```ts
 * const comparison = await compareReplay({
 *   dialect: anthropic,
 *   tasks,
 *   run: async (task, { prepare }) => play(task, (entries) => ask(prepare(entries))),
 * });
 * console.log(describeComparison(comparison));
 * ```
 */
export async function compareReplay<Task, Item>({
  dialect,
  tasks,
  run,
}: CompareReplayOptions<Task, Item>): Promise<ReplayComparison<Task>> {
  if (tasks.length === 0) throw new TypeError('There is no task to compare.');
  const history = historyOf(dialect);
  // The dialect of the entries is the one of the run.
  const strip = <Entry>(entries: readonly Entry[]): readonly Entry[] =>
    entries.flatMap((entry) => history.withoutReasoning([entry as unknown as Item]) as unknown as readonly Entry[]);
  const compared: ComparedTask<Task>[] = [];
  for (const task of tasks) {
    const intact = await run(task, { replay: 'intact', prepare: (entries) => entries });
    const stripped = await run(task, { replay: 'stripped', prepare: strip });
    compared.push({ task, intact, stripped });
  }
  return {
    tasks: compared,
    toolCalls: sideBySide(compared, ({ toolCalls }) => toolCalls),
    completion: sideBySide(compared, ({ isComplete }) => Number(isComplete)),
  };
}

function sideBySide<Task>(
  compared: readonly ComparedTask<Task>[],
  measure: (outcome: RunOutcome) => number,
): ReplayComparison<Task>['toolCalls'] {
  const pairs = compared.map(({ intact, stripped }) => [measure(intact), measure(stripped)] as const);
  const mean = (place: 0 | 1): number => pairs.reduce((sum, pair) => sum + pair[place], 0) / pairs.length;
  return { intact: mean(0), stripped: mean(1), test: signTest(pairs) };
}

/** A comparison as a table of text. */
export function describeComparison({ tasks, toolCalls, completion }: ReplayComparison<unknown>): string {
  const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
  const row = (name: string, intact: string, stripped: string, last: string): string =>
    `${name.padEnd(22)}${intact.padStart(10)}${stripped.padStart(12)}   ${last}`;
  const chance = ({ probability }: SignTest): string => `p = ${probability.toPrecision(2)}`;
  return [
    row(`${tasks.length} tasks`, 'intact', 'stripped', 'sign test'),
    row('tool calls per task', toolCalls.intact.toFixed(1), toolCalls.stripped.toFixed(1), chance(toolCalls.test)),
    row('completed', percent(completion.intact), percent(completion.stripped), chance(completion.test)),
  ].join('\n');
}
