import type { HistoryRule } from '../../core/request-rule.ts';
import { cacheRules } from './request-rules/cache-rules.ts';
import { changedTurnRules } from './request-rules/changed-turn-rules.ts';
import { contentRules } from './request-rules/content-rules.ts';
import { previousRules } from './request-rules/previous-rules.ts';
import { samplingRules } from './request-rules/sampling-rules.ts';
import { serverToolRules } from './request-rules/server-tool-rules.ts';
import { thinkingBlockRules } from './request-rules/thinking-block-rules.ts';
import { thinkingParameterRules } from './request-rules/thinking-parameter-rules.ts';
import { toolRules } from './request-rules/tool-rules.ts';

/** What can be read off a request body. Put together by a pure call, so that who checks nothing bundles none of it. */
export const anthropicRules: readonly HistoryRule[] = /* @__PURE__ */ [
  thinkingBlockRules,
  changedTurnRules,
  toolRules,
  serverToolRules,
  contentRules,
  cacheRules,
  thinkingParameterRules,
  samplingRules,
  previousRules,
].flat();
