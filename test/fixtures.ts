import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isJsonObject, type JsonObject } from '../src/core/json-object.ts';

/** How the turn of a fixture ends: `ok` complete, `cut` truncated, `bad` failed. */
export type Verdict = 'ok' | 'cut' | 'bad';

/** What must come out of a fixture's bytes; `fixtures/README.md` says what each key is compared with. */
export interface ExpectedTurn {
  readonly why: string;
  readonly options: JsonObject;
  readonly status: string;
  readonly stopReason: string | null;
  readonly entries: readonly unknown[];
  readonly entriesText: string | undefined;
  readonly toolCalls: readonly unknown[];
  readonly blocks: readonly unknown[];
  readonly repairs: readonly unknown[];
  readonly warnings: readonly unknown[];
  readonly carry: JsonObject;
  readonly events: readonly unknown[];
}

/** One invented stream and its right result. */
export interface Fixture {
  /** The file's name without its ending, verdict included. */
  readonly name: string;
  readonly verdict: Verdict;
  /** The response body; a copy of its own at each reading. */
  readonly bytes: Uint8Array;
  readonly expected: ExpectedTurn;
}

/**
 * Reads all fixtures of a dialect, in order of their names.
 *
 * @param dialect The folder under `fixtures/`, such as `anthropic`.
 * @throws When a file has no verdict in its name, a stream has no result beside it, or a result no stream.
 */
export function listFixtures(dialect: string): readonly Fixture[] {
  const folder = new URL(`../fixtures/${dialect}/`, import.meta.url);
  const files = readdirSync(folder).sort();
  for (const file of files) checkPartner(folder, file);
  return files
    .filter((file) => file.endsWith('.sse'))
    .map((file) => readFixture(folder, file.slice(0, -'.sse'.length)));
}

function checkPartner(folder: URL, file: string): void {
  const [, name, ending] = /^((?:ok|cut|bad)_[\w-]+)\.(sse|expected\.json)$/.exec(file) ?? [];
  const path = fileURLToPath(new URL(file, folder));
  if (!name) throw new Error(`${path}: expected <verdict>_<name>.sse or .expected.json, verdict ok, cut or bad`);
  const partner = `${name}.${ending === 'sse' ? 'expected.json' : 'sse'}`;
  if (!existsSync(new URL(partner, folder))) throw new Error(`${path} has no ${partner} beside it`);
}

function readFixture(folder: URL, name: string): Fixture {
  const bytes = new Uint8Array(readFileSync(new URL(`${name}.sse`, folder)));
  const json: unknown = JSON.parse(readFileSync(new URL(`${name}.expected.json`, folder), 'utf8'));
  return { name, verdict: verdictOf(name), bytes, expected: readExpected(name, json) };
}

function verdictOf(name: string): Verdict {
  if (name.startsWith('ok_')) return 'ok';
  return name.startsWith('cut_') ? 'cut' : 'bad';
}

function readExpected(name: string, json: unknown): ExpectedTurn {
  if (!isJsonObject(json)) throw new Error(`${name}.expected.json is no object`);
  const { why, options = {}, status, stopReason, entriesText, carry = {} } = json;
  const isRight =
    typeof why === 'string' &&
    isJsonObject(options) &&
    typeof status === 'string' &&
    (typeof stopReason === 'string' || stopReason === null) &&
    (typeof entriesText === 'string' || entriesText === undefined) &&
    isJsonObject(carry);
  if (!isRight) throw new Error(`${name}.expected.json lacks why, status or stopReason, or has one of the wrong type`);
  const { entries, toolCalls, blocks, repairs, warnings, events } = json;
  const lists = { entries, toolCalls, blocks, repairs, warnings, events };
  return { why, options, status, stopReason, entriesText, carry, ...checkLists(name, lists) };
}

function checkLists<Key extends string>(name: string, lists: Record<Key, unknown>): Record<Key, readonly unknown[]> {
  for (const [key, list] of Object.entries(lists)) {
    if (!Array.isArray(list)) throw new Error(`${name}.expected.json has no list ${key}`);
  }
  // Each member was just seen to be an array.
  return lists as Record<Key, readonly unknown[]>;
}
