import type { ToolResult } from '../core/tool-results.ts';
import type { ToolCall } from '../core/turn.ts';
import { followSignal } from './follow-signal.ts';
import { checkedInput, findTool, type ToolContext, type Tools } from './tool.ts';

/** Decides about a call before it runs: true lets it, anything else is told to the model as the reason. */
export type Approve = (call: ToolCall, context: ToolContext) => ApprovalVerdict | Promise<ApprovalVerdict>;

/** Whether a call may run, or why it may not. */
export type ApprovalVerdict = boolean | { readonly reason: string };

/** What calls run with. */
export interface RunOptions {
  readonly tools: Tools;
  readonly approve?: Approve | undefined;
  /** Milliseconds that a tool may take, if it does not say so itself. */
  readonly toolTimeout?: number | undefined;
}

/** Runs one call. Whatever goes wrong is a result that says so; it never rejects. */
export async function runCall(
  call: ToolCall,
  { tools, approve, toolTimeout }: RunOptions,
  { signal, turnNumber }: Omit<ToolContext, 'call'>,
): Promise<ToolResult> {
  const tool = findTool(tools, call.name);
  if (!tool) return failed(call, `There is no tool ${call.name}. There are: ${Object.keys(tools).join(', ')}.`);
  const { controller: stop, release } = followSignal(signal);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const context: ToolContext = { call, signal: stop.signal, turnNumber };
  try {
    const verdict = approve ? await untilAborted(approve(call, context), stop.signal) : true;
    if (verdict !== true) return failed(call, reasonOf(verdict));
    const timeout = tool.timeout ?? toolTimeout;
    if (timeout !== undefined) timer = setTimeout(() => stop.abort(timeoutError(call, timeout)), timeout);
    const input = await untilAborted(checkedInput(tool, call.input), stop.signal);
    const content = await untilAborted(tool.run(input as never, context), stop.signal);
    return { id: call.id, content };
  } catch (cause) {
    return failed(call, cause instanceof Error ? cause.message : String(cause));
  } finally {
    clearTimeout(timer);
    release();
  }
}

function failed({ id }: ToolCall, content: string): ToolResult {
  return { id, content, isError: true };
}

function reasonOf(verdict: Exclude<ApprovalVerdict, true>): string {
  return typeof verdict === 'object' ? verdict.reason : 'The call was not approved.';
}

function timeoutError({ name }: ToolCall, timeout: number): Error {
  return new Error(`The tool ${name} took longer than ${timeout} ms and was stopped.`);
}

/** The value, or a rejection as soon as the signal says that nobody waits for it any more. */
function untilAborted<Value>(value: Value, signal: AbortSignal): Promise<Awaited<Value>> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error(stopped));
    // The value is followed in any case: if it fails when nobody waits for it any more, that is not for the process to hear.
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
    Promise.resolve(value)
      .finally(() => signal.removeEventListener('abort', onAbort))
      .then(resolve, reject);
  });
}

const stopped = 'The call was stopped before it was done.';
