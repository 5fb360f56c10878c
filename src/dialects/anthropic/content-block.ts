import type { BlockRecord } from '../../core/block-record.ts';
import type { JsonObject } from '../../core/json-object.ts';
import type { BlockState, ToolCall } from '../../core/turn.ts';
import type { TurnWriter } from '../../core/turn-record.ts';
import { createCallContent } from './call-content.ts';
import { createOtherContent } from './other-content.ts';
import { createTextContent } from './text-content.ts';
import { createThinkingContent } from './thinking-content.ts';

/** Options that change what becomes of a block. */
export interface ContentOptions {
  /** What becomes of thinking that was never signed: left out of the entries, or kept, for servers that do not sign. */
  readonly unsignedThinking: 'drop' | 'keep';
}

/** What one content block is made of: how it grows, and what it is in the end. */
export interface BlockContent {
  /** Shows what the block held when it began. */
  begin(): void;
  /** Takes a delta, from an event of so many characters; false if nothing can be made of it. */
  grow(type: unknown, delta: JsonObject, length: number): boolean;
  /** Says that a delta could not even be read. */
  lose(): false;
  /** Writes what came into the native block, and says how it ended. Called once, if the block was not cut. */
  finish(): BlockState;
  /** The call, if this is one that may be executed; asked after `finish`. */
  readonly toolCall?: ToolCall | undefined;
  /** Shows and writes what came of a block that was cut; the input of a call stays as it began. */
  cut(): void;
}

/** What a content is made with. */
export interface ContentContext {
  readonly record: TurnWriter;
  readonly block: BlockRecord;
  /** The block in the provider's own shape: a copy of what it began with. */
  readonly native: JsonObject;
  /** Finds the source text of the block as it began; undefined where there is none. */
  sourceOf(): string | undefined;
  readonly options: ContentOptions;
}

/** Makes the content for a block by its type. */
export function createContent(context: ContentContext): BlockContent {
  switch (context.native['type']) {
    case 'text':
      return createTextContent(context);
    case 'thinking':
      return createThinkingContent(context);
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return createCallContent(context);
    default:
      return createOtherContent(context);
  }
}
