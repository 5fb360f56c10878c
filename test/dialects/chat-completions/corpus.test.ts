import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { type ChatCompletionsEntry, chatCompletions } from '../../../src/chat-completions.ts';
import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import { type AssembledTurn, assembleTurn, type BlockKind, type TurnEvent } from '../../../src/index.ts';
import { eventsOf } from '../../laws/dialect-laws.ts';
import type { Recording } from '../../recordings.ts';
import { deltasOf, joinedStrings, listChatRecordings, readChunks } from './recorded-chunks.ts';

/** Streams in which the provider reports an error, and what it says. */
const failures: Readonly<Record<string, string>> = {
  'chat/maruel-genai-qwen-qwen3.5-122b-a10b_thinking-GenStream-JSONSchema': 'Provider returned error',
  'chat-reasoning-details/pydantic-ai-test_openrouter-test_openrouter_stream_error': 'Token limit reached',
  'chat-reasoning-details/req_llm-b-openrouter-google_gemini_2_5_flash_lite-object_streaming':
    'Provider returned error',
};

/** Streams that end with `[DONE]` and never gave a finish reason. */
const withoutFinishReason: readonly string[] = [
  'chat/llm-test_tools_streaming-test_tools_streaming_variant_a',
  'chat/llm-test_tools_streaming-test_tools_streaming_variant_b',
  'chat/maruel-genai-openaichat-gpt-audio-GenStream-MaxTokens',
  'chat/maruel-genai-openaichat-gpt-audio-GenStream-Tools-SquareRoot-1',
  'chat/maruel-genai-openaichat-gpt-audio-GenStreamMultiModal-Document-pdf-Inline',
  'chat/req_llm-b-openrouter-minimax_minimax_m1-object_streaming',
  'chat/req_llm-b-openrouter-minimax_minimax_m2_free-object_streaming',
  'chat/req_llm-b-openrouter-qwen_qwen3_coder-object_streaming',
  'chat-reasoning-details/pydantic-ai-test_snowflake-test_snowflake_thinking_streaming',
];

/** Streams that go on after a finish reason, so that a cut after it cannot be told from the end, and why they do. */
const goOnAfterFinish: Readonly<Record<string, string>> = {
  'chat-reasoning/vercel-ai-cerebras-cererebras-structured-output-tools.1': 'the recording holds two answers',
  'chat-reasoning-details/req_llm-b-openrouter-google_gemini_2_5_flash_lite-object_streaming':
    'each of its many calls comes with a finish reason of its own',
};

const recordings = listChatRecordings();
const names = recordings.map((recording) => [recording.name, recording] as const);

describe.skipIf(recordings.length === 0)('chatCompletions, on recorded streams', () => {
  const failed = new Set<string>();
  const unfinished = new Set<string>();
  const cutUnseen = new Set<string>();

  test.each(names)('assembles %s to a complete turn, or to the error that it reports', async (name, recording) => {
    const { status, stopReason, entries, toolCalls, warnings, error } = await assemble(recording);
    expect(entries.length).toBeLessThanOrEqual(1);
    if (status === 'failed') {
      failed.add(name);
      expect([error?.code, entries, toolCalls]).toEqual(['provider_error', [], []]);
      expect(error?.message).toContain(failures[name] ?? 'an error that is not in the list');
      return;
    }
    expect([status, error]).toEqual(['complete', undefined]);
    if (warnings.some(({ code }) => code === 'missing_finish_reason')) unfinished.add(name);
    expect(stopReason === null).toBe(unfinished.has(name));
  });

  test.each(names)('shows of %s all text and reasoning that came', async (_name, recording) => {
    const { blocks } = await assemble(recording);
    const textOf = (kind: BlockKind): string => blocks.map((block) => (block.kind === kind ? block.text : '')).join('');
    const deltas = deltasOf(readChunks(recording.bytes));
    expect(textOf('text')).toBe(deltas.map(({ content }) => textIn(content, 'text')).join(''));
    expect(textOf('reasoning')).toBe(deltas.map(reasoningIn).join(''));
    expect(textOf('refusal')).toBe(joinedStrings(deltas, 'refusal') ?? '');
  });

  test.each(names)('keeps of %s, wherever it is cut, only blocks of the whole', (name, { bytes }) => {
    const whole = finishedBlocks(eventsOf(chatCompletions, [bytes]));
    for (let eighth = 0; eighth < 8; eighth += 1) {
      const events = eventsOf(chatCompletions, [bytes.subarray(0, Math.floor((bytes.length * eighth) / 8))]);
      const blocks = finishedBlocks(events);
      if (events.at(-1)?.type !== 'turn_stop') throw new Error('the turn does not stop');
      if (name in goOnAfterFinish && statusOf(events) === 'complete') cutUnseen.add(name);
      else expect(blocks).toEqual(whole.slice(0, blocks.length));
    }
  });

  test('knows all in which the provider reports an error', () => {
    expect([...failed].sort()).toEqual(Object.keys(failures).sort());
  });

  test('knows all that end with [DONE] and without a finish reason', () => {
    expect([...unfinished].sort()).toEqual([...withoutFinishReason].sort());
  });

  test('knows all that go on after a finish reason', () => {
    expect([...cutUnseen].sort()).toEqual(Object.keys(goOnAfterFinish).sort());
  });
});

function assemble({ bytes }: Recording): Promise<AssembledTurn<ChatCompletionsEntry>> {
  return assembleTurn(of(bytes), chatCompletions).settled();
}

function finishedBlocks(events: readonly TurnEvent[]): object[] {
  return events.flatMap((event) => (event.type === 'block' ? [event.block] : []));
}

function statusOf(events: readonly TurnEvent[]): string | undefined {
  const last = events.at(-1);
  return last?.type === 'turn_stop' ? last.status : undefined;
}

/** The text of a content, be it a string or a list of chunks, of which `thinking` holds a list of its own. */
function textIn(content: unknown, type: 'text' | 'thinking'): string {
  if (typeof content === 'string') return type === 'text' ? content : '';
  if (!Array.isArray(content)) return '';
  const chunks = content.filter(isJsonObject).filter((chunk) => chunk['type'] === type);
  return chunks.map((chunk) => (type === 'text' ? String(chunk['text']) : textIn(chunk['thinking'], 'text'))).join('');
}

/** What of a delta is reasoning to show: that of its details, else the first of the strings that says something. */
function reasoningIn(delta: JsonObject): string {
  const { reasoning_details: details, reasoning, reasoning_content: content, reasoning_text: text } = delta;
  const pieces = Array.isArray(details) ? details.filter(isJsonObject) : [];
  const ofDetails = pieces.map((piece) => stringOf(piece['text']) + stringOf(piece['summary'])).join('');
  const ofStrings = [ofDetails, reasoning, content, text].map(stringOf).find((piece) => piece !== '') ?? '';
  return ofStrings + textIn(delta['content'], 'thinking');
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
