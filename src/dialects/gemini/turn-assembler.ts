import type { TurnAssembler } from '../../core/dialect.ts';
import { LimitExceededError, type TurnError, toTurnError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { providerError } from '../../core/provider-error.ts';
import type { AssembledTurn, TurnStatus } from '../../core/turn.ts';
import type { TurnRecord } from '../../core/turn-record.ts';
import { describeUnknownEvent } from '../../core/unknown-event.ts';
import { type Candidate, createCandidate } from './candidate.ts';
import type { GeminiEntry } from './entries.ts';
import { warnMalformed } from './malformed.ts';
import { takeOverMembers } from './members.ts';
import { elementSources } from './source.ts';
import { isSameJson, readUsage } from './usage.ts';
import { isText, readReason } from './wire.ts';

/** Options that change how a stream is read. */
export interface AssemblerOptions {
  /** The `index` of the candidate that is the turn. */
  readonly candidate: number;
}

/** Members by which an event is known to be of this dialect. */
const knownMembers = ['candidates', 'usageMetadata', 'promptFeedback', 'modelVersion', 'responseId'];

/** Members of a chunk that are read elsewhere, or come from an SDK. */
const notOfTheHead = new Set(['candidates', 'usageMetadata', 'error', 'sdkHttpResponse']);

const nothing: ReadonlySet<string> = new Set();

/**
 * Makes the state machine for one stream of `streamGenerateContent`.
 *
 * It has no terminal event: it ends with its bytes, and is whole if a finish reason came, or if the prompt was refused.
 * A finish reason itself ends nothing, for some servers send one with every chunk.
 *
 * @see https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 */
export function createTurnAssembler(record: TurnRecord<GeminiEntry>, options: AssemblerOptions): TurnAssembler {
  const envelope: JsonObject = {};
  const usage: JsonObject = {};
  let lastUsage: unknown;
  let turnId: string | null = null;
  let model: string | null = null;
  let isStarted = false;
  let blockReason: string | null = null;
  let hasCandidates = false;
  const chosen = createCandidate(record);
  const others = new Map<number, Candidate>();

  return {
    event(wire, source, name) {
      const isError = saysError(wire['error']) || name === 'error';
      if (isKnown(wire)) pushChunk(wire, source);
      else if (!isError) record.warn('unknown_event', describeUnknownEvent(wire, wire['type'] ?? name));
      if (isError) stop('failed', providerError(wire));
    },
    done() {},
    end(end) {
      if (end.type === 'failed') return stop('failed', end.error);
      if (end.type === 'aborted') return stop('aborted');
      stop((chosen.finishReason ?? refusal()) === null ? 'truncated' : 'complete');
    },
  };

  function pushChunk(wire: JsonObject, source: string | undefined): void {
    readHead(wire);
    pushCandidates(wire['candidates'], source);
    mergeUsage(wire['usageMetadata']);
  }

  function readHead(wire: JsonObject): void {
    takeOverMembers(record, envelope, wire, notOfTheHead);
    const { candidates, promptFeedback, usageMetadata, responseId, modelVersion } = wire;
    if (isJsonObject(promptFeedback)) blockReason = readReason(promptFeedback['blockReason']) ?? blockReason;
    if (turnId === null && isText(responseId)) turnId = responseId;
    if (model === null && isText(modelVersion)) model = modelVersion;
    const hasAnswer = Array.isArray(candidates) && candidates.length > 0;
    isStarted ||= hasAnswer || isJsonObject(promptFeedback) || isJsonObject(usageMetadata) || turnId !== null;
    if (isStarted) record.start(turnId, model);
  }

  function pushCandidates(list: unknown, source: string | undefined): void {
    if (list === undefined || list === null) return;
    if (!Array.isArray(list)) return warnMalformed(record, 'The list of candidates');
    const sourceOf = elementSources(() => source, ['candidates']);
    for (const [at, wire] of list.entries()) {
      if (!isJsonObject(wire)) {
        warnMalformed(record, 'A candidate');
        continue;
      }
      hasCandidates = true;
      candidateOf(wire).push(wire, sourceOf(at));
    }
  }

  function candidateOf({ index }: JsonObject): Candidate {
    const place = typeof index === 'number' ? index : 0;
    if (place === options.candidate) return chosen;
    const known = others.get(place);
    if (known) return known;
    if (others.size >= record.limits.blocks) throw new LimitExceededError('blocks', record.limits.blocks);
    const branch = record.branch();
    // The ids of its calls are made of the turn's.
    branch.start(turnId, model);
    const candidate = createCandidate(branch);
    others.set(place, candidate);
    return candidate;
  }

  /** Every chunk repeats the counts; only what changed is told. */
  function mergeUsage(later: unknown): void {
    if (!isJsonObject(later) || isSameJson(later, lastUsage)) return;
    lastUsage = later;
    envelope['usageMetadata'] = usage;
    takeOverMembers(record, usage, later, nothing);
    record.usage(readUsage(usage, later));
  }

  /** Why the prompt was refused: an answer, where there is no other. */
  function refusal(): string | null {
    return hasCandidates ? null : blockReason;
  }

  function stop(status: TurnStatus, error?: TurnError): void {
    const about = { turnId, model, envelope };
    const choices: AssembledTurn<GeminiEntry>[] = [...others.values()].map((candidate) => {
      const isWhole = status === 'complete' && candidate.finishReason !== null;
      try {
        return candidate.stop({ ...about, status: isWhole || status !== 'complete' ? status : 'truncated', error });
      } catch (cause) {
        // What is wrong with another candidate is not wrong with the one that was asked for.
        return candidate.stop({ ...about, status: 'failed', error: toTurnError(cause) });
      }
    });
    const counted = lastUsage === undefined ? undefined : readUsage(usage);
    chosen.stop({ ...about, status, refusal: refusal(), choices, usage: counted, error });
  }
}

function isKnown(wire: JsonObject): boolean {
  return knownMembers.some((name) => wire[name] !== undefined && wire[name] !== null);
}

/** Some servers always send the member, and leave it empty. */
function saysError(error: unknown): boolean {
  return error !== undefined && error !== null && error !== false && error !== '';
}
