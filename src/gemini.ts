export type { ToolResult } from './core/tool-results.ts';
export type { GeminiEntry, GeminiPart } from './dialects/gemini/entries.ts';
export { functionResponses, type GeminiFunctionResponses } from './dialects/gemini/function-responses.ts';
export { type GeminiOptions, gemini } from './dialects/gemini/gemini.ts';
export type { GeminiContent, GeminiUserContent } from './dialects/gemini/history.ts';
