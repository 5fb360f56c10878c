export type { ToolResult } from './core/tool-results.ts';
export {
  type ContinuationById,
  type ContinuationByItems,
  type ContinueOptions,
  continueResponse,
} from './dialects/responses/continue-response.ts';
export type {
  ResponsesCustomToolCall,
  ResponsesEntry,
  ResponsesFunctionCall,
  ResponsesMessage,
  ResponsesMessagePart,
  ResponsesReasoning,
} from './dialects/responses/entries.ts';
export type { ResponsesInputMessage, ResponsesItem } from './dialects/responses/history.ts';
export { type ResponsesOptions, responses } from './dialects/responses/responses.ts';
export { type ResponsesToolOutput, type ShellOutput, toolOutputs } from './dialects/responses/tool-outputs.ts';
