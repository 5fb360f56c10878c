import type OpenAI from 'openai';
import type { FloorReader } from './floor-reader.ts';
import type { Tally } from './tally.ts';

/** A delta of a gateway: the SDK's type does not know its reasoning. */
interface GatewayDelta extends OpenAI.ChatCompletionChunk.Choice.Delta {
  readonly reasoning?: string | null;
  readonly reasoning_details?: readonly Detail[];
}

interface Detail {
  readonly index: number;
  readonly text?: string;
  readonly signature?: string;
}

interface FloorDetail {
  text: string;
  signature: string | undefined;
}

interface FloorCall {
  readonly name: string;
  arguments: string;
}

/** Appends each delta to its field: details and calls by their index, nothing else is looked at. */
export function createChatFloor(tally: Tally): FloorReader {
  const message = { content: '', reasoning: '' };
  const details: FloorDetail[] = [];
  const calls: FloorCall[] = [];
  let usage: OpenAI.CompletionUsage | null | undefined;

  return {
    take(data) {
      if (data === '[DONE]') return;
      const chunk: OpenAI.ChatCompletionChunk = JSON.parse(data);
      usage = chunk.usage ?? usage;
      const [choice] = chunk.choices;
      if (choice) append(choice.delta);
    },
    outcome: () => ({
      textLength: message.content.length + details.reduce((length, { text }) => length + text.length, 0),
      inputLength: calls.reduce((length, call) => length + call.arguments.length, 0),
      blocks: [message.content, message.reasoning].filter((text) => text !== '').length + calls.length,
      ...(!usage && { blocks: 0 }),
    }),
  };

  function append(delta: GatewayDelta): void {
    for (const detail of delta.reasoning_details ?? []) appendDetail(detail);
    if (delta.reasoning) message.reasoning += delta.reasoning;
    if (delta.content) {
      message.content += delta.content;
      tally.add({ type: 'text_delta', index: 0, text: delta.content });
    }
    for (const call of delta.tool_calls ?? []) appendCall(call);
  }

  function appendDetail({ index, text = '', signature }: Detail): void {
    const detail = details[index] ?? { text: '', signature: undefined };
    details[index] = detail;
    detail.text += text;
    detail.signature ??= signature;
    if (text !== '') tally.add({ type: 'reasoning_delta', index: 0, text });
  }

  function appendCall({ index, function: called }: OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall): void {
    const call = calls[index] ?? { name: called?.name ?? '', arguments: '' };
    calls[index] = call;
    const piece = called?.arguments ?? '';
    call.arguments += piece;
    if (piece !== '') tally.add({ type: 'tool_input_delta', index, json: piece });
  }
}
