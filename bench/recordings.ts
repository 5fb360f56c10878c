import { createRandom, type Random } from './random.ts';
import { anthropicStream, textBlock, thinkingBlock, toolBlock } from './streams/anthropic-stream.ts';
import { chatStream } from './streams/chat-stream.ts';
import { geminiPartialArgsStream, geminiStream } from './streams/gemini-stream.ts';
import { responsesStream } from './streams/responses-stream.ts';
import type { AnswerSizes, DialectName, Stream } from './streams/stream.ts';

/** The names of the recordings, in the order of the table. */
export const recordingNames = [
  'text',
  'thinking',
  'mixed',
  'tool_10kb',
  'tool_100kb',
  'tool_1mb',
  'chat_mixed',
  'chat_details',
  'chat_details_half',
  'chat_parallel_calls',
  'chat_parallel_calls_half',
  'responses_mixed',
  'responses_mixed_half',
  'responses_tool_100kb',
  'gemini_mixed',
  'gemini_mixed_half',
  'gemini_partial_args',
  'gemini_partial_args_half',
] as const;

/** One of {@link recordingNames}. */
export type RecordingName = (typeof recordingNames)[number];

/** A stream, and the name of what it stresses. */
export interface Recording extends Stream {
  readonly name: RecordingName;
}

/** What is thought, said and called in each mixed recording but anthropic's, which are made of blocks. */
const mixed: AnswerSizes = { reasoning: 600, text: 800, foreign: 0.02, calls: 3, callLength: 2600 };
const mixedHalf: AnswerSizes = { reasoning: 300, text: 400, foreign: 0.02, calls: 3, callLength: 1300 };

const scripts: Record<RecordingName, (random: Random) => Stream> = {
  text: (random) => anthropicStream([textBlock(random, 20_000, 0)]),
  thinking: (random) => anthropicStream([thinkingBlock(random, 20_000), textBlock(random, 4, 0)]),
  mixed: (random) =>
    anthropicStream([
      thinkingBlock(random, 600),
      textBlock(random, 800, 0.02),
      toolBlock(random, 1, 2600),
      toolBlock(random, 2, 2600),
      toolBlock(random, 3, 2600),
    ]),
  tool_10kb: (random) => anthropicStream([toolBlock(random, 1, 10_000)]),
  tool_100kb: (random) => anthropicStream([toolBlock(random, 1, 100_000)]),
  tool_1mb: (random) => anthropicStream([toolBlock(random, 1, 1_000_000)]),
  chat_mixed: (random) => chatStream(random, mixed),
  // Two chunks for the seals, two for the end.
  chat_details: (random) => chatStream(random, { reasoning: 10_000, text: 9996, calls: 0 }),
  chat_details_half: (random) => chatStream(random, { reasoning: 5000, text: 4996, calls: 0 }),
  chat_parallel_calls: (random) => chatStream(random, { reasoning: 0, text: 0, calls: 8, callLength: 100_000 }),
  chat_parallel_calls_half: (random) => chatStream(random, { reasoning: 0, text: 0, calls: 8, callLength: 50_000 }),
  responses_mixed: (random) => responsesStream(random, mixed),
  responses_mixed_half: (random) => responsesStream(random, mixedHalf),
  responses_tool_100kb: (random) => responsesStream(random, { reasoning: 0, text: 0, calls: 1, callLength: 100_000 }),
  gemini_mixed: (random) => geminiStream(random, mixed),
  gemini_mixed_half: (random) => geminiStream(random, mixedHalf),
  gemini_partial_args: (random) => geminiPartialArgsStream(random, 100_000),
  gemini_partial_args_half: (random) => geminiPartialArgsStream(random, 50_000),
};

/** The wire format of a recording, which its name begins with; the names of anthropic's begin with none. */
export function dialectOf(name: RecordingName): DialectName {
  if (name.startsWith('chat_')) return 'chatCompletions';
  if (name.startsWith('responses_')) return 'responses';
  return name.startsWith('gemini_') ? 'gemini' : 'anthropic';
}

/**
 * Makes a recording; the same one each time, in any process.
 *
 * - `text`: 20,000 deltas of about one word.
 * - `thinking`: 20,000 deltas of thinking, a signature, and a word of answer.
 * - `mixed`: 600 deltas of thinking, 800 of text (2 % of the words not ASCII), three tool calls of 2,600 characters.
 * - `tool_…`: one tool call; its input comes in pieces of 8 to 20 characters.
 * - `chat_mixed`: the same as `mixed`, from a gateway; the arguments of the calls come in turns.
 * - `chat_details`: 20,000 chunks, half of them with `reasoning_details`.
 * - `chat_parallel_calls`: eight calls of 100,000 characters, whose arguments come in turns.
 * - `responses_mixed`, `gemini_mixed`: the same as `mixed`; the calls of Responses come in turns, those of Gemini whole.
 * - `responses_tool_100kb`: one tool call; its input comes in pieces, and three times more whole.
 * - `gemini_partial_args`: one call of 100,000 characters; each value comes under its path, a string in pieces.
 * - `…_half`: half of it, for what must grow no faster than the stream.
 */
export function createRecording(name: RecordingName): Recording {
  return { name, ...scripts[name](createRandom(recordingNames.indexOf(name) + 1)) };
}
