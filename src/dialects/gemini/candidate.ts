import type { TurnError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { AssembledTurn, TurnStatus, Usage } from '../../core/turn.ts';
import type { TurnRecord } from '../../core/turn-record.ts';
import { elementTextsAt } from '../../text/verbatim-json.ts';
import { createCitations } from './citations.ts';
import { buildEntries, type Entries, type GeminiEntry } from './entries.ts';
import { takeOverMembers } from './members.ts';
import { createParts, type PartSource } from './parts.ts';
import { isCutting, isText, plainText, readReason } from './wire.ts';

/** How a candidate ended, as far as the stream says. */
export interface CandidateEnd {
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
  push(wire: JsonObject, source: PartSource): void;
  /** Ends it, and returns the turn that it became. */
  stop(end: CandidateEnd): AssembledTurn<GeminiEntry>;
}

/** Members of a candidate that are read elsewhere. */
const notOfTheCandidate = new Set(['content', 'index', 'finishReason']);

/** Makes one candidate, which becomes the turn of its record. */
export function createCandidate(record: TurnRecord<GeminiEntry>): Candidate {
  const parts = createParts(record);
  const citations = createCitations(record);
  const fields: JsonObject = {};
  let finishReason: string | null = null;
  let role = '';

  return {
    get finishReason() {
      return finishReason;
    },
    push(wire, source) {
      // The last chunk holds the sources, and often a signature, which ends the text that they belong to.
      if (parts.openText && endsText(wire['content'])) citations.show(wire, parts.openText);
      pushContent(wire['content'], source);
      if (parts.openText) citations.show(wire, parts.openText);
      takeOverMembers(record, fields, wire, notOfTheCandidate);
      finishReason = readReason(wire['finishReason']) ?? finishReason;
    },
    stop({ status, refusal = null, envelope, choices, usage, error }) {
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

  function pushContent(content: unknown, source: PartSource): void {
    if (content === undefined || content === null) return;
    if (!isJsonObject(content)) return malformed('The content of a candidate');
    if (role === '' && isText(content['role'])) role = content['role'];
    const list = content['parts'] ?? [];
    if (!Array.isArray(list)) return malformed('The list of parts of a candidate');
    // Read once a chunk, and only for parts that need it.
    let sources: readonly string[] | undefined;
    for (const [at, part] of list.entries()) {
      parts.push(part, () => {
        sources ??= elementTextsAt(source() ?? '', ['content', 'parts']);
        return sources[at];
      });
    }
  }

  function malformed(what: string): void {
    record.warn('malformed_event', `${what} is of a type that cannot be; it is ignored`);
  }

  function settle(isComplete: boolean, error: TurnError | undefined): void {
    try {
      parts.settle({ isComplete, isCutting: isCutting(finishReason) });
    } catch (cause) {
      // The first failure is the one that matters.
      if (!error) throw cause;
    }
  }
}

/** Whether a piece of content has parts that do not join the text before them. */
function endsText(content: unknown): boolean {
  const parts = isJsonObject(content) ? content['parts'] : undefined;
  if (!Array.isArray(parts)) return false;
  return parts.some((part: unknown) => {
    const text = isJsonObject(part) ? plainText(part) : undefined;
    return text === undefined || (text !== '' && isJsonObject(part) && part['thought'] === true);
  });
}
