import type { Dialect } from '../core/dialect.ts';
import type { HistoryCall, HistoryRole } from '../core/history.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import { elementTextsAt, rememberSource, stringifyRequest } from '../text/verbatim-json.ts';
import type { Step } from './steps.ts';

const version = 1;

/** Writes the steps of a conversation; tool input as the text that came. */
export function stringifySteps(dialect: string, steps: readonly Step<unknown>[]): string {
  return stringifyRequest({
    wholeturn: 'transcript',
    version,
    dialect,
    steps: steps.map(({ role, items, model, origin, turnId, isPaused, reasoningTokens, calls }) => {
      const names = calls.map(({ id, isExecutable }) => ({ id, isExecutable }));
      return { role, items, model, origin, turnId, isPaused, reasoningTokens, calls: names };
    }),
  });
}

const roles: readonly HistoryRole[] = ['user', 'turn', 'results', 'other'];

/**
 * Reads the steps of a conversation from what {@link stringifySteps} wrote.
 *
 * @throws TypeError for any other text.
 */
export function parseSteps<Item>(dialect: Dialect<unknown, Item>, text: string): Step<Item>[] {
  const whole = parse(text);
  if (whole['wholeturn'] !== 'transcript' || !Array.isArray(whole['steps'])) {
    throw new TypeError('This is no transcript: it was not written by stringify().');
  }
  if (whole['version'] !== version)
    throw new TypeError(`A transcript of version ${String(whole['version'])} is not known.`);
  if (whole['dialect'] !== dialect.name) {
    throw new TypeError(`This is a transcript of ${String(whole['dialect'])}, and not of ${dialect.name}.`);
  }
  const sources = elementTextsAt(text, ['steps']);
  return whole['steps'].map((step: unknown, at) => readStep(dialect, step, sources[at] ?? ''));
}

function parse(text: string): JsonObject {
  if (typeof text !== 'string') throw new TypeError(`Expected the text of a transcript, got ${typeof text}.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new TypeError('This is no transcript: it is not JSON.', { cause });
  }
  return isJsonObject(value) ? value : {};
}

function readStep<Item>(dialect: Dialect<unknown, Item>, step: unknown, source: string): Step<Item> {
  const {
    role,
    items,
    model = null,
    origin = null,
    turnId = null,
    isPaused,
    reasoningTokens,
    calls,
  } = isJsonObject(step) ? step : {};
  const known = roles.find((name) => name === role);
  if (!known || !Array.isArray(items)) throw new TypeError('A step of the transcript has no role, or no items.');
  requireObjects(items);
  remember(dialect, items as readonly Item[], source);
  return {
    role: known,
    items: items as readonly Item[],
    model: textOrNull(model),
    origin: textOrNull(origin),
    turnId: textOrNull(turnId),
    isPaused: isPaused === true,
    reasoningTokens: typeof reasoningTokens === 'number' ? reasoningTokens : null,
    calls: known === 'turn' ? namedCalls(dialect.history?.callsIn(items as readonly Item[]) ?? [], calls) : [],
  };
}

/** The calls as they were known when they were written: a wire without ids has none in what goes back. */
function namedCalls(calls: readonly HistoryCall[], names: unknown): readonly HistoryCall[] {
  const known: readonly unknown[] = Array.isArray(names) ? names : [];
  return calls.map((call, at) => {
    const name = known[at];
    if (!isJsonObject(name)) return call;
    const { id, isExecutable } = name;
    return { ...call, id: textOrNull(id) ?? call.id, isExecutable: isExecutable !== false };
  });
}

/**
 * Refuses entries of a history that are none.
 *
 * @throws TypeError
 */
export function requireObjects(entries: readonly unknown[]): void {
  const at = entries.findIndex((entry) => !isJsonObject(entry));
  if (at >= 0) throw new TypeError(`Entry ${at} of the history is no object.`);
}

/** What JavaScript would write otherwise than it stands in the text is written as it stands there. */
function remember<Item>({ history }: Dialect<unknown, Item>, items: readonly Item[], source: string): void {
  const sources = elementTextsAt(source, ['items']);
  for (const [at, item] of items.entries()) {
    const text = sources[at] ?? '';
    if (!isJsonObject(item) || JSON.stringify(item) === text) continue;
    history?.rememberInputs(item, text);
    rememberSource(item, text);
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
