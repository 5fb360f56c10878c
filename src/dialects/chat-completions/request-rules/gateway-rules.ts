import { claudeModel } from '../../../core/claude-model.ts';
import type { Finding } from '../../../core/finding.ts';
import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import { type Found, type HistoryRule, refused, spoiled } from '../../../core/request-rule.ts';
import { reasoningRules } from '../reasoning-rules.ts';
import { familyOf, isGiven, isOpenRouter, textOf } from './history.ts';

/** Restrictions of Anthropic's models, which the gateways pass on; other models may take it. */
const ofClaude = new Set(['reasoning_forced_tool_choice', 'reasoning_top_k', 'reasoning_prefill']);

const ownRules: readonly HistoryRule[] = [
  {
    code: 'reasoning_and_reasoning_effort',
    source: 'OpenRouter: reasoning tokens',
    *find({ reasoning, reasoning_effort: effort }) {
      if (!isJsonObject(reasoning) || !isGiven(effort) || reasoning['effort'] === effort) return;
      yield refused(
        'reasoning_effort',
        'Only one of "reasoning" and "reasoning_effort" may be provided. Leave one out.',
      );
    },
  },
  {
    code: 'reasoning_budget_ignored',
    source: 'OpenRouter: reasoning tokens',
    *find({ model, reasoning }) {
      if (!isJsonObject(reasoning) || !isGiven(reasoning['max_tokens']) || (claudeModel(model)?.version ?? 0) < 407)
        return;
      yield spoiled(
        'reasoning.max_tokens',
        'Claude 4.7 and later take no budget: it is ignored. Use reasoning.effort.',
      );
    },
  },
  {
    code: 'reasoning_effort_falls_back',
    source: 'OpenRouter: reasoning tokens',
    *find({ model, reasoning }) {
      const effort = isJsonObject(reasoning) ? reasoning['effort'] : undefined;
      const since = effort === 'xhigh' ? 407 : effort === 'max' ? 406 : 0;
      if ((claudeModel(model)?.version ?? since) >= since) return;
      yield spoiled(
        'reasoning.effort',
        `This model has no effort "${String(effort)}": it falls back to "high". Ask for that.`,
      );
    },
  },
  {
    code: 'thinking_variant_unsupported',
    source: 'Anannas: reasoning tokens',
    *find(body) {
      if (familyOf(body) === 'claude' && textOf(body['model']).endsWith(':thinking'))
        yield spoiled('model', 'The `:thinking` variant is no longer supported. Use the `reasoning` parameter.');
    },
  },
];

/** What gateways demand of `reasoning`, the parameter that they turn into that of each provider. */
export const gatewayRules: readonly HistoryRule[] = /* @__PURE__ */ createRules();

function createRules(): readonly HistoryRule[] {
  return [...sharedRules(), ...ownRules];
}

/**
 * The rules of both gateways. The body tells OpenRouter by its own parameters, and Anannas by nothing: where it is not
 * told, what both refuse is refused, and what one of them does is a warning.
 */
function sharedRules(): readonly HistoryRule[] {
  const anannasRules = reasoningRules('anannas');
  return reasoningRules('openrouter').map(({ code, source, check }, at) => ({
    code,
    source: `${source}; ${anannasRules[at]?.source}`,
    *find(body) {
      if (!isForGateway(body)) return;
      const certain = check(body);
      const other = isOpenRouter(body) ? certain : anannasRules[at]?.check(body);
      const finding = certain ?? other;
      if (!finding) return;
      const isDoubtful =
        !(certain && other) ||
        (ofClaude.has(code) && familyOf(body) !== 'claude') ||
        // From Claude 4.6 on an effort is no budget.
        (code === 'reasoning_budget_not_below_max_tokens' && (claudeModel(body['model'])?.version ?? 0) >= 406);
      yield inDoubt(finding, isDoubtful);
    },
  }));
}

function inDoubt({ path, message, severity }: Finding, isDoubtful: boolean): Found {
  return { path, message, severity: isDoubtful ? 'warning' : severity };
}

/** Whether `reasoning` of this request is read by a gateway: only those know the parameter. */
function isForGateway(body: JsonObject): boolean {
  const isClaudeOfGateway = familyOf(body) === 'claude' && textOf(body['model']).includes('/');
  return (
    isJsonObject(body['reasoning']) || isGiven(body['include_reasoning']) || isOpenRouter(body) || isClaudeOfGateway
  );
}
