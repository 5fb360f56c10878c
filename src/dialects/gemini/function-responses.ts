import type { HistoryCall } from '../../core/history.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { inCallOrder, type ToolResult, withRefusals } from '../../core/tool-results.ts';
import type { AssembledTurn } from '../../core/turn.ts';
import { isText } from './wire.ts';

/**
 * The results of a turn's calls as one content.
 *
 * @see https://ai.google.dev/gemini-api/docs/function-calling
 */
export interface GeminiFunctionResponses {
  role: 'user';
  parts: { functionResponse: { id?: string; name: string; response: JsonObject } }[];
}

/**
 * The results of a turn as one content, in the order of the calls, to be sent directly behind the turn's own content:
 * the provider pairs them by their place, and by the call's id where it gave one.
 *
 * A result that is an object goes back as it is, any other under `output`, and what a failed tool says under `error`. A
 * call with invalid arguments goes back too, so it is answered: with an error, if it has no result.
 *
 * @param turn The complete turn.
 * @param results One for each of `turn.toolCalls`.
 *
 * @example
 * ```ts
 * const final = await turn.finalTurn();
 * const results = await Promise.all(final.toolCalls.map(async (call) => ({ id: call.id, content: await run(call) })));
 * contents.push(...final.entries, functionResponses(final, results));
 * ```
 *
 * @throws TypeError if a call has no result, or two, or a result no call; if the turn has no call; and for what has no
 *   JSON.
 * @see https://ai.google.dev/api/caching#FunctionResponse
 */
export function functionResponses(
  turn: Pick<AssembledTurn, 'status' | 'blocks' | 'toolCalls'>,
  results: readonly ToolResult[],
): GeminiFunctionResponses {
  return contentOfResponses(callsOf(turn), results);
}

/** A call that is answered: with its wire form, which may have an id. */
type AnsweredCall = Pick<HistoryCall, 'id' | 'name' | 'isExecutable' | 'native'>;

/** The results of calls as one content. */
export function contentOfResponses(
  calls: readonly AnsweredCall[],
  results: readonly ToolResult[],
): GeminiFunctionResponses {
  const callById = new Map(calls.map((call) => [call.id, call]));
  const parts = inCallOrder(calls, withRefusals(calls, results)).map((result) => {
    const { name = '', native } = callById.get(result.id) ?? {};
    const id = isJsonObject(native) ? native['id'] : undefined;
    return { functionResponse: { ...(isText(id) && { id }), name, response: responseOf(result) } };
  });
  if (parts.length === 0)
    throw new TypeError('This turn has no call to answer, and a content without parts is refused.');
  return { role: 'user', parts };
}

function callsOf({
  status,
  blocks,
  toolCalls,
}: Pick<AssembledTurn, 'status' | 'blocks' | 'toolCalls'>): AnsweredCall[] {
  const executable = new Set(toolCalls.map(({ id }) => id));
  return blocks.flatMap(({ id, name, state, native: part }) => {
    if (id === undefined || name === undefined) return [];
    const isExecutable = executable.has(id);
    const isInvalid = status === 'complete' && state === 'invalid';
    const native = isJsonObject(part) ? part['functionCall'] : undefined;
    return isExecutable || isInvalid ? { id, name, native, isExecutable } : [];
  });
}

function responseOf({ id, content, isError }: ToolResult): JsonObject {
  const value = content instanceof Error ? String(content) : (content ?? null);
  if (JSON.stringify(value) === undefined) {
    throw new TypeError(`The result of the call ${id} is a ${typeof value}, which has no JSON`);
  }
  if (isError) return { error: value };
  return isPlain(value) ? value : { output: value };
}

/** Whether a value is an object that JSON writes with its members: no list, no date, no instance of a class. */
function isPlain(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
