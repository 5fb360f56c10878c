import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { inCallOrder, resultText, type ToolResult, withRefusals } from '../../core/tool-results.ts';
import type { AssembledTurn } from '../../core/turn.ts';
import type { ResponsesEntry } from './entries.ts';
import { blockId, isClientCall } from './item-kind.ts';

/** What came of one command of a shell call. */
export interface ShellOutput {
  stdout: string;
  stderr: string;
  outcome: { type: 'exit'; exit_code: number } | { type: 'timeout' };
}

/**
 * The output of one call as it goes back.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create#responses-create-input
 */
export type ResponsesToolOutput =
  | { type: 'function_call_output' | 'custom_tool_call_output'; call_id: string; output: string }
  | { type: 'local_shell_call_output'; id: string; output: string }
  | { type: 'shell_call_output'; call_id: string; output: ShellOutput[] }
  | { type: 'apply_patch_call_output'; call_id: string; status: 'completed' | 'failed'; output: string }
  | { type: 'computer_call_output'; call_id: string; output: { type: 'computer_screenshot'; image_url?: string } }
  | { type: 'tool_search_output'; call_id: string; execution: 'client'; status: 'completed'; tools: never[] };

/**
 * The results of a turn as items: one for each call that the client runs, in the order of the calls, to be sent behind
 * the turn's own items.
 *
 * A call whose arguments were no JSON object goes back too, so it is answered: with an error, if it has no result. Only
 * shell and patch calls have a mark for what failed; elsewhere say it in the content. The content is
 *
 * - for functions and custom tools a text, anything that is JSON, or a list of `input_text`, `input_image` and
 *   `input_file` parts;
 * - for a shell call a text, or the list of its commands' {@link ShellOutput}s;
 * - for a computer call the object `{type: 'computer_screenshot', …}`, for a tool search the list of tools, which is
 *   empty for one that failed.
 *
 * @example
 * ```ts
 * const assembled = await turn.finalTurn();
 * const results = await Promise.all(assembled.toolCalls.map(async (call) => ({ id: call.id, content: await run(call) })));
 * input.push(...assembled.entries, ...toolOutputs(assembled, results));
 * ```
 *
 * @throws TypeError if a call has no result, or two, or a result no call; or if a content does not fit its call.
 */
export function toolOutputs(
  turn: Pick<AssembledTurn<ResponsesEntry>, 'entries' | 'toolCalls'>,
  results: readonly ToolResult[],
): ResponsesToolOutput[] {
  const executable = new Set(turn.toolCalls.map(({ id }) => id));
  const items = new Map(clientCallsIn(turn.entries));
  const calls = [...items.keys()].map((id) => ({ id, isExecutable: executable.has(id) }));
  return inCallOrder(calls, withRefusals(calls, results)).map((result) => {
    const { type, caller } = items.get(result.id) ?? {};
    const output = outputOf(String(type), result);
    // A program of the model's waits for this output: it is told by whom it was called.
    return isJsonObject(caller) && caller['type'] === 'program' ? { ...output, caller } : output;
  });
}

/** The calls that the client runs, by the ids that their outputs name. */
function clientCallsIn(entries: readonly ResponsesEntry[]): [id: string, item: JsonObject][] {
  const calls = entries.map((entry): JsonObject => ({ ...entry })).filter(isClientCall);
  return calls.map((item) => [blockId(item, 'tool_call') ?? '', item]);
}

function outputOf(callType: string, result: ToolResult): ResponsesToolOutput {
  const { id: call_id, content, isError = false } = result;
  switch (callType) {
    case 'local_shell_call':
      return { type: 'local_shell_call_output', id: call_id, output: resultText(result) };
    case 'shell_call':
      return { type: 'shell_call_output', call_id, output: shellOutputs(result) };
    case 'apply_patch_call': {
      const status = isError ? 'failed' : 'completed';
      return { type: 'apply_patch_call_output', call_id, status, output: resultText(result) };
    }
    case 'computer_call':
      if (!isJsonObject(content)) throw misfit(result, 'a computer call', "{type: 'computer_screenshot', …}");
      return { type: 'computer_call_output', call_id, output: content as { type: 'computer_screenshot' } };
    case 'tool_search_call':
      // One that failed found nothing.
      if (isError && !Array.isArray(content)) return outputOf(callType, { id: call_id, content: [] });
      if (!Array.isArray(content)) throw misfit(result, 'a tool search', 'the list of the tools that were found');
      return {
        type: 'tool_search_output',
        call_id,
        execution: 'client',
        status: 'completed',
        tools: content as never[],
      };
    default: {
      const type = callType === 'custom_tool_call' ? 'custom_tool_call_output' : 'function_call_output';
      // The service takes a list of parts as it is, where the type only says text.
      return { type, call_id, output: areParts(content) ? (content as never) : resultText(result) };
    }
  }
}

function shellOutputs(result: ToolResult): ShellOutput[] {
  if (Array.isArray(result.content)) return result.content as ShellOutput[];
  const outcome = { type: 'exit', exit_code: result.isError ? 1 : 0 } as const;
  return [{ stdout: resultText(result), stderr: '', outcome }];
}

function areParts(content: unknown): boolean {
  const isPart = (part: unknown): boolean => isJsonObject(part) && /^input_/.test(String(part['type']));
  return Array.isArray(content) && content.length > 0 && content.every(isPart);
}

function misfit({ id }: ToolResult, call: string, wanted: string): TypeError {
  return new TypeError(`The result of the call ${id}, ${call}, must have as content ${wanted}.`);
}
