import type { HistoryCall, HistoryFormat } from '../../core/history.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
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

/** How deep the arguments in a history are read. */
const maxDepth = 512;

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
  ofTexts: (texts) => texts.map(({ native }) => withoutId(native as ResponsesEntry)),
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

/**
 * Without its reasoning an item cannot be named by the id under which the service keeps the two together, so it goes
 * without id.
 */
function withoutReasoning(items: readonly ResponsesItem[]): readonly ResponsesItem[] {
  if (!items.some(({ type }) => type === 'reasoning')) return items;
  const kept = items.filter(({ type }) => type !== 'reasoning');
  return kept.map(withoutId);
}

function withoutId<Item extends ResponsesItem>(item: Item): Item {
  const { id: _id, ...rest } = objectOf(item);
  return rest as unknown as Item;
}

function callOf(native: JsonObject): HistoryCall {
  const id = blockId(native, 'tool_call') ?? '';
  const { toolCall, inputText } = readClientCall(native, id, undefined, maxDepth);
  const named = { id, name: blockName(native, 'tool_call') ?? '', input: undefined, inputText };
  return { ...named, ...toolCall, isExecutable: toolCall !== undefined, native };
}

function objectOf(item: ResponsesItem): JsonObject {
  return isJsonObject(item) ? item : {};
}
