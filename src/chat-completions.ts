export { type ChatCompletionsOptions, chatCompletions } from './dialects/chat-completions/chat-completions.ts';
export type { ChatCompletionsEntry, ChatToolCall } from './dialects/chat-completions/entries.ts';
