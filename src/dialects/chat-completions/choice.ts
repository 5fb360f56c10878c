import type { BlockRecord } from '../../core/block-record.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { TurnRecord } from '../../core/turn-record.ts';
import { elementTextsAt, sourceTextAt } from '../../text/verbatim-json.ts';
import { createAudio } from './audio.ts';
import { createCalls } from './calls.ts';
import { createContentParts } from './content-parts.ts';
import { buildEntries, type ChatCompletionsEntry, type Entries } from './entries.ts';
import type { ReasoningFamily } from './families.ts';
import { isCutting } from './finish-reason.ts';
import { createOtherFields } from './message-fields.ts';
import { createReasoningDetails, type ReasoningDetail } from './reasoning-details.ts';
import { createShownRuns, isUnsigned, type Run } from './shown-runs.ts';

/** Options that change how a choice is read. */
export interface ChoiceOptions {
  /** Whether reasoning comes as the whole text so far in each fragment. */
  readonly cumulativeReasoning: boolean;
  /** What is known of the model's family beyond the wire; undefined where only the wire counts. */
  readonly family: ReasoningFamily | undefined;
}

/** Finds the source text of a value inside a delta; undefined where there is none. */
export type DeltaSource = (path: readonly (string | number)[]) => string | undefined;

/** One choice of an answer: one message. */
export interface Choice {
  /** Takes the choice's delta of one chunk, and what finds the source text of a value inside it. */
  push(delta: JsonObject, sourceAt: DeltaSource): void;
  /** Ends all blocks. */
  settle(isComplete: boolean, finishReason: string | null): void;
  /** What goes back; asked after `settle`, of a complete turn. */
  entries(isComplete: boolean): Entries;
}

/** Reasoning fields, in the order in which the first that says something is shown. */
const shownFields = ['reasoning', 'reasoning_content', 'reasoning_text'] as const;

/** Fields that append, beside the content. */
const stringFields = [...shownFields, 'reasoning_opaque', 'refusal'] as const;

/**
 * Makes the message of one choice.
 *
 * What is shown and what goes back are two readings of the same deltas: shown is one run of text after another, in the
 * order of arrival; back goes every field under the name it came in.
 */
export function createChoice(record: TurnRecord<ChatCompletionsEntry>, options: ChoiceOptions): Choice {
  const runs = createShownRuns(record);
  const calls = createCalls(record, runs.interrupt);
  const audio = createAudio(record, runs.interrupt);
  const content = createContentParts();
  const details = createReasoningDetails(record, options.cumulativeReasoning);
  const strings: JsonObject = {};
  const others = createOtherFields(record);
  /** What a run showed that was cut. */
  let cutDetails: ReadonlySet<ReasoningDetail> = new Set();

  return {
    push(delta, sourceAt) {
      showReasoning(delta);
      showContent(delta['content']);
      runs.show('refusal', appendString('refusal', delta));
      appendString('reasoning_opaque', delta);
      pushCalls(delta['tool_calls'], sourceAt);
      calls.pushLegacy(delta['function_call']);
      audio.push(delta['audio']);
      for (const name of ['function_call', 'audio']) if (!isJsonObject(delta[name])) lost(name, delta[name]);
      others.merge(delta);
    },
    settle(isComplete, finishReason) {
      const { current } = runs;
      const mayBeCut = isCutting(finishReason) || !isComplete;
      const endings: Ending[] = [...runs.waiting, ...(current ? [current] : [])].map((run) => ({
        index: run.block.index,
        end: () => closeRun(run, run === current && mayBeCut && (isReasoning(run) || !isComplete)),
      }));
      for (const call of calls.calls) {
        const isCut = mayBeCut && (!isComplete || record.nextIndex <= call.begunAtLast);
        endings.push({ index: call.block?.index ?? record.nextIndex, end: () => calls.close(call, isCut) });
      }
      if (audio.index !== undefined) endings.push({ index: audio.index, end: () => audio.close(isComplete) });
      for (const { end } of endings.sort((a, b) => a.index - b.index)) end();
    },
    entries: (isComplete) =>
      buildEntries({
        content: isComplete ? content.native : finishedText(record.blocks, 'text'),
        strings: isComplete ? strings : { ...strings, refusal: finishedText(record.blocks, 'refusal') },
        details: details.isPresent ? details.details : undefined,
        calls: calls.calls,
        audio: isComplete ? audio.native : undefined,
        others: others.native,
        cutDetails,
        blocks: record.blocks,
        family: options.family,
      }),
  };

  function pushCalls(toolCalls: unknown, sourceAt: DeltaSource): void {
    if (!Array.isArray(toolCalls)) {
      lost('tool_calls', toolCalls);
      return;
    }
    // Read once a delta, and only for a server that sends arguments as objects.
    let sources: readonly string[] | undefined;
    for (const [at, call] of toolCalls.entries()) {
      calls.push(call, (path) => {
        sources ??= elementTextsAt(sourceAt(['tool_calls']) ?? '[]', []);
        const source = sources[at];
        return source === undefined ? undefined : sourceTextAt(source, path);
      });
    }
  }

  /** One of what is mirrored: the details, or the first field that says something. */
  function showReasoning(delta: JsonObject): void {
    const fragments = delta['reasoning_details'];
    if (!Array.isArray(fragments)) lost('reasoning_details', fragments);
    const shown = Array.isArray(fragments) ? details.push(fragments) : [];
    for (const { detail, text } of shown) runs.show('reasoning', text, detail);
    const texts = shownFields.map((name) => appendString(name, delta));
    const first = texts.findIndex((text) => text !== '');
    if (shown.length === 0) runs.show('reasoning', texts[first] ?? '');
    // What is shown is counted there.
    for (const [at, text] of texts.entries()) if (shown.length > 0 || at !== first) record.count(text.length);
  }

  function showContent(piece: unknown): void {
    if (typeof piece !== 'string' && !Array.isArray(piece)) lost('content', piece);
    for (const { kind, text } of content.push(piece)) runs.show(kind, text);
  }

  /** Appends a field of the message, and returns what is new of it. An empty one is not the same as none. */
  function appendString(name: (typeof stringFields)[number], delta: JsonObject): string {
    const piece = delta[name];
    if (typeof piece !== 'string') return lost(name, piece);
    const before = typeof strings[name] === 'string' ? strings[name] : '';
    const isRepeated = options.cumulativeReasoning && name !== 'refusal' && piece.startsWith(before);
    const text = isRepeated ? piece.slice(before.length) : piece;
    strings[name] = before + text;
    if (name === 'reasoning_opaque') record.count(text.length);
    return text;
  }

  /** What is neither text nor nothing cannot be shown and cannot go back. */
  function lost(name: string, piece: unknown): '' {
    if (piece !== undefined && piece !== null) {
      record.warn('malformed_event', `A delta has a ${name} of a type that cannot be; it is ignored`);
    }
    return '';
  }

  function closeRun(run: Run, isCut: boolean): void {
    if (isCut) {
      cutDetails = run.details;
      return runs.close(run, 'cut');
    }
    runs.close(run, [...run.details].some(isUnsigned) ? 'unsigned' : 'finished');
  }
}

/** A block that is not over yet, and how to end it. */
interface Ending {
  readonly index: number;
  end(): void;
}

/** A text of a message that was cut, without the run in which it was. */
function finishedText(blocks: readonly BlockRecord[], wanted: 'text' | 'refusal'): string | null {
  const texts = blocks.filter(({ kind, state }) => kind === wanted && state === 'finished');
  return texts.length > 0 ? texts.map(({ text }) => text).join('') : null;
}

function isReasoning({ block }: Run): boolean {
  return block.kind === 'reasoning';
}
