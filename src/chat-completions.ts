export type { Finding, RequestRule } from './core/finding.ts';
export type { ToolResult } from './core/tool-results.ts';
export { type ChatCompletionsOptions, chatCompletions } from './dialects/chat-completions/chat-completions.ts';
export type { ChatCompletionsEntry, ChatToolCall } from './dialects/chat-completions/entries.ts';
export { type FamilyName, type ReasoningFamily, reasoningFamily } from './dialects/chat-completions/families.ts';
export type {
  ChatFunctionMessage,
  ChatInstruction,
  ChatMessage,
  ChatUserMessage,
} from './dialects/chat-completions/history.ts';
export {
  type Gateway,
  type GatewayLimits,
  gatewayLimits,
  type ReasoningRequest,
  reasoningBudget,
} from './dialects/chat-completions/reasoning-budget.ts';
export { reasoningRules } from './dialects/chat-completions/reasoning-rules.ts';
export { type ChatToolMessage, toolMessages } from './dialects/chat-completions/tool-messages.ts';
