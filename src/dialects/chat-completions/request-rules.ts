import type { HistoryRule } from '../../core/request-rule.ts';
import { changedTurnRules } from './request-rules/changed-turn-rules.ts';
import { contentRules } from './request-rules/content-rules.ts';
import { gatewayRules } from './request-rules/gateway-rules.ts';
import { parameterRules } from './request-rules/parameter-rules.ts';
import { reasoningDetailsRules } from './request-rules/reasoning-details-rules.ts';
import { reasoningFieldRules } from './request-rules/reasoning-field-rules.ts';
import { toolRules } from './request-rules/tool-rules.ts';

/** What can be read off a request body. Put together by a pure call, so that who checks nothing bundles none of it. */
export const chatCompletionsRules: readonly HistoryRule[] = /* @__PURE__ */ [
  reasoningDetailsRules,
  reasoningFieldRules,
  changedTurnRules,
  toolRules,
  contentRules,
  gatewayRules,
  parameterRules,
].flat();
