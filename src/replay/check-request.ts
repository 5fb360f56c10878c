import { type Dialect, requireDialect } from '../core/dialect.ts';
import type { Finding } from '../core/finding.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import type { HistoryRule } from '../core/request-rule.ts';
import type { AssembledTurn } from '../core/turn.ts';
import { anthropicRules } from '../dialects/anthropic/request-rules.ts';
import { chatCompletionsRules } from '../dialects/chat-completions/request-rules.ts';
import { geminiRules } from '../dialects/gemini/request-rules.ts';
import { responsesRules } from '../dialects/responses/request-rules.ts';
import { historyChanges } from './history-changes.ts';
import { historyMember } from './history-member.ts';
import { historyOf, type Transcript } from './transcript.ts';

const rulesOf: Readonly<Record<string, readonly HistoryRule[]>> = {
  anthropic: anthropicRules,
  chatCompletions: chatCompletionsRules,
  responses: responsesRules,
  gemini: geminiRules,
};

/** What {@link checkRequest} compares a request with. */
export interface CheckRequestOptions {
  /** The body of the request before it in the same conversation: tells what must not change from one to the next. */
  readonly previous?: object | undefined;
  /** Turns that were assembled in this process: what goes back of them must be what came. */
  readonly turns?: readonly AssembledTurn[] | undefined;
  /** The transcript whose entries the request sends: each must be there as it is (`history_changed`). */
  readonly transcript?: Pick<Transcript<unknown, unknown>, 'entries'> | undefined;
}

/**
 * Lists what the provider would refuse of a request (`error`), or silently spoil (`warning`), before it is sent.
 *
 * A rule that holds for some models or servers only is judged by the model's name; where that does not tell, what it
 * finds is a warning. A request without errors may still be refused for what no body tells.
 *
 * @param body The whole body of the request, as an object. For Gemini, whose URL has the model, put it in as `model`.
 * @param dialect Its wire format.
 * @returns The findings, rule by rule; `[]` where there is nothing to say.
 * @throws TypeError if a body is no object, or the dialect none that has rules.
 *
 * @example
 * ```ts
 * const errors = checkRequest(body, anthropic, { previous, turns }).filter(({ severity }) => severity === 'error');
 * ```
 */
export function checkRequest(
  body: object,
  dialect: Dialect,
  { previous, turns, transcript }: CheckRequestOptions = {},
): readonly Finding[] {
  requireDialect(dialect);
  requireBody(body);
  if (previous !== undefined) requireBody(previous);
  const rules = rulesOf[dialect.name];
  if (!rules) throw new TypeError(`There are no rules for the dialect ${dialect.name}.`);
  const context = { previous, turns };
  const findings = rules.flatMap(({ code, find }) =>
    Array.from(find(body, context), (finding) => ({ code, ...finding })),
  );
  return transcript ? [...findings, ...changesOf(body, dialect, transcript.entries)] : findings;
}

function changesOf(body: JsonObject, dialect: Dialect, entries: readonly unknown[]): readonly Finding[] {
  const name = historyMember(dialect.name);
  const items: unknown = body[name];
  return [...historyChanges(Array.isArray(items) ? items : [], entries, historyOf(dialect), name)];
}

function requireBody(body: object): asserts body is JsonObject {
  if (isJsonObject(body)) return;
  const met = Array.isArray(body) ? 'an array' : body === null ? 'null' : typeof body;
  throw new TypeError(`Expected the body of a request, an object, got ${met}.`);
}
