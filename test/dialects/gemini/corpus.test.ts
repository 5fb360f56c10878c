import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { type GeminiEntry, gemini } from '../../../src/gemini.ts';
import { type AssembledTurn, assembleTurn, type BlockKind, type TurnEvent } from '../../../src/index.ts';
import { eventsOf } from '../../laws/dialect-laws.ts';
import { listRecordings, type Recording } from '../../recordings.ts';
import { partsOf, readChunks, textOf } from './recorded-chunks.ts';

/** Streams that are not complete, and why. */
const truncated: Readonly<Record<string, string>> = {
  'firebase-vertexai-streaming-failure-malformed-content': 'an invented stream whose parts are no list, without an end',
  'vercel-ai-google-speech-translation-google-live-speech-translation': 'events of the Live API, which is another one',
};

/** Streams that are complete and give nothing back, and why. */
const withoutEntry: Readonly<Record<string, string>> = {
  'firebase-googleai-streaming-failure-prompt-blocked-safety': 'the prompt was refused',
  'firebase-vertexai-streaming-failure-prompt-blocked-safety': 'the prompt was refused',
  'gemini-cli-integration-tests-hooks-system.allow-tool-1': 'nothing was said but an empty text',
  'req_llm-a-google-gemini_2_5_flash_lite': 'the token limit cut the reasoning, before any text',
  'req_llm-a-google-gemini_2_5_flash_lite_preview_06_17': 'the token limit cut the reasoning, before any text',
  'req_llm-a-google-gemini_flash_lite_latest-object_streaming': 'the token limit cut the reasoning, before any text',
};

/** Streams that go on after a finish reason, so that a cut after it cannot be told from the end, and why they do. */
const goOnAfterFinish: Readonly<Record<string, string>> = {
  'firebase-vertexai-streaming-failure-recitation-no-content': 'every chunk comes with a finish reason',
  'rig-gemini-stream_terminal_matrix-two_terminal_stream_with_visible_thoughts': 'two chunks come with a finish reason',
};

/** Warnings that recordings give, as their stream and their code. */
const warned: readonly string[] = ['vercel-ai-google-speech-translation-google-live-speech-translation: unknown_event'];

const recordings = listRecordings('corpus/streams/gemini');
const names = recordings.map((recording) => [recording.name, recording] as const);

describe.skipIf(recordings.length === 0)('gemini, on recorded streams', () => {
  const metTruncated = new Set<string>();
  const metWithoutEntry = new Set<string>();
  const metCutUnseen = new Set<string>();
  const metWarnings = new Set<string>();

  test.each(names)('assembles %s to a complete turn, or as far as it goes', async (name, recording) => {
    const { status, stopReason, entries, toolCalls, blocks, warnings, error } = await assemble(recording);
    expect(error).toBeUndefined();
    for (const { code } of warnings) metWarnings.add(`${name}: ${code}`);
    if (status !== 'complete') metTruncated.add(name);
    else if (entries.length === 0) metWithoutEntry.add(name);
    expect(stopReason === null).toBe(status !== 'complete');
    expect(entries.length).toBeLessThanOrEqual(1);
    const calls = blocks.filter(({ kind, state }) => kind === 'tool_call' && state === 'finished');
    expect(toolCalls.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
  });

  test.each(names)('shows of %s all text and reasoning that came', async (_name, recording) => {
    const { blocks } = await assemble(recording);
    const shown = (kind: BlockKind): string => blocks.map((block) => (block.kind === kind ? block.text : '')).join('');
    const parts = partsOf(readChunks(recording.bytes));
    expect(shown('text')).toBe(textOf(parts, false));
    expect(shown('reasoning')).toBe(textOf(parts, true));
  });

  test.each(names)('keeps of %s every signature, in its order', async (_name, recording) => {
    const { entries, blocks } = await assemble(recording);
    const isGone = blocks.some(({ state }) => state !== 'finished');
    const sent = entries.flatMap(({ parts }) => parts.flatMap(({ thoughtSignature }) => thoughtSignature ?? []));
    const came = partsOf(readChunks(recording.bytes)).flatMap(({ thoughtSignature }) => thoughtSignature ?? []);
    if (!isGone) expect(sent).toEqual(came);
  });

  test.each(names)('keeps of %s, wherever it is cut, only blocks of the whole', (name, { bytes }) => {
    const whole = finishedBlocks(eventsOf(gemini, [bytes]));
    for (let eighth = 0; eighth < 8; eighth += 1) {
      const events = eventsOf(gemini, [bytes.subarray(0, Math.floor((bytes.length * eighth) / 8))]);
      const blocks = finishedBlocks(events);
      const last = events.at(-1);
      if (last?.type !== 'turn_stop') throw new Error('the turn does not stop');
      if (name in goOnAfterFinish && last.status === 'complete') metCutUnseen.add(name);
      else expect(blocks).toEqual(whole.slice(0, blocks.length));
    }
  });

  test('knows all that are not complete', () => {
    expect([...metTruncated].sort()).toEqual(Object.keys(truncated).sort());
  });

  test('knows all that give nothing back', () => {
    expect([...metWithoutEntry].sort()).toEqual(Object.keys(withoutEntry).sort());
  });

  test('knows all that go on after a finish reason', () => {
    expect([...metCutUnseen].sort()).toEqual(Object.keys(goOnAfterFinish).sort());
  });

  test('knows all that it warns of', () => {
    expect([...metWarnings].sort()).toEqual([...warned].sort());
  });
});

function assemble({ bytes }: Recording): Promise<AssembledTurn<GeminiEntry>> {
  return assembleTurn(of(bytes), gemini).settled();
}

function finishedBlocks(events: readonly TurnEvent[]): object[] {
  return events.flatMap((event) => (event.type === 'block' ? [event.block] : []));
}
