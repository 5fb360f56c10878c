export type { BlockHead, BlockRecord, ExtraEvent } from './core/block-record.ts';
export type { ConfigurableDialect, Dialect, StreamEnd, TurnAssembler } from './core/dialect.ts';
export {
  HttpStatusError,
  IdleTimeoutError,
  LimitExceededError,
  NotEventStreamError,
  TransportError,
  type TurnError,
  WireFormatError,
} from './core/errors.ts';
export type { Finding } from './core/finding.ts';
export type { HistoryCall, HistoryFormat, HistoryRole } from './core/history.ts';
export type { JsonObject } from './core/json-object.ts';
export { defaultLimits, type Limits } from './core/limits.ts';
export { ProviderError, type ProviderErrorDetails } from './core/provider-error.ts';
export type { Found, HistoryRule, RequestContext } from './core/request-rule.ts';
export type { SseMessage } from './core/sse-message.ts';
export type {
  AssembledBlock,
  AssembledTurn,
  BlockKind,
  BlockState,
  FinishedBlock,
  Repair,
  RepairCode,
  ToolCall,
  TurnStatus,
  Usage,
  Warning,
  WarningCode,
} from './core/turn.ts';
export type { TurnEnd } from './core/turn-end.ts';
export type { TurnEvent, UiError, UiEvent } from './core/turn-event.ts';
export { TurnInterruptedError } from './core/turn-interrupted-error.ts';
export type { TurnRecord, TurnWriter } from './core/turn-record.ts';
export type { TurnOptions } from './core/turn-stage.ts';
export { type ErrorCode, WholeturnError } from './core/wholeturn-error.ts';
export type { LoopEvent, LoopReason } from './loop/loop-event.ts';
export type { ApprovalVerdict, Approve } from './loop/run-call.ts';
export type { SchemaIssue, SchemaResult, StandardSchema, Tool, ToolContext, ToolFunction, Tools } from './loop/tool.ts';
export { type SendContext, type ToolLoopOptions, toolLoop } from './loop/tool-loop.ts';
export { type CarryCost, type CarryPrices, carryCost } from './replay/carry-cost.ts';
export { type CheckRequestOptions, checkRequest } from './replay/check-request.ts';
export { parseTranscript } from './replay/parse-transcript.ts';
export { type SealedTurn, type SealOptions, type SealPolicy, seal } from './replay/seal.ts';
export {
  type CommitOptions,
  type CommitReport,
  createTranscript,
  type Transcript,
  type TranscriptOptions,
  type Travel,
} from './replay/transcript.ts';
export { type AssembleTurnOptions, assembleTurn, type TurnSource } from './rx/assemble-turn.ts';
export type { BlockView } from './rx/block-draft.ts';
export type { ChunkSource } from './rx/chunk-source.ts';
export type { TurnChunk } from './rx/chunk-stage.ts';
export { finishedBlocks } from './rx/finished-blocks.ts';
export { type FromResponseOptions, fromResponse, type ResponseLike, type ResponseSource } from './rx/from-response.ts';
export { type SseMessagesOptions, sseMessages } from './rx/sse-messages.ts';
export type { Turn } from './rx/turn.ts';
export { turnEvents } from './rx/turn-events.ts';
export { type TurnViewOptions, turnView } from './rx/turn-view.ts';
export { type UiEventsOptions, uiEvents } from './rx/ui-events.ts';
export type { TurnView } from './rx/view-builder.ts';
export { stringifyRequest } from './text/verbatim-json.ts';
