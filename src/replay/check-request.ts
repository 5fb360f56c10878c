import { type Dialect, requireDialect } from '../core/dialect.ts';
import type { Finding } from '../core/finding.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import type { HistoryRule, RequestContext } from '../core/request-rule.ts';
import { anthropicRules } from '../dialects/anthropic/request-rules.ts';
import { chatCompletionsRules } from '../dialects/chat-completions/request-rules.ts';
import { geminiRules } from '../dialects/gemini/request-rules.ts';
import { responsesRules } from '../dialects/responses/request-rules.ts';

const rulesOf: Readonly<Record<string, readonly HistoryRule[]>> = {
  anthropic: anthropicRules,
  chatCompletions: chatCompletionsRules,
  responses: responsesRules,
  gemini: geminiRules,
};

/**
 * Lists what the provider would refuse of a request (`error`), or silently spoil (`warning`), before it is sent.
 *
 * @param body The whole body of the request, as an object.
 * @param dialect Its wire format.
 * @returns The findings, rule by rule; `[]` where there is nothing to say.
 * @throws TypeError if the body is no object, or the dialect none that has rules.
 */
export function checkRequest(body: JsonObject, dialect: Dialect, context: RequestContext = {}): Finding[] {
  requireDialect(dialect);
  if (!isJsonObject(body)) throw new TypeError(`Expected the body of a request, an object, got ${typeof body}.`);
  const rules = rulesOf[dialect.name];
  if (!rules) throw new TypeError(`There are no rules for the dialect ${dialect.name}.`);
  return rules.flatMap(({ code, find }) => Array.from(find(body, context), (finding) => ({ code, ...finding })));
}
