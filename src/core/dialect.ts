import type { TurnError } from './errors.ts';
import type { HistoryFormat } from './history.ts';
import type { JsonObject } from './json-object.ts';
import type { TurnRecord } from './turn-record.ts';

/** Why no more wire events come. */
export type StreamEnd =
  | { readonly type: 'ended' }
  | { readonly type: 'failed'; readonly error: TurnError }
  | { readonly type: 'aborted' };

/**
 * The state machine of one dialect for one turn: it reads wire events and writes what they mean into a
 * {@link TurnRecord}.
 */
export interface TurnAssembler {
  /**
   * Takes one wire event.
   *
   * @param wire The parsed JSON. The assembler may keep parts of it, and changes none.
   * @param source The JSON text it was parsed from; undefined where the events came parsed, from an SDK.
   * @param name The value of the SSE message's `event` line.
   */
  event(wire: JsonObject, source: string | undefined, name: string | undefined): void;
  /** Takes the sentinel `[DONE]`. */
  done(): void;
  /** Says that nothing follows. Closes the turn, if it is not over yet. */
  end(end: StreamEnd): void;
}

/**
 * One wire format: how its events become a turn. Many providers speak one dialect.
 *
 * @typeParam Entry One element of what goes back of a turn, in the provider's own shape.
 * @typeParam Item One element of the next request's history, of any role.
 */
export interface Dialect<Entry = unknown, Item = unknown> {
  /** Its name: `anthropic`, `chatCompletions`, `responses`, `gemini`. */
  readonly name: string;
  /** Whether a stream whose first event is this one is in this dialect. */
  recognises(wire: JsonObject): boolean;
  /** Makes the state machine for one turn. */
  createAssembler(record: TurnRecord<Entry>): TurnAssembler;
  /** How a conversation is written in it; a dialect without has no transcripts. */
  readonly history?: HistoryFormat<Item>;
}

/** A dialect as it is, or made to measure by calling it with options. */
export type ConfigurableDialect<Entry, Options, Item = unknown> = Dialect<Entry, Item> &
  ((options?: Options) => Dialect<Entry, Item>);

/**
 * Makes a dialect that is a value and a function: `anthropic`, or `anthropic({ unsignedThinking: 'keep' })`.
 *
 * @param optionNames The options that exist; any other is refused with a `TypeError`, for it would change nothing.
 * @param create Makes the dialect for some options; called with `{}` for the plain value.
 */
export function configurable<Entry, Options extends object, Item = unknown>(
  optionNames: readonly (keyof Options & string)[],
  create: (options: Partial<Options>) => Dialect<Entry, Item>,
): ConfigurableDialect<Entry, Partial<Options>, Item> {
  const plain = create({});
  const configure = (options: Partial<Options> = {}): Dialect<Entry, Item> => {
    requireOptions(plain.name, options, optionNames);
    return create(options);
  };
  // `name` of a function is read-only for assignment, not for definition.
  return Object.defineProperties(configure, Object.getOwnPropertyDescriptors(plain)) as ConfigurableDialect<
    Entry,
    Partial<Options>,
    Item
  >;
}

function requireOptions(dialect: string, options: object, names: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`${dialect} has no option ${unknown}. Did you mean one of ${names.join(', ')}?`);
}

/**
 * Refuses what is no dialect, with the way out.
 *
 * @throws TypeError
 */
export function requireDialect(dialect: unknown): void {
  const { createAssembler } = Object(dialect) as { createAssembler?: unknown };
  if (typeof createAssembler === 'function') return;
  const met = typeof dialect === 'string' ? JSON.stringify(dialect) : String(dialect);
  throw new TypeError(
    `Expected a dialect, got ${met}. Did you mean \`import { anthropic } from 'wholeturn/anthropic'\` or one of its kin?`,
  );
}
