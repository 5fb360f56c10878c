import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import { type HistoryRule, refused, spoiled } from '../../../core/request-rule.ts';
import { byClaude, effortOf, isThinkingOff, servedBy, thinkingMode, versionOf } from './thinking-mode.ts';

const leastBudget = 1024;
const levels = ['low', 'medium', 'high', 'xhigh', 'max'];
/** What the official clients send without streaming at most: an hour's worth of 128,000 tokens, in ten minutes. */
const mostUnstreamed = 21_333;

/** The rules of `thinking`, `output_config.effort`, and what they go with. */
export const thinkingParameterRules: readonly HistoryRule[] = [
  {
    code: 'thinking_type_unknown',
    source: 'Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks',
    *find(body) {
      const { thinking } = body;
      if (thinking === undefined || thinking === null) return;
      const type = isJsonObject(thinking) ? thinking['type'] : thinking;
      if (type === 'adaptive' || type === 'enabled' || type === 'disabled') return;
      yield* byClaude(
        body,
        'thinking.type',
        `thinking: Input tag ${JSON.stringify(type)} does not match any of the expected tags. Use "adaptive", "enabled" or "disabled"; how deeply to think is output_config.effort.`,
      );
    },
  },
  {
    code: 'thinking_budget_missing',
    source: 'Anthropic: extended thinking',
    *find(body) {
      const { thinking } = body;
      if (thinkingMode(body) !== 'enabled' || budgetOf(body) !== undefined || !isJsonObject(thinking)) return;
      yield* byClaude(
        body,
        'thinking.budget_tokens',
        'thinking.enabled.budget_tokens: Field required. Give a number of tokens, or use "adaptive".',
      );
    },
  },
  {
    code: 'thinking_budget_below_floor',
    source: "Return Claude's Thinking Blocks or Your Agent Breaks; Anthropic: extended thinking",
    *find(body) {
      const budget = budgetOf(body);
      if (budget === undefined || budget >= leastBudget) return;
      yield* byClaude(
        body,
        'thinking.budget_tokens',
        `thinking.enabled.budget_tokens: Input should be greater than or equal to ${leastBudget}, not ${budget}. Raise it.`,
      );
    },
  },
  {
    code: 'thinking_budget_not_below_max_tokens',
    source: "Return Claude's Thinking Blocks or Your Agent Breaks; Anthropic: extended thinking",
    *find(body) {
      const budget = budgetOf(body);
      const { max_tokens: maxTokens } = body;
      if (budget === undefined || typeof maxTokens !== 'number' || budget < maxTokens) return;
      const message = `\`max_tokens\` (${maxTokens}) must be greater than \`thinking.budget_tokens\` (${budget}). Size it to hold both thinking and answer.`;
      // With interleaved thinking, which a header switches on, the budget is that of all blocks between the calls.
      if (hasTools(body))
        yield spoiled('thinking.budget_tokens', `${message} Only interleaved thinking may exceed it.`);
      else yield* byClaude(body, 'thinking.budget_tokens', message);
    },
  },
  {
    code: 'thinking_budget_not_allowed',
    source: 'Anthropic: adaptive thinking',
    *find(body) {
      const { thinking } = body;
      const mode = thinkingMode(body);
      if (!isJsonObject(thinking) || mode === 'enabled' || thinking['budget_tokens'] === undefined) return;
      yield* byClaude(
        body,
        'thinking.budget_tokens',
        `thinking.${mode}.budget_tokens: Extra inputs are not permitted. Leave it out; output_config.effort and max_tokens bound the thinking.`,
      );
    },
  },
  {
    code: 'thinking_enabled_refused',
    source: 'Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks',
    *find(body) {
      const version = versionOf(body) ?? 0;
      if (thinkingMode(body) !== 'enabled' || version < 407) return;
      yield refused(
        'thinking.type',
        '"thinking.type.enabled" is not supported on Claude 4.7 and later. Use {"type": "adaptive"} with output_config.effort.',
      );
    },
  },
  {
    code: 'thinking_enabled_deprecated',
    source: 'Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks',
    *find(body) {
      if (thinkingMode(body) !== 'enabled' || versionOf(body) !== 406) return;
      yield spoiled(
        'thinking.type',
        'Manual thinking is deprecated on Claude 4.6, and refused from 4.7 on. Use {"type": "adaptive"} with output_config.effort.',
      );
    },
  },
  {
    code: 'thinking_adaptive_refused',
    source: 'Anthropic: adaptive thinking',
    *find(body) {
      const version = versionOf(body);
      if (thinkingMode(body) !== 'adaptive' || version === undefined || version >= 406) return;
      yield refused(
        'thinking.type',
        'adaptive thinking is not supported on this model: it came with Claude 4.6. Use {"type": "enabled", "budget_tokens": …}.',
      );
    },
  },
  {
    code: 'thinking_display_unknown',
    source: 'Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks',
    *find({ thinking }) {
      const display = isJsonObject(thinking) ? thinking['display'] : undefined;
      if (display === undefined || display === null || display === 'summarized' || display === 'omitted') return;
      // A beta has a third value.
      yield (typeof display === 'string' ? spoiled : refused)(
        'thinking.display',
        `thinking.display: Input should be 'summarized' or 'omitted', not ${JSON.stringify(display)}. The raw thinking is no display option.`,
      );
    },
  },
  {
    code: 'effort_unknown',
    source: 'Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks',
    *find(body) {
      const effort = effortOf(body);
      if (effort === undefined || (typeof effort === 'string' && levels.includes(effort))) return;
      const hint = effort === 'adaptive' ? ' "adaptive" is a value of thinking.type, not a level.' : '';
      yield* byClaude(
        body,
        'output_config.effort',
        `output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'.${hint}`,
      );
    },
  },
  {
    code: 'effort_not_of_model',
    source: 'Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks',
    *find(body) {
      const effort = effortOf(body);
      const version = versionOf(body);
      if (version === undefined || typeof effort !== 'string' || !levels.includes(effort)) return;
      const since = effort === 'xhigh' ? 407 : effort === 'max' ? 406 : 405;
      if (version >= since) return;
      const message = `effort ${JSON.stringify(effort)} is not supported by this model; it came with Claude ${since / 100}.`;
      const advice = since === 405 ? 'Leave output_config.effort out.' : 'Use "high".';
      yield (since === 405 ? spoiled : refused)('output_config.effort', `${message} ${advice}`);
    },
  },
  {
    code: 'effort_without_thinking',
    source: 'OpenRouter: reasoning tokens',
    *find(body) {
      const effort = effortOf(body);
      const isHighest = effort === 'xhigh' || effort === 'max';
      if (thinkingMode(body) !== 'disabled' || !isHighest || (versionOf(body) ?? 0) < 500) return;
      yield refused(
        'output_config.effort',
        `output_config.effort '${effort}' is not supported when thinking is disabled on this model. Use effort 'high' or below, or enable thinking.`,
      );
    },
  },
  {
    code: 'clear_thinking_without_thinking',
    source: 'Anthropic: context editing',
    *find(body) {
      const at = clearThinkingAt(body);
      if (at === -1 || !isThinkingOff(body) || servedBy(body) !== 'claude') return;
      yield refused(
        `context_management.edits[${at}]`,
        '`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive. Ask for thinking, or leave the edit out.',
      );
    },
  },
  {
    code: 'clear_thinking_not_first',
    source: 'Anthropic: context editing',
    *find(body) {
      const at = clearThinkingAt(body);
      if (at > 0)
        yield refused(
          `context_management.edits[${at}]`,
          '`clear_thinking_20251015` must be the first edit. Put it before the others.',
        );
    },
  },
  {
    code: 'streaming_needed',
    source: "Return Claude's Thinking Blocks or Your Agent Breaks",
    *find(body) {
      const { max_tokens: maxTokens, stream } = body;
      // Clouds say in the URL whether to stream.
      if (typeof maxTokens !== 'number' || maxTokens <= mostUnstreamed || stream === true) return;
      if (body['anthropic_version'] !== undefined && stream === undefined) return;
      yield spoiled(
        'stream',
        `Streaming is required for operations that may take longer than 10 minutes, and max_tokens is ${maxTokens}. Set stream: true, or the request times out or is refused.`,
      );
    },
  },
];

function budgetOf({ thinking }: JsonObject): number | undefined {
  const budget = isJsonObject(thinking) && thinking['type'] === 'enabled' ? thinking['budget_tokens'] : undefined;
  return typeof budget === 'number' ? budget : undefined;
}

function hasTools({ tools }: JsonObject): boolean {
  return Array.isArray(tools) && tools.length > 0;
}

/** The place of the edit that clears thinking; -1 where there is none. */
function clearThinkingAt({ context_management: management }: JsonObject): number {
  const edits = isJsonObject(management) ? management['edits'] : undefined;
  if (!Array.isArray(edits)) return -1;
  return edits.findIndex((edit) => isJsonObject(edit) && edit['type'] === 'clear_thinking_20251015');
}
