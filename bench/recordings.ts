import { createRandom, type Random } from './random.ts';
import { toolInputText } from './tool-input-text.ts';

/** The names of the recordings, in the order of the table. */
export const recordingNames = ['text', 'thinking', 'mixed', 'tool_10kb', 'tool_100kb', 'tool_1mb'] as const;

/** One of {@link recordingNames}. */
export type RecordingName = (typeof recordingNames)[number];

/** An Anthropic event stream made in memory, and what must come out of it. */
export interface Recording {
  readonly name: RecordingName;
  /** The SSE messages as text, each with its closing blank line. */
  readonly messages: readonly string[];
  /** Text and thinking of all blocks, in UTF-16 code units. */
  readonly textLength: number;
  /** JSON text of all tool inputs, in UTF-16 code units. It is compact: parsed and written again it is the same. */
  readonly inputLength: number;
  readonly blocks: number;
  /** The pieces in which the tool inputs come. */
  readonly inputPieces: readonly string[];
}

/** One content block: its start, and its deltas under their own type. */
interface BlockScript {
  readonly start: object;
  readonly deltas: readonly Delta[];
}

type Delta =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly thinking: string }
  | { readonly type: 'signature_delta'; readonly signature: string }
  | { readonly type: 'input_json_delta'; readonly partial_json: string };

const scripts: Record<RecordingName, (random: Random) => readonly BlockScript[]> = {
  text: (random) => [textBlock(random, 20_000, 0)],
  thinking: (random) => [thinkingBlock(random, 20_000), textBlock(random, 4, 0)],
  mixed: (random) => [
    thinkingBlock(random, 600),
    textBlock(random, 800, 0.02),
    toolBlock(random, 1, 2600),
    toolBlock(random, 2, 2600),
    toolBlock(random, 3, 2600),
  ],
  tool_10kb: (random) => [toolBlock(random, 1, 10_000)],
  tool_100kb: (random) => [toolBlock(random, 1, 100_000)],
  tool_1mb: (random) => [toolBlock(random, 1, 1_000_000)],
};

/**
 * Makes a recording; the same one each time, in any process.
 *
 * - `text`: 20,000 deltas of about one word.
 * - `thinking`: 20,000 deltas of thinking, a signature, and a word of answer.
 * - `mixed`: 600 deltas of thinking, 800 of text (2 % of the words not ASCII), three tool calls of 2,600 characters.
 * - `tool_…`: one tool call; its input comes in pieces of 8 to 20 characters.
 */
export function createRecording(name: RecordingName): Recording {
  const blocks = scripts[name](createRandom(recordingNames.indexOf(name) + 1));
  const deltas = blocks.flatMap((block) => block.deltas);
  const inputPieces = deltas.flatMap((delta) => (delta.type === 'input_json_delta' ? delta.partial_json : []));
  return {
    name,
    messages: streamMessages(blocks),
    textLength: deltas.reduce((length, delta) => length + shownText(delta).length, 0),
    inputLength: inputPieces.join('').length,
    blocks: blocks.length,
    inputPieces,
  };
}

function shownText(delta: Delta): string {
  if (delta.type === 'text_delta') return delta.text;
  return delta.type === 'thinking_delta' ? delta.thinking : '';
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

function textBlock(random: Random, count: number, foreign: number): BlockScript {
  const deltas = Array.from({ length: count }, () => ({ type: 'text_delta', text: word(random, foreign) }) as const);
  return { start: { type: 'text', text: '' }, deltas };
}

function thinkingBlock(random: Random, count: number): BlockScript {
  const deltas = Array.from({ length: count }, () => ({ type: 'thinking_delta', thinking: word(random, 0) }) as const);
  const signature = Array.from({ length: 400 }, () => random.pick(base64)).join('');
  return {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [...deltas, { type: 'signature_delta', signature }],
  };
}

function toolBlock(random: Random, call: number, length: number): BlockScript {
  const text = toolInputText(random, length);
  // The service begins with an empty piece.
  const deltas: Delta[] = [{ type: 'input_json_delta', partial_json: '' }];
  for (let start = 0; start < text.length; ) {
    const end = start + random.integer(8, 20);
    deltas.push({ type: 'input_json_delta', partial_json: text.slice(start, end) });
    start = end;
  }
  return { start: { type: 'tool_use', id: `toolu_0${call}`, name: 'write_rows', input: {} }, deltas };
}

function word(random: Random, foreign: number): string {
  return ` ${random.pick(random.fraction() < foreign ? foreignWords : words)}`;
}

const base64 = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'];
const words = 'a the of stream block turn parser because however, event number returns "quoted" done.\n is not'.split(
  ' ',
);
const foreignWords = ['Größe', '日本語', '🙂', 'naïve', 'Привет'];
