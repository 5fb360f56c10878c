import { bindsPrefix } from '../../core/bound-models.ts';
import { mintCallId } from '../../core/call-id.ts';
import type { HistoryCall, HistoryFormat } from '../../core/history.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { parseObject } from '../../text/parse-object.ts';
import type { ChatCompletionsEntry } from './entries.ts';
import { reasoningFamily } from './families.ts';
import { type ChatToolMessage, toolMessages } from './tool-messages.ts';

/** What the user says. */
export interface ChatUserMessage {
  role: 'user';
  /** A text, or a list of parts: texts, images, … */
  content: string | { type: 'text'; text: string }[];
}

/** One message of a history that is not an answer: system, developer. */
export interface ChatInstruction {
  role: 'system' | 'developer';
  content: string;
}

/** The result of a call in the form that was before `tool_calls`: it names the function, for the call has no id. */
export interface ChatFunctionMessage {
  role: 'function';
  name: string;
  content: string;
}

/** One message of a history, of any role. */
export type ChatMessage =
  | ChatCompletionsEntry
  | ChatToolMessage
  | ChatFunctionMessage
  | ChatUserMessage
  | ChatInstruction;

/** Fields that hold reasoning, or what is sealed. */
const reasoningFields = ['reasoning', 'reasoning_content', 'reasoning_text', 'reasoning_opaque', 'reasoning_details'];

/**
 * How a history of chat messages is written: the results of a turn are one `tool` message each, directly behind it.
 *
 * @see https://platform.openai.com/docs/guides/function-calling
 */
export const chatHistory: HistoryFormat<ChatMessage> = {
  user: (content) => ({ role: 'user', content: typeof content === 'string' ? content : ([...content] as never[]) }),
  answers(calls, results) {
    const legacy = new Map(calls.filter(({ native }) => isLegacy(native)).map(({ id, name }) => [id, name]));
    return toolMessages(calls, results).map(({ role, tool_call_id: id, content }) => {
      const name = legacy.get(id);
      return name === undefined ? { role, tool_call_id: id, content } : { role: 'function', name, content };
    });
  },
  roleOf({ role }) {
    if (role === 'assistant') return 'turn';
    if (role === 'tool' || role === 'function') return 'results';
    return role === 'user' ? 'user' : 'other';
  },
  callsIn: (messages) => messages.flatMap((message) => [...callsOf(message), ...legacyCallOf(message)].map(callOf)),
  answersIn(message) {
    if (message.role === 'function') return [undefined];
    return message.role === 'tool' ? [message.tool_call_id] : [];
  },
  ofTexts(texts) {
    const content = texts.map(({ text }) => text).join('');
    return content.trim() === '' ? [] : [{ role: 'assistant', content }];
  },
  mayDropReasoning: (model) => reasoningFamily(model).afterClose !== 'must' && !bindsPrefix(model),
  withoutReasoning: (messages) => messages.map((message) => without(message, reasoningFields)),
  forAnotherModel: (messages) =>
    messages.map((message) => withoutSeals(without(message, [...reasoningFields, 'extra_content']))),
  rememberInputs() {},
};

/** A message without some fields, and without thinking in its content (Mistral); the same if it has none of them. */
function without(message: ChatMessage, names: readonly string[]): ChatMessage {
  if (message.role !== 'assistant') return message;
  const fields = Object.entries(message).filter(([name]) => !names.includes(name));
  const content: unknown = message.content;
  const isList = Array.isArray(content);
  const kept = isList ? (content as readonly unknown[]).filter((part) => !isThinking(part)) : [];
  if (fields.length === Object.keys(message).length && (!isList || kept.length === content.length)) return message;
  const rest: JsonObject = { ...Object.fromEntries(fields), ...(isList && { content: kept.length > 0 ? kept : null }) };
  return rest as unknown as ChatMessage;
}

/** Gemini behind a compatible gateway seals its calls. */
function withoutSeals(message: ChatMessage): ChatMessage {
  const calls = callsOf(message);
  if (!calls.some((call) => 'extra_content' in call)) return message;
  const plain = calls.map(({ extra_content: _sealed, ...call }) => call);
  return { ...message, tool_calls: plain } as unknown as ChatMessage;
}

function isThinking(part: unknown): boolean {
  return isJsonObject(part) && part['type'] === 'thinking';
}

function callsOf(message: ChatMessage): readonly JsonObject[] {
  const calls: unknown = message.role === 'assistant' ? message.tool_calls : undefined;
  return Array.isArray(calls) ? calls.filter(isJsonObject) : [];
}

/** A call in the form that was before `tool_calls`, unless it only mirrors one of those. */
function legacyCallOf(message: ChatMessage): readonly JsonObject[] {
  const call: unknown = message.role === 'assistant' ? message.function_call : undefined;
  return isJsonObject(call) && callsOf(message).length === 0 ? [call] : [];
}

/** Whether a call has its name and arguments in it, and not a level deeper. */
function isLegacy(native: unknown): boolean {
  return isJsonObject(native) && !isJsonObject(native['function']) && typeof native['name'] === 'string';
}

function callOf(native: JsonObject): HistoryCall {
  const { id, function: called, custom } = native;
  const { name, ...given } = isLegacy(native) ? native : isJsonObject(custom) ? custom : objectOf(called);
  const text = String(given['input'] ?? given['arguments'] ?? '');
  const call = { id: isLegacy(native) ? mintCallId(null, 0) : String(id), name: String(name), native };
  if (isJsonObject(custom)) return { ...call, input: text, inputText: text, isExecutable: true };
  const inputText = text.trim() === '' ? '{}' : text;
  const input = parseObject(inputText);
  const isExecutable = input !== undefined && !Object.hasOwn(input, 'INVALID_JSON');
  return { ...call, input, inputText, isExecutable };
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
