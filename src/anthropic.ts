export { type AnthropicOptions, anthropic } from './dialects/anthropic/anthropic.ts';
export type { AnthropicEntry } from './dialects/anthropic/entries.ts';
export type { AnthropicMessage } from './dialects/anthropic/history.ts';
