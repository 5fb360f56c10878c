import type { Message } from './messages.ts';

/**
 * Says what is wrong with the tool results of a request, in the words of the model's service; null if nothing is.
 *
 * All results of an assistant message stand in the one message that follows it, before any text, one for each call.
 */
export function findUnpaired(messages: readonly Message[]): string | null {
  for (const [index, message] of messages.entries()) {
    const problem = findWrongResult(message, messages[index - 1]) ?? findUnanswered(message, messages[index + 1]);
    if (problem !== null) return problem;
  }
  return null;
}

/** The ids of the calls in an assistant message. */
export function callIds(message: Message | undefined): string[] {
  if (message?.role !== 'assistant') return [];
  return message.content.filter(({ value }) => value['type'] === 'tool_use').map(({ value }) => String(value['id']));
}

function findWrongResult({ path: messagePath, content }: Message, previous: Message | undefined): string | null {
  const calls = callIds(previous);
  const seen = new Set<string>();
  for (const { value, place } of content) {
    if (value['type'] !== 'tool_result') continue;
    const id = String(value['tool_use_id']);
    const path = `${messagePath}.${place}`;
    if (!calls.includes(id)) return unexpected(path, id);
    if (seen.has(id)) return repeated(path, id);
    seen.add(id);
  }
  return null;
}

function findUnanswered(message: Message, next: Message | undefined): string | null {
  const answered = new Set(leadingResultIds(next));
  const open = callIds(message).filter((id) => !answered.has(id));
  if (open.length === 0) return null;
  return (
    `${message.path}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
    `${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
  );
}

function leadingResultIds(message: Message | undefined): string[] {
  if (message?.role !== 'user') return [];
  const end = message.content.findIndex(({ value }) => value['type'] !== 'tool_result');
  const results = end < 0 ? message.content : message.content.slice(0, end);
  return results.map(({ value }) => String(value['tool_use_id']));
}

function unexpected(path: string, id: string): string {
  return (
    `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
    'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
  );
}

function repeated(path: string, id: string): string {
  return `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;
}
