/** A gateway that turns one `reasoning` parameter into that of each provider. */
export type Gateway = 'anannas' | 'openrouter';

/** What is asked for: an effort, or a number of tokens. */
export type ReasoningRequest = {
  readonly gateway: Gateway;
  /** `max_tokens` of the request. */
  readonly maxTokens: number;
} & ({ readonly effort: string } | { readonly reasoningMaxTokens: number });

/** How a gateway reckons. */
export interface GatewayLimits {
  /** The share of `max_tokens` that each level of effort stands for. */
  readonly ratios: Readonly<Record<string, number>>;
  /** The least budget that it asks a provider for, in tokens. */
  readonly floor: number;
  /** The most that an effort can come to, in tokens. */
  readonly cap: number;
}

/**
 * The figures of each gateway, for models that take a budget.
 *
 * @see https://docs.anannas.ai/features/reasoning-tokens
 * @see https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
export const gatewayLimits: Readonly<Record<Gateway, GatewayLimits>> = {
  anannas: { ratios: { high: 0.8, medium: 0.5, low: 0.2 }, floor: 1024, cap: 32_000 },
  openrouter: {
    ratios: { max: 0.95, xhigh: 0.95, high: 0.8, medium: 0.5, low: 0.2, minimal: 0.1, none: 0 },
    floor: 1024,
    cap: 128_000,
  },
};

/**
 * How many tokens of reasoning a request comes to, for a model that takes a budget.
 *
 * An effort is a share of `max_tokens`, at least the floor and at most the cap; a number is used as it is, at least the
 * floor. `none` is 0.
 *
 * @throws TypeError for a gateway or an effort that is not known, and for what is no number of tokens.
 *
 * @example
 * ```ts
 * reasoningBudget({ gateway: 'anannas', maxTokens: 64_000, effort: 'high' }); // 32000
 * reasoningBudget({ gateway: 'openrouter', maxTokens: 64_000, effort: 'high' }); // 51200
 * ```
 */
export function reasoningBudget(request: ReasoningRequest): number {
  if (!Object.hasOwn(gatewayLimits, request.gateway)) {
    throw new TypeError(`Expected the gateway anannas or openrouter, got ${JSON.stringify(request.gateway)}`);
  }
  const { ratios, floor, cap } = gatewayLimits[request.gateway];
  requireTokens('maxTokens', request.maxTokens);
  if ('reasoningMaxTokens' in request) {
    requireTokens('reasoningMaxTokens', request.reasoningMaxTokens);
    return Math.max(request.reasoningMaxTokens, floor);
  }
  const ratio = Object.hasOwn(ratios, request.effort) ? ratios[request.effort] : undefined;
  if (ratio === undefined) {
    const known = Object.keys(ratios).join(', ');
    throw new TypeError(`${request.gateway} knows no effort ${JSON.stringify(request.effort)}. Did you mean ${known}?`);
  }
  return ratio === 0 ? 0 : Math.max(Math.min(Math.floor(request.maxTokens * ratio), cap), floor);
}

function requireTokens(name: string, value: unknown): void {
  if (typeof value === 'number' && value > 0) return;
  throw new TypeError(`${name} must be a number of tokens above 0, got ${String(value)}`);
}
