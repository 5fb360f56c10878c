import { inCallOrder, resultText, type ToolResult } from '../../core/tool-results.ts';

/**
 * The result of one call as it goes back.
 *
 * @see https://platform.openai.com/docs/guides/function-calling
 */
export interface ChatToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

/**
 * The results of a turn as messages: one for each call, in the order of the calls, to be sent directly behind the
 * turn's own message with nothing between them.
 *
 * The wire has no mark for a tool that failed: say it in the content.
 *
 * @param calls The calls of the turn, also those whose input was invalid.
 *
 * @example
 * ```ts
 * const { entries, toolCalls } = await turn.finalTurn();
 * const results = await Promise.all(toolCalls.map(async (call) => ({ id: call.id, content: await run(call) })));
 * messages.push(...entries, ...toolMessages(toolCalls, results));
 * ```
 *
 * @throws TypeError if a call has no result, or two, or a result no call.
 */
export function toolMessages(
  calls: readonly { readonly id: string }[],
  results: readonly ToolResult[],
): ChatToolMessage[] {
  return inCallOrder(calls, results).map((result) => ({
    role: 'tool',
    tool_call_id: result.id,
    content: resultText(result),
  }));
}
