import type { Random } from '../random.ts';
import { toolInputText } from '../tool-input-text.ts';
import { inputPieces, signature, someWords } from '../words.ts';
import { type Stream, totalLength } from './stream.ts';

/** One content block: its start, and its deltas under their own type. */
export interface BlockScript {
  readonly start: object;
  readonly deltas: readonly Delta[];
}

type Delta =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly thinking: string }
  | { readonly type: 'signature_delta'; readonly signature: string }
  | { readonly type: 'input_json_delta'; readonly partial_json: string };

/** Makes the stream of one message. */
export function anthropicStream(blocks: readonly BlockScript[]): Stream {
  const deltas = blocks.flatMap((block) => block.deltas);
  const pieces = deltas.flatMap((delta) => (delta.type === 'input_json_delta' ? delta.partial_json : []));
  const reasoning = deltas.flatMap((delta) => (delta.type === 'thinking_delta' ? delta.thinking : []));
  const text = deltas.flatMap((delta) => (delta.type === 'text_delta' ? delta.text : []));
  return {
    dialect: 'anthropic',
    messages: streamMessages(blocks),
    textLength: totalLength(text) + totalLength(reasoning),
    reasoningLength: totalLength(reasoning),
    inputLength: totalLength(pieces),
    blocks: blocks.length,
    inputPieces: pieces,
  };
}

/** A text block of as many deltas, each of about one word. */
export function textBlock(random: Random, count: number, foreign: number): BlockScript {
  const deltas = someWords(random, count, foreign).map((text) => ({ type: 'text_delta', text }) as const);
  return { start: { type: 'text', text: '' }, deltas };
}

/** A thinking block of as many deltas, and a signature. */
export function thinkingBlock(random: Random, count: number): BlockScript {
  const deltas = someWords(random, count, 0).map((thinking) => ({ type: 'thinking_delta', thinking }) as const);
  return {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [...deltas, { type: 'signature_delta', signature: signature(random) }],
  };
}

/** A tool call with an input of as many characters. */
export function toolBlock(random: Random, call: number, length: number): BlockScript {
  // The service begins with an empty piece.
  const pieces = ['', ...inputPieces(random, toolInputText(random, length))];
  return {
    start: { type: 'tool_use', id: `toolu_0${call}`, name: 'write_rows', input: {} },
    deltas: pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  };
}

function streamMessages(blocks: readonly BlockScript[]): string[] {
  const callsTools = blocks.some((block) => block.deltas[0]?.type === 'input_json_delta');
  return [
    sseMessage('message_start', { message: startedMessage }),
    sseMessage('ping', {}),
    ...blocks.flatMap(blockMessages),
    sseMessage('message_delta', {
      delta: { stop_reason: callsTools ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 20_000 },
    }),
    sseMessage('message_stop', {}),
  ];
}

function blockMessages({ start, deltas }: BlockScript, index: number): string[] {
  return [
    sseMessage('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => sseMessage('content_block_delta', { index, delta })),
    sseMessage('content_block_stop', { index }),
  ];
}

function sseMessage(type: string, members: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}

const startedMessage = {
  id: 'msg_01Bench',
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-5',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 1200, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
};
