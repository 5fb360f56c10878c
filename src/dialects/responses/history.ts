import type { HistoryCall, HistoryFormat } from '../../core/history.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { stringifyRequest } from '../../text/verbatim-json.ts';
import { readClientCall } from './client-call.ts';
import type { ResponsesEntry } from './entries.ts';
import { blockId, blockName, isClientCall } from './item-kind.ts';
import { type ResponsesToolOutput, toolOutputs } from './tool-outputs.ts';

/** What the user says, or the developer. */
export interface ResponsesInputMessage {
  type?: 'message';
  role: 'user' | 'system' | 'developer';
  /** A text, or a list of parts: texts, images, files. */
  content: string | { type: 'input_text'; text: string }[];
}

/** One item of a history, of any kind. */
export type ResponsesItem = ResponsesEntry | ResponsesToolOutput | ResponsesInputMessage;

/**
 * How a history of Responses items is written: the outputs of a turn's calls stand behind its items, in call order.
 *
 * @see https://platform.openai.com/docs/guides/conversation-state
 */
export const responsesHistory: HistoryFormat<ResponsesItem> = {
  user: (content) => ({ role: 'user', content: typeof content === 'string' ? content : ([...content] as never[]) }),
  answers(calls, results) {
    const entries = calls.map(({ native }) => native as ResponsesEntry);
    return toolOutputs({ entries, toolCalls: calls.filter(({ isExecutable }) => isExecutable) }, results);
  },
  // Only a screenshot answers a computer.
  takesError: ({ native }) => !isJsonObject(native) || native['type'] !== 'computer_call',
  roleOf(item) {
    const { role } = objectOf(item);
    if (role === 'user') return 'user';
    if (role === 'system' || role === 'developer') return 'other';
    return isClientOutput(objectOf(item)) ? 'results' : 'turn';
  },
  callsIn: (items) => items.map(objectOf).filter(isClientCall).map(callOf),
  answersIn(item) {
    const output = objectOf(item);
    return isClientOutput(output) ? [String(output['call_id'] ?? output['id'])] : [];
  },
  ofTexts: (texts) => texts.map(({ native }) => nameless(native as ResponsesItem)),
  mayDropReasoning: () => true,
  withoutReasoning,
  forAnotherModel: withoutReasoning,
  rememberInputs() {},
};

/** Outputs that come from the client; of those that the service makes, too, it gives its own an id. */
function isClientOutput({ type, id, execution }: JsonObject): boolean {
  if (type === 'shell_call_output') return id === undefined;
  if (type === 'tool_search_output') return execution === 'client';
  return clientOutputs.has(type);
}

const clientOutputs = new Set<unknown>([
  'function_call_output',
  'custom_tool_call_output',
  'local_shell_call_output',
  'computer_call_output',
  'apply_patch_call_output',
]);

function withoutReasoning(items: readonly ResponsesItem[]): readonly ResponsesItem[] {
  if (!items.some(({ type }) => type === 'reasoning')) return items;
  const kept = items.filter(({ type }) => type !== 'reasoning');
  return kept.map(nameless);
}

/** Items that the service takes without their id. */
const takenWithoutId = new Set<unknown>([
  'message',
  'function_call',
  'custom_tool_call',
  'apply_patch_call',
  'shell_call',
  'tool_search_call',
]);

/**
 * Without its reasoning an item cannot be named by the id under which the service keeps the two together, so it goes
 * without id; a message without the status, too, that only one with an id has.
 */
function nameless(item: ResponsesItem): ResponsesItem {
  const { id, status, ...rest } = objectOf(item);
  const { type, call_id: callId } = rest;
  if (!takenWithoutId.has(type) || (type !== 'message' && callId === undefined)) return item;
  const keepsStatus = type !== 'message' && status !== undefined;
  if (id === undefined && (status === undefined || keepsStatus)) return item;
  return { ...rest, ...(keepsStatus && { status }) } as unknown as ResponsesItem;
}

function callOf(native: JsonObject): HistoryCall {
  const id = blockId(native, 'tool_call') ?? '';
  // What is in a history was within the limits when it came.
  const { toolCall, inputText } = readClientCall(native, id, stringifyRequest(native), Number.POSITIVE_INFINITY);
  const named = { id, name: blockName(native, 'tool_call') ?? '', input: undefined, inputText };
  return { ...named, ...toolCall, isExecutable: toolCall !== undefined, native };
}

function objectOf(item: ResponsesItem): JsonObject {
  return isJsonObject(item) ? item : {};
}
