import type { JsonObject } from '../../core/json-object.ts';
import { namedEvent, slices, words } from '../pieces.ts';
import type { AnswerContext } from '../service.ts';

/** A content block of an answer, with its input as text. */
export interface StreamedBlock {
  /** As `content_block_start` has it. */
  readonly start: JsonObject;
  readonly deltas: readonly JsonObject[];
}

/** A thinking block: its text, then its signature. */
export function thinkingBlock(text: string, signature: string): StreamedBlock {
  const deltas = words(text).map((thinking) => ({ type: 'thinking_delta', thinking }));
  return {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [...deltas, { type: 'signature_delta', signature }],
  };
}

/** A text block. */
export function textBlock(text: string): StreamedBlock {
  return {
    start: { type: 'text', text: '' },
    deltas: words(text).map((piece) => ({ type: 'text_delta', text: piece })),
  };
}

/** A call whose input comes in pieces, the first of which is empty. */
export function callBlock(id: string, name: string, input: string): StreamedBlock {
  const pieces = ['', ...slices(input)];
  return {
    start: { type: 'tool_use', id, name, input: {} },
    deltas: pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  };
}

/**
 * The SSE messages of a message.
 *
 * @see https://docs.anthropic.com/en/docs/build-with-claude/streaming
 */
export function framesOf(
  blocks: readonly StreamedBlock[],
  stop_reason: string,
  { id, model, inputTokens }: AnswerContext,
): readonly string[] {
  const usage = { input_tokens: inputTokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [], stop_reason: null };
  const output_tokens = blocks.reduce((sum, { deltas }) => sum + deltas.length, 1);
  return [
    { type: 'message_start', message: { ...message, stop_sequence: null, usage: { ...usage, output_tokens: 1 } } },
    { type: 'ping' },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { ...usage, output_tokens } },
    { type: 'message_stop' },
  ].map(namedEvent);
}
