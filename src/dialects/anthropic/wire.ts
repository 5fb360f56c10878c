import type { BlockKind } from '../../core/turn.ts';

/**
 * What a block is for a reader.
 *
 * @see https://docs.anthropic.com/en/api/messages#response-content
 */
export function kindOf(type: string): BlockKind {
  switch (type) {
    case 'text':
      return 'text';
    case 'thinking':
    case 'redacted_thinking':
      return 'reasoning';
    case 'tool_use':
      return 'tool_call';
    case 'server_tool_use':
    case 'mcp_tool_use':
      return 'server_tool_call';
    default:
      return type.endsWith('_tool_result') ? 'server_tool_result' : 'other';
  }
}

/**
 * Whether the end of a block on the wire leaves open if it is whole: the provider closes calls and reasoning that a
 * limit has cut just like others.
 */
export function needsConfirmation(kind: BlockKind): boolean {
  return kind === 'tool_call' || kind === 'server_tool_call' || kind === 'reasoning';
}

/** Stop reasons under which the last call or reasoning may be a part only. */
const cuttingReasons = new Set(['max_tokens', 'model_context_window_exceeded', 'refusal']);

/** Whether a stop reason cuts what came last. Unknown reasons do not. */
export function isCutting(stopReason: string | null): boolean {
  return stopReason !== null && cuttingReasons.has(stopReason);
}
