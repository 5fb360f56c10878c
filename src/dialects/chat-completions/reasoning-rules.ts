import type { Finding, RequestRule } from '../../core/finding.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { reasoningFamily } from './families.ts';
import { type Gateway, gatewayLimits, reasoningBudget } from './reasoning-budget.ts';

/**
 * The rules of a gateway about the `reasoning` parameter of a request, each as one small function.
 *
 * @example
 * ```ts
 * const findings = reasoningRules('anannas').flatMap((rule) => rule.check(body) ?? []);
 * ```
 *
 * @see https://docs.anannas.ai/features/reasoning-tokens
 * @see https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
export function reasoningRules(gateway: Gateway): readonly RequestRule[] {
  const source = `${gateway}: reasoning tokens`;
  return [
    rule('reasoning_effort_and_max_tokens', checkOneOf),
    rule('reasoning_effort_unknown', (body) => checkEffort(body, gateway)),
    rule('reasoning_parameter_misspelt', checkSpelling),
    rule('reasoning_budget_below_floor', (body) => checkFloor(body, gateway)),
    rule('reasoning_budget_above_cap', (body) => checkCap(body, gateway)),
    rule('reasoning_budget_not_below_max_tokens', (body) => checkBudget(body, gateway)),
    rule('reasoning_leaves_little_room', (body) => checkRoom(body, gateway)),
    rule('reasoning_forced_tool_choice', checkToolChoice),
    rule('reasoning_top_k', checkTopK),
    rule('reasoning_prefill', checkPrefill),
    rule('reasoning_excluded_in_tool_cycle', checkExcluded),
  ];

  function rule(code: string, find: (body: JsonObject) => Omit<Finding, 'code'> | undefined): RequestRule {
    return {
      code,
      source,
      check(body) {
        const finding = find(body);
        return finding && { code, ...finding };
      },
    };
  }
}

type Found = Omit<Finding, 'code'> | undefined;

function error(path: string, message: string): Found {
  return { path, message, severity: 'error' };
}

function warning(path: string, message: string): Found {
  return { path, message, severity: 'warning' };
}

function reasoningOf({ reasoning }: JsonObject): JsonObject {
  return isJsonObject(reasoning) ? reasoning : {};
}

/** Whether the request asks for reasoning, in any of the ways there are. */
function asksForReasoning(body: JsonObject): boolean {
  const { enabled, effort } = reasoningOf(body);
  if (enabled === false || effort === 'none' || body['reasoning_effort'] === 'none') return false;
  return isJsonObject(body['reasoning']) || isGiven(body['reasoning_effort']) || body['include_reasoning'] === true;
}

/** Null is how a body says that a parameter is not given. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function hasTools({ tools }: JsonObject): boolean {
  return Array.isArray(tools) && tools.length > 0;
}

/** What the request comes to on a model that takes a budget; undefined where that cannot be told. */
function budgetOf(body: JsonObject, gateway: Gateway): { budget: number; maxTokens: number } | undefined {
  const maxTokens = body['max_tokens'];
  const { effort = body['reasoning_effort'], max_tokens: tokens, enabled } = reasoningOf(body);
  if (!(typeof maxTokens === 'number' && maxTokens > 0) || !asksForReasoning(body)) return undefined;
  if (typeof tokens === 'number' && tokens > 0) {
    return { maxTokens, budget: reasoningBudget({ gateway, maxTokens, reasoningMaxTokens: tokens }) };
  }
  // Asked for without a measure, it is the medium one.
  const level = effort ?? (enabled === true ? 'medium' : undefined);
  if (typeof level !== 'string' || !Object.hasOwn(gatewayLimits[gateway].ratios, level)) return undefined;
  return { maxTokens, budget: reasoningBudget({ gateway, maxTokens, effort: level }) };
}

function takesBudget({ model }: JsonObject): boolean {
  return typeof model === 'string' && reasoningFamily(model).name === 'claude';
}

function checkOneOf(body: JsonObject): Found {
  const { effort, max_tokens: tokens } = reasoningOf(body);
  if (!isGiven(effort) || !isGiven(tokens)) return undefined;
  return error(
    'reasoning',
    'The gateway answers: Only one of "reasoning.effort" and "reasoning.max_tokens" can be specified. Leave one out.',
  );
}

function checkEffort(body: JsonObject, gateway: Gateway): Found {
  const { effort } = reasoningOf(body);
  const known = Object.keys(gatewayLimits[gateway].ratios);
  if (!isGiven(effort) || (typeof effort === 'string' && known.includes(effort))) return undefined;
  return error('reasoning.effort', `${gateway} knows no effort ${JSON.stringify(effort)}. Use ${known.join(', ')}.`);
}

function checkSpelling(body: JsonObject): Found {
  if (!('maxTokens' in reasoningOf(body))) return undefined;
  return warning('reasoning.maxTokens', 'The gateway knows no `maxTokens` and ignores it. Write `max_tokens`.');
}

function checkFloor(body: JsonObject, gateway: Gateway): Found {
  const tokens = reasoningOf(body)['max_tokens'];
  const { floor } = gatewayLimits[gateway];
  if (typeof tokens !== 'number' || tokens >= floor) return undefined;
  return warning(
    'reasoning.max_tokens',
    `The gateway raises ${tokens} to its least, ${floor}. Ask for ${floor} or more.`,
  );
}

function checkCap(body: JsonObject, gateway: Gateway): Found {
  const tokens = reasoningOf(body)['max_tokens'];
  const { cap } = gatewayLimits[gateway];
  if (typeof tokens !== 'number' || tokens <= cap) return undefined;
  return warning('reasoning.max_tokens', `The gateway allocates at most ${cap} tokens to reasoning, not ${tokens}.`);
}

/** With tools the budget is that of all blocks of the turn together, and may exceed `max_tokens`. */
function checkBudget(body: JsonObject, gateway: Gateway): Found {
  const known = budgetOf(body, gateway);
  if (!known || !takesBudget(body) || known.budget < known.maxTokens || hasTools(body)) return undefined;
  return error(
    'max_tokens',
    `The reasoning budget is ${known.budget}, and max_tokens (${known.maxTokens}) must be strictly higher. Raise max_tokens.`,
  );
}

function checkRoom(body: JsonObject, gateway: Gateway): Found {
  const known = budgetOf(body, gateway);
  if (!known || !takesBudget(body) || hasTools(body)) return undefined;
  const room = known.maxTokens - known.budget;
  if (room <= 0 || room >= 256) return undefined;
  return warning('max_tokens', `Reasoning may take ${known.budget} tokens, which leaves ${room} for the answer.`);
}

function checkToolChoice(body: JsonObject): Found {
  const choice = body['tool_choice'];
  if (!asksForReasoning(body) || !isGiven(choice) || choice === 'auto' || choice === 'none') return undefined;
  return error(
    'tool_choice',
    'With reasoning only "auto" and "none" are supported; a forced tool is refused, or reasoning is dropped in silence.',
  );
}

function checkTopK(body: JsonObject): Found {
  if (!asksForReasoning(body) || !isGiven(body['top_k'])) return undefined;
  return error('top_k', 'With reasoning top_k is not allowed. Leave it out.');
}

function checkPrefill(body: JsonObject): Found {
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  const last: unknown = messages.at(-1);
  if (!asksForReasoning(body) || !isJsonObject(last) || last['role'] !== 'assistant') return undefined;
  return error(
    `messages[${messages.length - 1}]`,
    'With reasoning the answer cannot be begun for the model. End with a user or a tool message.',
  );
}

function checkExcluded(body: JsonObject): Found {
  if (reasoningOf(body)['exclude'] !== true || !asksForReasoning(body) || !hasTools(body)) return undefined;
  const { model } = body;
  if (typeof model !== 'string' || reasoningFamily(model).sealedTo === 'nothing') return undefined;
  return warning(
    'reasoning.exclude',
    'What is excluded cannot be sent back, so a tool cycle of this model goes on without its reasoning. Do not show it instead.',
  );
}
