import type { HistoryRule } from '../../core/request-rule.ts';

/** What can be read off a request body. */
export const responsesRules: readonly HistoryRule[] = [];
