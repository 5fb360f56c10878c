import { isJsonObject, type JsonObject } from '../../src/core/json-object.ts';
import { type Block, type Message, unmarked } from '../messages.ts';
import { rawElements, rawMembers } from '../raw-json.ts';
import { callIds } from '../tool-pairs.ts';

/** Whether a value has the shape of a message. */
export function isMessage(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { role, content } = value;
  if (role === 'assistant') return (isNone(content) || isContent(content)) && hasLists(value);
  if (role === 'tool') return typeof value['tool_call_id'] === 'string' && typeof content === 'string';
  return typeof role === 'string' && ['system', 'developer', 'user'].includes(role) && isContent(content);
}

/**
 * Reads messages from their JSON texts as a gateway does that has the model of another wire behind it: the details
 * become thinking blocks, content a text block, calls `tool_use` blocks, consecutive tool messages one user message.
 */
export function readMessages(sources: readonly string[]): Message[] {
  const messages: Message[] = [];
  let results: Block[] | undefined;
  for (const [index, source] of sources.entries()) {
    const { role, ...message }: JsonObject = JSON.parse(source);
    if (role !== 'tool') {
      results = undefined;
      const content = role === 'assistant' ? answerBlocks(source) : contentBlocks(source);
      messages.push({ path: `messages.${index}`, role: String(role), content });
      continue;
    }
    if (!results) {
      results = [];
      messages.push({ path: 'messages', role: 'user', content: results });
    }
    const value = { type: 'tool_result', tool_use_id: message['tool_call_id'], content: message['content'] };
    results.push({ value, source, place: String(index), type: 'tool' });
  }
  return messages;
}

/** The blocks of an assistant message, in the order in which a gateway has to give them to the model. */
export function answerBlocks(source: string): Block[] {
  const members = rawMembers(source);
  const details = elements(members.get('reasoning_details')).map(detailBlock);
  const calls = elements(members.get('tool_calls')).map(callBlock);
  return [
    ...details,
    ...reasoningBlocks(members.get('reasoning'), details.length > 0),
    ...contentBlocks(source),
    ...calls,
  ];
}

/** Says what a gateway itself does not accept; null if there is nothing of that. */
export function findMisuse(messages: readonly Message[]): string | null {
  for (const [index, message] of messages.entries()) {
    const problem = findEmptySeal(message) ?? findStrayResult(message, messages[index - 1]);
    if (problem !== null) return problem;
  }
  const results = new Set(messages.flatMap(({ content }) => content.map(({ value }) => value['tool_use_id'])));
  const unanswered = messages.flatMap(callIds).find((id) => !results.has(id));
  return unanswered === undefined ? null : `No tool output found for function call ${unanswered}.`;
}

function detailBlock(source: string, index: number): Block {
  const { type, ...detail }: JsonObject = JSON.parse(source);
  return { value: thinkingOf(String(type), detail), source, place: `reasoning_details.${index}`, type: String(type) };
}

/** What is not known about a detail is compared like the rest of it. */
function thinkingOf(type: string, { text = '', signature = '', ...rest }: JsonObject): JsonObject {
  if (type === 'reasoning.text') return { type: 'thinking', thinking: text, signature, ...rest };
  return { ...rest, type: type === 'reasoning.encrypted' ? 'redacted_thinking' : type };
}

/** Beside the details the string may be left out; without them it is thinking that nobody signed. */
function reasoningBlocks(source: string | undefined, hasDetails: boolean): Block[] {
  if (source === undefined || source === 'null' || source === '""') return [];
  const text: unknown = JSON.parse(source);
  const value = hasDetails ? { type: 'reasoning', text } : { type: 'thinking', thinking: text, signature: '' };
  return [{ value, source, place: 'reasoning', type: 'reasoning', isOptional: hasDetails }];
}

function contentBlocks(source: string): Block[] {
  const content = rawMembers(source).get('content') ?? 'null';
  if (content === 'null' || content === '""') return [];
  if (content.startsWith('[')) {
    return rawElements(content).map((part, index) => {
      const value: JsonObject = unmarked(JSON.parse(part));
      return { value, source: part, place: `content.${index}`, type: String(value['type']) };
    });
  }
  return [{ value: { type: 'text', text: JSON.parse(content) }, source: content, place: 'content', type: 'content' }];
}

/** The arguments stay the string that they are, and are compared as one. */
function callBlock(source: string, index: number): Block {
  const { function: called, type, ...call }: JsonObject = JSON.parse(source);
  const { arguments: input, ...rest }: JsonObject = isJsonObject(called) ? called : {};
  const value = unmarked({ ...call, ...rest, type: 'tool_use', kind: type, input });
  return { value, source, place: `tool_calls.${index}`, type: String(type) };
}

/** Fragments of an encrypted entry, or one that lost what it is for. */
function findEmptySeal({ path, content }: Message): string | null {
  const empty = content.find(({ value }) => value['type'] === 'redacted_thinking' && typeof value['data'] !== 'string');
  return empty ? `${path}.${empty.place}.data: Invalid input: expected string, received undefined` : null;
}

function findStrayResult({ path, content }: Message, previous: Message | undefined): string | null {
  const result = content.find(({ value }) => value['type'] === 'tool_result');
  if (!result || callIds(previous).length > 0) return null;
  return `${path}.${result.place}: Messages with role 'tool' must be a response to a preceding message with 'tool_calls'`;
}

function elements(source: string | undefined): string[] {
  return source?.startsWith('[') ? rawElements(source) : [];
}

function hasLists({ reasoning, reasoning_details: details, tool_calls: calls }: JsonObject): boolean {
  return (
    (isNone(reasoning) || typeof reasoning === 'string') &&
    (isNone(details) || isList(details, isJsonObject)) &&
    (isNone(calls) || isList(calls, isCall))
  );
}

function isContent(value: unknown): boolean {
  return typeof value === 'string' || isList(value, isJsonObject);
}

function isCall(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { id, function: called } = value;
  return typeof id === 'string' && isJsonObject(called) && typeof called['arguments'] === 'string';
}

function isList(value: unknown, isElement: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isElement);
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null;
}
