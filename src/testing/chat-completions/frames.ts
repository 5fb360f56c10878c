import { slices, words } from '../pieces.ts';
import type { AnswerContext } from '../service.ts';

/** The `format` of all details: whose they are. */
export const format = 'anthropic-claude-v1';

/** A signed thought as a gateway streams it: its text, mirrored as a string, then the signature by itself. */
export function thoughtDeltas(text: string, signature: string, index: number): readonly object[] {
  const head = { type: 'reasoning.text', format, index };
  return [
    ...words(text).map((piece) => ({ reasoning: piece, reasoning_details: [{ ...head, text: piece }] })),
    { reasoning: null, reasoning_details: [{ ...head, signature }] },
  ];
}

/** A withheld thought, whole. */
export function sealedDeltas(data: string, index: number): readonly object[] {
  return [{ reasoning: null, reasoning_details: [{ type: 'reasoning.encrypted', data, format, index }] }];
}

/** A thought that nobody signs. */
export function plainThoughtDeltas(text: string): readonly object[] {
  return words(text).map((reasoning_content) => ({ content: null, reasoning_content }));
}

/** A text. */
export function textDeltas(text: string): readonly object[] {
  return words(text).map((content) => ({ content }));
}

/** A call: its name, then its arguments in pieces. */
export function callDeltas(id: string, name: string, input: string, index: number): readonly object[] {
  const start = { index, id, type: 'function', function: { name, arguments: '' } };
  const pieces = slices(input).map((piece) => ({ index, function: { arguments: piece } }));
  return [start, ...pieces].map((delta) => ({ tool_calls: [delta] }));
}

/**
 * The SSE messages of an answer: comments of a gateway first, usage last, then the sentinel.
 *
 * @see https://openrouter.ai/docs/api-reference/streaming
 */
export function framesOf(
  deltas: readonly object[],
  finish_reason: string,
  isGateway: boolean,
  { id, model, inputTokens }: AnswerContext,
): readonly string[] {
  const head = {
    id: isGateway ? `gen-${id}` : `chatcmpl-${id}`,
    ...(isGateway && { provider: 'Anthropic' }),
    model,
    object: 'chat.completion.chunk',
    created: 1796000000,
  };
  const chunk = (delta: object, reason: string | null): object => ({
    ...head,
    choices: [{ index: 0, delta: { role: 'assistant', content: '', ...delta }, finish_reason: reason, logprobs: null }],
  });
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: deltas.length,
    total_tokens: inputTokens + deltas.length,
  };
  return [
    ...(isGateway ? [': OPENROUTER PROCESSING\n\n'] : []),
    ...deltas.map((delta) => dataLine(chunk(delta, null))),
    dataLine({ ...chunk({}, finish_reason), usage }),
    'data: [DONE]\n\n',
  ];
}

/** An SSE message without a name. */
export function dataLine(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
