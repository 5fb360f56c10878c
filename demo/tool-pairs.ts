import type { Message } from './request.ts';

/**
 * Says what is wrong with the tool results of a request, in the provider's words; null if nothing is.
 *
 * All results of an assistant message stand in the one message that follows it, before any text, one for each call.
 */
export function findUnpaired(messages: readonly Message[]): string | null {
  for (const [index, message] of messages.entries()) {
    const problem = findWrongResult(messages, index) ?? findUnanswered(message, messages[index + 1], index);
    if (problem !== null) return problem;
  }
  return null;
}

function findWrongResult(messages: readonly Message[], index: number): string | null {
  const calls = callIds(messages[index - 1]);
  const seen = new Set<string>();
  for (const [place, { value }] of (messages[index]?.content ?? []).entries()) {
    if (value['type'] !== 'tool_result') continue;
    const id = String(value['tool_use_id']);
    const path = `messages.${index}.content.${place}`;
    if (!calls.includes(id)) return unexpected(path, id);
    if (seen.has(id)) return repeated(path, id);
    seen.add(id);
  }
  return null;
}

function findUnanswered(message: Message, next: Message | undefined, index: number): string | null {
  const answered = new Set(leadingResultIds(next));
  const open = callIds(message).filter((id) => !answered.has(id));
  if (open.length === 0) return null;
  return (
    `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
    `${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
  );
}

function callIds(message: Message | undefined): string[] {
  if (message?.role !== 'assistant') return [];
  return message.content.filter(({ value }) => value['type'] === 'tool_use').map(({ value }) => String(value['id']));
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
