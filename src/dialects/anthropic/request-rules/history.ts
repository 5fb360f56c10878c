import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';

/** One content block of a request, and where it stands. */
export interface PlacedBlock {
  /** Such as `messages[1].content[0]`; a text that stands for a whole content has the path of that. */
  readonly path: string;
  /** Its type; empty where it has none. */
  readonly type: string;
  readonly native: JsonObject;
}

/** One message of a request, and where it stands. */
export interface PlacedMessage {
  readonly path: string;
  readonly role: unknown;
  readonly native: JsonObject;
  /** Its content, a plain text as the one text block that it is short for. */
  readonly blocks: readonly PlacedBlock[];
}

/** The messages of a request in order; what is no message is left out. */
export function messagesOf({ messages }: JsonObject): readonly PlacedMessage[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((native: unknown, index) =>
    isJsonObject(native)
      ? { path: `messages[${index}]`, role: native['role'], native, blocks: blocksOf(native, index) }
      : [],
  );
}

function blocksOf({ content }: JsonObject, index: number): readonly PlacedBlock[] {
  const path = `messages[${index}].content`;
  return typeof content === 'string'
    ? [{ path, type: 'text', native: { type: 'text', text: content } }]
    : placedBlocks(content, path);
}

/** The blocks of a list, such as that of `system` or of a tool's result; none where it is no list. */
export function placedBlocks(content: unknown, path: string): readonly PlacedBlock[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((native: unknown, index) =>
    isJsonObject(native) ? { path: `${path}[${index}]`, type: textOf(native['type']), native } : [],
  );
}

/** The blocks of all assistant messages, or of all user messages, in order. */
export function blocksBy(role: 'assistant' | 'user', body: JsonObject): readonly PlacedBlock[] {
  return messagesOf(body).flatMap((message) => (message.role === role ? message.blocks : []));
}

/** Assistant messages in a row and the user messages behind them; the service reads each row as one message. */
export interface Exchange {
  readonly assistant: readonly PlacedMessage[];
  readonly user: readonly PlacedMessage[];
}

/** The exchanges of a request in order; what stands before the first answer is one without an answer. */
export function exchangesOf(body: JsonObject): readonly Exchange[] {
  let exchange: { assistant: PlacedMessage[]; user: PlacedMessage[] } = { assistant: [], user: [] };
  const exchanges = [exchange];
  for (const message of messagesOf(body)) {
    if (message.role === 'assistant' && exchange.user.length > 0) {
      exchange = { assistant: [], user: [] };
      exchanges.push(exchange);
    }
    if (message.role === 'assistant') exchange.assistant.push(message);
    if (message.role === 'user') exchange.user.push(message);
  }
  return exchanges;
}

/**
 * The assistant messages of the tool cycle that the request goes on with, from the first behind the user's last word;
 * none where no cycle is open.
 */
export function openCycle(body: JsonObject): readonly PlacedMessage[] {
  const messages = messagesOf(body);
  const last = messages.at(-1);
  const isOpen = last?.role === 'user' ? hasResult(last) : last?.role === 'assistant' && last.blocks.some(isToolBlock);
  if (!isOpen) return [];
  const start = messages.findLastIndex((message) => message.role === 'user' && !hasResult(message));
  return messages.slice(start + 1).filter(({ role }) => role === 'assistant');
}

function hasResult({ blocks }: PlacedMessage): boolean {
  return blocks.some(({ type }) => type === 'tool_result');
}

function isToolBlock({ type }: PlacedBlock): boolean {
  return type === 'tool_use' || isServerCall(type) || isServerResult(type);
}

/** Thinking, readable or withheld. */
export function isThinking({ type }: PlacedBlock): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

/** The type of a call that the service runs itself. */
export function isServerCall(type: string): boolean {
  return type === 'server_tool_use' || type === 'mcp_tool_use';
}

/** The type of the result of such a call. */
export function isServerResult(type: string): boolean {
  return type.endsWith('_tool_result');
}

/** The id of a call or of the call that a result is for; empty where there is none. */
export function idOf({ native }: PlacedBlock): string {
  return textOf(native['id'] ?? native['tool_use_id']);
}

/** A value if it is text, else "". */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
