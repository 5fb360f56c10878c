import { expect } from 'vitest';
import type { JsonObject } from '../../src/core/json-object.ts';
import type { HistoryRule, RequestContext } from '../../src/core/request-rule.ts';

/** One rule: a request that breaks it with what is found in it, and one next to it that holds. */
export interface RuleCase {
  readonly code: string;
  readonly broken: JsonObject;
  /** All that is found in it, as `severity code path`. */
  readonly finds: readonly string[];
  readonly holds: JsonObject;
  /** What both are judged with. */
  readonly context?: RequestContext;
}

/** All that rules find in a request, as `severity code path`; each says something in a sentence or more. */
export function findingsOf(rules: readonly HistoryRule[], body: JsonObject, context: RequestContext = {}): string[] {
  return rules.flatMap(({ code, find }) =>
    Array.from(find(body, context), ({ severity, path, message }) => {
      expect(message).toMatch(/^.{20,}[.}]$/s);
      return `${severity} ${code} ${path}`;
    }),
  );
}
