import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages';
import { bindsPrefix } from '../../core/bound-models.ts';
import type { HistoryCall, HistoryFormat } from '../../core/history.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { inCallOrder, resultText, type ToolResult } from '../../core/tool-results.ts';
import { rememberAt } from '../../text/remember-at.ts';
import { stringifyRequest } from '../../text/verbatim-json.ts';

/** One message of a history, of any role: an element of the official SDK's `messages`. */
export type AnthropicMessage = MessageParam;

/** Parts that a tool's result may consist of. */
const resultParts = new Set(['text', 'image', 'document', 'search_result', 'tool_reference']);

/**
 * How a history of Anthropic messages is written.
 *
 * All results of a turn stand in one user message, before any text.
 *
 * @see https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use
 */
export const anthropicHistory: HistoryFormat<AnthropicMessage> = {
  user: (content) => ({ role: 'user', content: typeof content === 'string' ? content : blocksOf([...content]) }),
  answers(calls, results) {
    const content = inCallOrder(calls, results).map((result) => ({
      type: 'tool_result' as const,
      tool_use_id: result.id,
      content: resultContent(result),
      ...(result.isError && { is_error: true }),
    }));
    return [{ role: 'user', content: blocksOf(content) }];
  },
  roleOf(message) {
    if (message.role === 'assistant') return 'turn';
    if (message.role !== 'user') return 'other';
    return blocksIn(message).some(({ type }) => type === 'tool_result') ? 'results' : 'user';
  },
  callsIn: (messages) => messages.flatMap(blocksIn).filter(isCall).map(callOf),
  answersIn: (message) =>
    blocksIn(message).flatMap(({ type, tool_use_id: id }) => (type === 'tool_result' ? [String(id)] : [])),
  ofTexts(texts) {
    const content = texts.map(({ native }) => native);
    return content.length > 0 ? [{ role: 'assistant', content: blocksOf(content) }] : [];
  },
  mayDropReasoning: (model) => !bindsPrefix(model),
  withoutReasoning,
  forAnotherModel: withoutReasoning,
  rememberInputs(message, source) {
    rememberAt(source, ['content'], blocksIn(message), ['input']);
  },
};

function withoutReasoning(messages: readonly AnthropicMessage[]): readonly AnthropicMessage[] {
  return messages.flatMap((message) => {
    const content = blocksIn(message);
    const kept = content.filter(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
    if (kept.length === content.length) return [message];
    return kept.length > 0 ? [{ ...message, content: blocksOf(kept) } as AnthropicMessage] : [];
  });
}

/** What the provider calls a block is for its own type to say: blocks are kept as they came. */
function blocksOf(blocks: readonly unknown[]): ContentBlockParam[] {
  return blocks as ContentBlockParam[];
}

function blocksIn({ content }: AnthropicMessage): readonly JsonObject[] {
  return Array.isArray(content) ? (content as readonly unknown[]).filter(isJsonObject) : [];
}

function isCall({ type }: JsonObject): boolean {
  return type === 'tool_use';
}

function callOf(native: JsonObject): HistoryCall {
  const { id, name, input } = native;
  const isExecutable = isJsonObject(input) && !Object.hasOwn(input, 'INVALID_JSON');
  const inputText = stringifyRequest(input ?? {});
  return { id: String(id), name: String(name), input: JSON.parse(inputText), inputText, isExecutable, native };
}

function resultContent(result: ToolResult): string | ContentBlockParam[] {
  const { content } = result;
  const areParts = Array.isArray(content) && content.length > 0 && content.every(isResultPart);
  return areParts ? blocksOf(content) : resultText(result);
}

function isResultPart(part: unknown): boolean {
  return isJsonObject(part) && resultParts.has(String(part['type']));
}
