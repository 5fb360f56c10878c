import type { Finding } from '../core/finding.ts';
import type { Consequence, PrefixFormat, TransformationReport } from './bound-prefix.ts';
import type { PrintChange } from './compare-prints.ts';

/**
 * What a guard found.
 *
 * - `prefix_changed`: something before a block of reasoning is not what it was when the block was written.
 * - `prefix_respelled`: it is the same value, written otherwise; whether providers mind is not known.
 * - `model_changed`: another model is asked, which may not be able to read the reasoning.
 * - `reasoning_dropped`, `reasoning_mismatch_allowed`: the provider says that it did so.
 */
export type PrefixFindingCode =
  | 'prefix_changed'
  | 'prefix_respelled'
  | 'model_changed'
  | 'reasoning_dropped'
  | 'reasoning_mismatch_allowed';

/** One change of a request that costs reasoning, or what the provider said that it cost. */
export interface PrefixFinding extends Finding {
  readonly code: PrefixFindingCode;
  /** What became of what stands at the path; where it was removed, the path is that of the request before. */
  readonly change?: PrintChange['kind'];
  /** What stood there, in short: kind, size, and a piece of a hash; never its text. */
  readonly before?: string;
  /** What stands there now, in the same way. */
  readonly after?: string;
  /** The blocks of reasoning that it costs, by their paths in the request, in order. */
  readonly invalidates: readonly string[];
  /** For what the provider said: its reason, and the changes that it follows from, as far as they were seen. */
  readonly reported?: { readonly reason: string; readonly causes: readonly PrefixFinding[] };
}

const whatHappened: Readonly<Record<PrintChange['kind'], string>> = {
  changed: 'is not what it was',
  removed: 'is gone',
  added: 'is new',
  moved: 'stands in another place',
  respelled: 'is written in another way (whether that counts is not known)',
};

/** Tells of a change. */
export function changeFinding(
  { position: _position, parts: _parts, ...change }: PrintChange,
  invalidates: readonly string[],
  { severity, text }: Consequence,
  remedy: string,
): PrefixFinding {
  const { kind, path, ...rest } = change;
  const isCertain = kind !== 'respelled';
  const bound = `${namesOf(invalidates)} ${invalidates.length === 1 ? 'is' : 'are'} bound to it: ${text}.`;
  return {
    code: isCertain ? 'prefix_changed' : 'prefix_respelled',
    path,
    severity: isCertain ? severity : 'warning',
    message: `${path} ${whatHappened[kind]}, and ${bound} ${remedy}`,
    change: kind,
    ...rest,
    invalidates,
  };
}

/** Tells that another model is asked. */
export function modelFinding(before: string, after: string, invalidates: readonly string[]): PrefixFinding {
  const lost = namesOf(invalidates);
  return {
    code: 'model_changed',
    path: 'model',
    severity: 'warning',
    message: `${lost} came from ${before}; reasoning that ${after} cannot read is dropped without an error. Stay with one model in a conversation, or send what travels: \`transcript.forModel(model)\`.`,
    change: 'changed',
    before,
    after,
    invalidates,
  };
}

/** Tells what the provider said, with the changes that it follows from. */
export function reportedFinding(
  { action, reason, id, path }: TransformationReport,
  found: readonly PrefixFinding[],
  format: PrefixFormat,
): PrefixFinding {
  const block = path ?? format.entriesPath;
  const about = /model/.test(reason) ? ['model_changed'] : ['prefix_changed', 'prefix_respelled'];
  const isOurs = /prefix|model/.test(reason);
  const causes = isOurs ? found.filter((one) => about.includes(one.code) && one.invalidates.includes(block)) : [];
  const done = action === 'dropped' ? 'was dropped' : 'failed the check and was let through this once';
  return {
    code: action === 'dropped' ? 'reasoning_dropped' : 'reasoning_mismatch_allowed',
    path: block,
    severity: 'warning',
    message: `The reasoning at ${path ?? `${block} (${id ?? 'not named'})`} ${done}: ${reason}. ${whyOf(reason, causes)}`,
    invalidates: [block],
    reported: { reason, causes },
  };
}

function whyOf(reason: string, causes: readonly PrefixFinding[]): string {
  if (causes.length > 0) return `The cause: ${causes.map(({ message }) => message).join(' ')}`;
  if (reason === 'turn_boundary') return 'That is so by `reasoning.context`, and nothing is wrong.';
  if (/organization|end_user/.test(reason)) return 'It was written for another account or user.';
  if (/prefix/.test(reason)) {
    return 'No change was seen here: what is sent may be rewritten on its way, or the conversation began elsewhere.';
  }
  return 'No cause was seen here.';
}

function namesOf(paths: readonly string[]): string {
  const [first = '', second, ...more] = paths;
  if (second === undefined) return first;
  return more.length === 0 ? `${first} and ${second}` : `${first} and ${more.length + 1} more`;
}
