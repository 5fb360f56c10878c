import type { ToolResult } from '../core/tool-results.ts';
import type { AssembledTurn, ToolCall, Usage } from '../core/turn.ts';
import type { TurnEvent } from '../core/turn-event.ts';
import type { PrefixFinding } from '../replay/prefix-finding.ts';

/**
 * Why a loop is over.
 *
 * - `done`: the model answered without a call.
 * - `refused`: the provider would not go on; the turn is not in the transcript.
 * - `max_turns`: the model wanted more turns than there may be; its calls are answered.
 * - `interrupted`: a turn was not complete; what is safe of it is in the transcript.
 * - `aborted`: the caller stopped it; so it is here.
 */
export type LoopReason = 'done' | 'refused' | 'max_turns' | 'interrupted' | 'aborted';

/**
 * What happens in a loop: the events of its turns with their number, from 1, what its tools do, and in the end exactly
 * one `loop_stop`.
 */
export type LoopEvent<Entry = unknown> =
  | (TurnEvent<Entry> & { readonly turnNumber: number })
  | { readonly type: 'tool_start'; readonly turnNumber: number; readonly call: ToolCall }
  | {
      readonly type: 'tool_result';
      readonly turnNumber: number;
      readonly call: ToolCall;
      readonly result: ToolResult;
    }
  | {
      /** What the loop's guard finds: before the turn starts what its request changed, after it what the provider reports. */
      readonly type: 'prefix_finding';
      readonly turnNumber: number;
      readonly finding: PrefixFinding;
    }
  | {
      readonly type: 'loop_stop';
      readonly reason: LoopReason;
      /** How many turns there were. */
      readonly turns: number;
      /** The tokens of all of them. */
      readonly usage: Usage;
      /** The last one; undefined if the loop was stopped before there was any. */
      readonly turn?: AssembledTurn<Entry>;
    };
