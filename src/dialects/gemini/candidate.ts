import type { TurnError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { AssembledTurn, TurnStatus, Usage } from '../../core/turn.ts';
import type { TurnRecord } from '../../core/turn-record.ts';
import { createCitations } from './citations.ts';
import { buildEntries, type Entries, type GeminiEntry } from './entries.ts';
import { warnMalformed } from './malformed.ts';
import { takeOverMembers } from './members.ts';
import { createParts } from './parts.ts';
import { elementSources, type Source } from './source.ts';
import { isCutting, isText, readReason } from './wire.ts';

/** How a candidate ended, as far as the stream says. */
export interface CandidateEnd {
  /** The provider's id of the answer, and the model: later chunks may have told them. */
  readonly turnId: string | null;
  readonly model: string | null;
  readonly status: TurnStatus;
  /** Why there is no answer at all, if the prompt was refused. */
  readonly refusal?: string | null;
  /** What the chunks said outside their candidates. */
  readonly envelope: JsonObject;
  readonly choices?: readonly AssembledTurn<GeminiEntry>[];
  readonly usage?: Usage | undefined;
  readonly error?: TurnError | undefined;
}

/** One candidate: its content, and what stands around it. */
export interface Candidate {
  /** The last that says something. */
  readonly finishReason: string | null;
  /** Takes the candidate of one chunk, and what finds its source text. */
  push(wire: JsonObject, source: Source): void;
  /** Ends it, and returns the turn that it became. */
  stop(end: CandidateEnd): AssembledTurn<GeminiEntry>;
}

/** Members of a candidate that are read elsewhere. */
const notOfTheCandidate = new Set(['content', 'index', 'finishReason']);

/** Makes one candidate, which becomes the turn of its record. */
export function createCandidate(record: TurnRecord<GeminiEntry>): Candidate {
  const citations = createCitations(record);
  /** What the last chunk said of the candidate. */
  let latest: JsonObject = {};
  // The last chunk holds the sources, and often a signature, which ends the text that they belong to.
  const parts = createParts(record, (text) => citations.show(latest, text));
  const fields: JsonObject = {};
  let finishReason: string | null = null;
  let role = '';

  return {
    get finishReason() {
      return finishReason;
    },
    push(wire, source) {
      latest = wire;
      pushContent(wire['content'], source);
      if (parts.openText) citations.show(wire, parts.openText);
      takeOverMembers(record, fields, wire, notOfTheCandidate);
      finishReason = readReason(wire['finishReason']) ?? finishReason;
    },
    stop({ turnId, model, status, refusal = null, envelope, choices, usage, error }) {
      record.start(turnId, model);
      const isComplete = status === 'complete';
      settle(isComplete, error);
      const finished = (): Entries => buildEntries(role || 'model', record.blocks);
      const goesBack = isComplete ? finished() : { entries: [], repairs: [], finished };
      return record.stop({
        ...goesBack,
        status,
        stopReason: finishReason ?? refusal,
        carry: {},
        envelope: { ...envelope, ...fields, finishReason },
        choices,
        usage,
        error,
      });
    },
  };

  function pushContent(content: unknown, source: Source): void {
    if (content === undefined || content === null) return;
    if (!isJsonObject(content)) return warnMalformed(record, 'The content of a candidate');
    if (role === '' && isText(content['role'])) role = content['role'];
    const list = content['parts'] ?? [];
    if (!Array.isArray(list)) return warnMalformed(record, 'The list of parts of a candidate');
    const sourceOf = elementSources(source, ['content', 'parts']);
    for (const [at, part] of list.entries()) parts.push(part, sourceOf(at));
  }

  function settle(isComplete: boolean, error: TurnError | undefined): void {
    try {
      parts.settle({ isComplete, isCutting: isCutting(finishReason) });
    } catch (cause) {
      // The first failure is the one that matters.
      if (!error) throw cause;
      for (const block of record.blocks) record.closeBlock(block, 'cut');
    }
  }
}
