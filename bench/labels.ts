import type { ChunkingName } from './chunkings.ts';
import type { Holding, PeerName } from './probe.ts';
import type { RecordingName } from './recordings.ts';

/** What the table calls a recording. */
export const recordingLabels: Readonly<Record<RecordingName, string>> = {
  text: 'text',
  thinking: 'thinking',
  mixed: 'mixed',
  tool_10kb: 'tool input 10 KB',
  tool_100kb: 'tool input 100 KB',
  tool_1mb: 'tool input 1 MB',
  chat_mixed: 'chat mixed',
  chat_details: 'chat `reasoning_details`',
  chat_details_half: 'half of it',
  chat_parallel_calls: 'chat 8 calls of 100 KB',
  chat_parallel_calls_half: 'of 50 KB',
  responses_mixed: 'Responses mixed',
  responses_mixed_half: 'half of it',
  responses_tool_100kb: 'Responses tool input 100 KB',
  gemini_mixed: 'Gemini mixed',
  gemini_mixed_half: 'half of it',
  gemini_partial_args: 'Gemini `partialArgs` 100 KB',
  gemini_partial_args_half: 'Gemini `partialArgs` 50 KB',
};

/** What the table calls a chunking. */
export const chunkingLabels: Readonly<Record<ChunkingName, string>> = {
  '16_kib': '16 KiB',
  one_event: 'one event',
  '7_bytes': '7 bytes',
};

/** What the table calls a peer. */
export const peerLabels: Readonly<Record<PeerName, string>> = {
  floor: 'floor',
  wholeturn: 'wholeturn',
  wholeturn_view: 'wholeturn, `turn.view` watched',
  wholeturn_every_view: 'wholeturn, a view after each event',
  anthropic_sdk: 'SDK `.stream()`',
  anthropic_sdk_input_json: "SDK `.stream().on('inputJson')`",
  openai_sdk: 'SDK `.stream()`',
  openai_accumulator: 'SDK `accumulateResponse`',
  google_genai: 'SDK `sendMessageStream`',
  naive_chain: 'naive chain of operators',
  partial_json: 'partial JSON alone, a snapshot each 2nd piece',
};

/** What the table calls that which is held of a finished turn. */
export const holdingLabels: Readonly<Record<Holding, string>> = {
  assembled_turn: 'an `AssembledTurn` held',
  live_turn: 'the live `Turn` held as well',
};
