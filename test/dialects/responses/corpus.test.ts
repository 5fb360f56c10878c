import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import { type AssembledTurn, assembleTurn, type FinishedBlock, stringifyRequest } from '../../../src/index.ts';
import { type ResponsesEntry, responses } from '../../../src/responses.ts';
import { sourceTextAt } from '../../../src/text/verbatim-json.ts';
import { eventsOf } from '../../laws/dialect-laws.ts';
import type { Recording } from '../../recordings.ts';
import {
  dataLines,
  doneItems,
  listOf,
  listResponsesRecordings,
  readEvents,
  terminalOutput,
} from './recorded-events.ts';

/** Streams in which the provider reports an error, and what it says. */
const failures: Readonly<Record<string, string>> = {
  'prism-Fixtures-openai-stream-unknown-error-responses-1': 'Foobar',
  'vercel-ai-openai-responses-openai-error.1': 'You exceeded your current quota',
};

/** Streams that were stopped, and by what. In each the reasoning took all there was. */
const stopped: Readonly<Record<string, string>> = {
  'maruel-genai-openairesponses-gpt-5.6-sol_thinking-GenStream-MaxTokens': 'max_output_tokens',
  'maruel-genai-openairesponses-gpt-5.6-terra_thinking-GenStream-MaxTokens': 'max_output_tokens',
  'req_llm-a-openai-o3_deep_research': 'max_output_tokens',
  'req_llm-a-openai-o3_deep_research-reasoning_streaming': 'max_output_tokens',
  'req_llm-a-openai-o4_mini_deep_research': 'max_output_tokens',
  'req_llm-b-azure-codex_mini-object_streaming': 'max_output_tokens',
  'req_llm-b-openai-codex_mini_latest': 'max_output_tokens',
};

const forgotten = 'unsealed_reasoning: the response says `store: false`, and its reasoning is an id and nothing else';

/** Streams that are warned of, and why. */
const warned: Readonly<Record<string, string>> = {
  'fantasy-TestAzureResponsesCommon-azure-gpt-5-mini-simple_streaming': forgotten,
  'fantasy-TestAzureResponsesCommon-azure-gpt-5-mini-tool_streaming': forgotten,
  'fantasy-TestAzureResponsesCommon-azure-o4-mini-simple_streaming': forgotten,
  'fantasy-TestAzureResponsesCommon-azure-o4-mini-tool_streaming': forgotten,
  'fantasy-TestOpenAIResponsesCommon-openai-gpt-5-multi_tool_streaming': forgotten,
  'maruel-genai-openairesponses-gpt-5.6-sol_thinking-GenStream-MaxTokens':
    'whole_text_differs: two attempts at a summary were streamed one behind the other, and the second is the whole',
  'vercel-ai-openai-responses-openai-shell-container.1':
    'whole_text_differs: the second text was streamed with other words than the recording has in its whole',
};

/** Streams whose terminal event lists nothing of what was streamed. */
const withoutOutput: readonly string[] = [
  'rust-genai-openai_resp-custom_grammar_tool',
  'rust-genai-openai_resp-tools_completed_no_output_field',
];

/** Streams with items that are done nowhere but in the terminal event: lists of tools, of which that is all. */
const doneNowhere: readonly string[] = [
  'pydantic-ai-test_openai_responses-test_openai_responses_model_mcp_list_tools_stream_backfills_missing_results',
];

/** Something in which the output of the terminal event is not what was done. */
interface Difference {
  readonly kind: string;
  readonly why: string;
  /** The output as it would be without this difference; the very same list where there is none. */
  undo(output: readonly JsonObject[], turn: WholeTurn): readonly JsonObject[];
}

type WholeTurn = AssembledTurn<ResponsesEntry>;

const differences: readonly Difference[] = [
  rotatingIds(
    'copilot_ids',
    'Copilot gives an item another id in each event; one rewritten by the recorder',
    /REDACTED/,
  ),
  rotatingIds(
    'openrouter_ids',
    'OpenRouter makes up an id for reasoning that has none, in each event anew',
    /^rs_tmp_/,
  ),
  {
    kind: 'cut_reasoning',
    why: 'Reasoning that the token limit cut is in the output, and is refused in the next request',
    undo(output, { stopReason, repairs }) {
      const kept = output.filter(({ type }) => type !== 'reasoning');
      return stopReason === 'max_output_tokens' && repairs.some(({ code }) => code === 'cut') ? kept : output;
    },
  },
];

const recordings = listResponsesRecordings();
const names = recordings.map((recording) => [recording.name, recording] as const);

describe.skipIf(recordings.length === 0)('responses, on recorded streams', () => {
  const kindsThatOccur = new Set<string>();
  const met = { failures: new Set<string>(), stopped: new Set<string>(), warned: new Set<string>() };
  const metWithoutOutput = new Set<string>();
  const metDoneNowhere = new Set<string>();

  test.each(names)('assembles %s to a complete turn, or to the error that it reports', async (name, recording) => {
    const { status, stopReason, entries, warnings, error } = await assemble(recording);
    if (warnings.length > 0) met.warned.add(name);
    for (const { code } of warnings) expect(warned[name]).toContain(code);
    if (status === 'failed') {
      met.failures.add(name);
      expect([error?.code, entries]).toEqual(['provider_error', []]);
      return expect(error?.message).toContain(failures[name] ?? 'an error that is not in the list');
    }
    expect([status, error]).toEqual(['complete', undefined]);
    if (stopReason !== 'completed') met.stopped.add(name);
    expect(stopReason).toBe(stopped[name] ?? 'completed');
  });

  test.each(names)('shows of %s all text, reasoning and input that came', async (_name, recording) => {
    const { blocks } = await assemble(recording);
    expect(blocks.map(({ text }) => text)).toEqual(textsByItem(readEvents(recording.bytes)));
  });

  test.each(names)('gives back for %s the output of its terminal event', async (name, recording) => {
    const turn = await assemble(recording);
    if (turn.status !== 'complete') return expect(turn.entries).toEqual([]);
    let output = terminalOutput(readEvents(recording.bytes));
    if (output.length === 0) {
      metWithoutOutput.add(name);
      return expect(turn.entries.length).toBeGreaterThan(0);
    }
    for (const { kind, undo } of differences) {
      const undone = undo(output, turn);
      if (undone !== output) kindsThatOccur.add(kind);
      output = undone;
    }
    expect(withoutCiphertext(turn.entries)).toEqual(withoutCiphertext(output));
  });

  test.each(names)(
    'gives back each item of %s as one output_item.done said it, byte for byte',
    async (name, recording) => {
      const { entries } = await assemble(recording);
      const events = readEvents(recording.bytes);
      const dones = doneTexts(recording.bytes);
      for (const entry of entries) {
        const isDone = doneItems(events).some(({ id }) => id === Object(entry)['id']);
        expect(dones.filter((text) => text === stringifyRequest(entry))).toHaveLength(isDone ? 1 : 0);
        if (isDone) continue;
        metDoneNowhere.add(name);
        expect(terminalOutput(events)).toContainEqual(entry);
      }
    },
  );

  test.each(names)('keeps of %s, wherever it is cut, only blocks of the whole', (_name, { bytes }) => {
    const whole = finishedBlocks(bytes);
    for (let eighth = 0; eighth < 8; eighth += 1) {
      const blocks = finishedBlocks(bytes.subarray(0, Math.floor((bytes.length * eighth) / 8)));
      expect(blocks).toEqual(whole.slice(0, blocks.length));
    }
  });

  test('knows all that failed, that were stopped, and that are warned of', () => {
    expect([...met.failures].sort()).toEqual(Object.keys(failures));
    expect([...met.stopped].sort()).toEqual(Object.keys(stopped));
    expect([...met.warned].sort()).toEqual(Object.keys(warned));
  });

  test('knows all whose terminal event lists nothing, and how the others differ from it', () => {
    expect([...metWithoutOutput].sort()).toEqual(withoutOutput);
    expect([...metDoneNowhere].sort()).toEqual(doneNowhere);
    expect([...kindsThatOccur].sort()).toEqual(differences.map(({ kind }) => kind).sort());
  });
});

function assemble({ bytes }: Recording): Promise<WholeTurn> {
  return assembleTurn(of(bytes), responses).settled();
}

function finishedBlocks(bytes: Uint8Array): FinishedBlock[] {
  return eventsOf(responses, [bytes]).flatMap((event) => (event.type === 'block' ? [event.block] : []));
}

/** Ids of a kind that changes: those of the output are put right by place. */
function rotatingIds(kind: string, why: string, pattern: RegExp): Difference {
  return {
    kind,
    why,
    undo(output, { entries }) {
      const ids = entries.map((entry) => Object(entry)['id']);
      const isOther = ({ id }: JsonObject, place: number): boolean => pattern.test(String(id)) && ids[place] !== id;
      return output.some(isOther) ? output.map((item, place) => ({ ...item, id: ids[place] })) : output;
    },
  };
}

/** All members but those that only the provider can read: they differ from event to event. */
function withoutCiphertext(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCiphertext);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !/^(encrypted_content|fingerprint)$/.test(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutCiphertext(member)]));
}

/** The source texts of the items that are done. */
function doneTexts(bytes: Uint8Array): readonly (string | undefined)[] {
  const lines = dataLines(bytes).filter((line) => line.startsWith('{') && isDone(JSON.parse(line)));
  return lines.map((line) => sourceTextAt(line, ['item']));
}

function isDone(event: unknown): boolean {
  return isJsonObject(event) && event['type'] === 'response.output_item.done';
}

/** For each item, in order of arrival: its deltas, and what the whole has beyond them. */
function textsByItem(events: readonly JsonObject[]): readonly string[] {
  const places = [...new Set(events.flatMap(({ output_index: place }) => (typeof place === 'number' ? [place] : [])))];
  return places.map((place) => {
    const own = events.filter(({ output_index: index }) => index === place);
    const pieces = own.flatMap(({ delta }) => (typeof delta === 'string' ? [delta] : [])).join('');
    const whole = doneItems(own).flatMap(textsIn).join('');
    return whole.startsWith(pieces) ? whole : pieces;
  });
}

/** What a person would read of a whole item, but for what is shown as it is. */
function textsIn(item: JsonObject): readonly string[] {
  const { type, arguments: args, input, code, operation } = item;
  if (type === 'mcp_approval_request' || type === 'program') return [];
  const parts = [...listOf(item['summary']), ...listOf(item['content'])].map(({ text, refusal }) => text ?? refusal);
  const whole = args ?? input ?? code ?? operation;
  const texts = [...parts, isJsonObject(whole) ? JSON.stringify(whole) : whole];
  return texts.filter((text) => typeof text === 'string');
}
