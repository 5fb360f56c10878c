import type { Usage } from '../core/turn.ts';

/** The tokens of several turns; null where none of them said. `wire` is null: there is no such object. */
export function sumUsage(usages: readonly Usage[]): Usage {
  const sum = (name: Exclude<keyof Usage, 'wire'>): number | null => {
    const known = usages.map((usage) => usage[name]).filter((count) => count !== null);
    return known.length > 0 ? known.reduce((total, count) => total + count, 0) : null;
  };
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    reasoningTokens: sum('reasoningTokens'),
    cacheReadTokens: sum('cacheReadTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
    wire: null,
  };
}
