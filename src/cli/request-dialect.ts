import type { Dialect } from '../core/dialect.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import { anthropic } from '../dialects/anthropic/anthropic.ts';
import { chatCompletions } from '../dialects/chat-completions/chat-completions.ts';
import { gemini } from '../dialects/gemini/gemini.ts';
import { responses } from '../dialects/responses/responses.ts';

/** Parameters that only Anthropic's requests have. */
const ofAnthropic = [
  'system',
  'anthropic_version',
  'anthropic_beta',
  'output_config',
  'context_management',
  'stop_sequences',
];

/** Parameters that only chat requests have. */
const ofChat = [
  'stream_options',
  'reasoning',
  'reasoning_effort',
  'max_completion_tokens',
  'response_format',
  'n',
  'seed',
];

/**
 * Finds out in which dialect a request is: by the parameter that holds its history, and where that is `messages`, by
 * what else only one of the two dialects has.
 *
 * @returns undefined for what is no request of any.
 */
export function requestDialect(body: JsonObject): Dialect | undefined {
  if ('contents' in body) return gemini;
  if ('messages' in body) return isChat(body) ? chatCompletions : anthropic;
  return 'input' in body || 'previous_response_id' in body ? responses : undefined;
}

function isChat(body: JsonObject): boolean {
  const messages = objectsOf(body['messages']);
  if (messages.some(({ role, tool_calls: calls }) => calls !== undefined || isChatRole(role))) return true;
  const blocks = messages.flatMap(({ content }) => objectsOf(content));
  if (blocks.some(({ type }) => isBlockType(type))) return false;
  const tools = objectsOf(body['tools']);
  if (tools.some((tool) => 'function' in tool)) return true;
  if (tools.some((tool) => 'input_schema' in tool) || isJsonObject(body['tool_choice'])) {
    return isJsonObject(body['tool_choice']) && 'function' in body['tool_choice'];
  }
  if (ofChat.some((name) => name in body)) return true;
  if (ofAnthropic.some((name) => name in body)) return false;
  // A gateway, which speaks chat, writes the vendor before the model.
  return !/^(?:[\w-]+\.)*(?:anthropic\.)?claude/.test(String(body['model']));
}

function isChatRole(role: unknown): boolean {
  return role === 'tool' || role === 'developer' || role === 'system' || role === 'function';
}

function isBlockType(type: unknown): boolean {
  return /^(?:thinking|redacted_thinking|\w*tool_use|\w*tool_result|image|document|compaction)$/.test(String(type));
}

function objectsOf(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
