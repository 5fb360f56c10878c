import type { TurnError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject, setMember } from '../../core/json-object.ts';
import { mergeSaid } from '../../core/merge-fields.ts';
import type { AssembledTurn, TurnStatus, Usage } from '../../core/turn.ts';
import type { TurnRecord } from '../../core/turn-record.ts';
import { type ChoiceOptions, createChoice, type DeltaSource } from './choice.ts';
import type { ChatCompletionsEntry, Entries } from './entries.ts';

/** How an answer ended, as far as the stream says. */
export interface AnswerEnd {
  readonly status: TurnStatus;
  /** What the chunks said outside their choices. */
  readonly envelope: JsonObject;
  readonly choices?: readonly AssembledTurn<ChatCompletionsEntry>[];
  readonly usage?: Usage | undefined;
  readonly error?: TurnError | undefined;
}

/** One choice with what stands around its message: finish reason, log probabilities, filter results. */
export interface Answer {
  /** The last that was not empty. */
  readonly finishReason: string | null;
  /** Takes the choice of one chunk, and what finds the source text of a value inside it. */
  push(choice: JsonObject, sourceAt: DeltaSource): void;
  /** Ends it, and returns the turn that it became. */
  stop(end: AnswerEnd): AssembledTurn<ChatCompletionsEntry>;
}

/** Members of a choice that are read elsewhere. */
const notOfTheAnswer = new Set(['delta', 'message', 'index', 'usage', 'logprobs', 'finish_reason']);

/** Makes the answer of one choice, which becomes the turn of its record. */
export function createAnswer(record: TurnRecord<ChatCompletionsEntry>, options: ChoiceOptions): Answer {
  const choice = createChoice(record, options);
  const fields: JsonObject = {};
  let finishReason: string | null = null;
  let hasGrown = false;
  const logprobs: Record<string, unknown[]> = {};

  return {
    get finishReason() {
      return finishReason;
    },
    push(wire, sourceAt) {
      const name = growthOf(wire);
      const growth = wire[name];
      if (isJsonObject(growth)) choice.push(growth, (path) => sourceAt([name, ...path]));
      else if (typeof wire['text'] === 'string') {
        record.warn('unknown_event', 'A choice came with a text and no delta, as in a stream of plain completions');
      }
      if (isJsonObject(wire['logprobs'])) appendLogprobs(wire['logprobs']);
      mergeSaid(fields, wire, notOfTheAnswer);
      const reason = wire['finish_reason'];
      // The last that says something: what says nothing must not hide that the answer was cut.
      if (typeof reason === 'string' && reason !== '') finishReason = reason;
    },
    stop({ status, envelope, choices, usage, error }) {
      const stopReason = finishReason;
      settle(status, stopReason, error);
      const isComplete = status === 'complete';
      const finished = (): Entries => choice.entries(isComplete);
      const goesBack = isComplete ? finished() : { entries: [], repairs: [], finished };
      const whole = {
        ...envelope,
        ...fields,
        finish_reason: stopReason,
        ...(Object.keys(logprobs).length > 0 && { logprobs }),
      };
      return record.stop({ ...goesBack, status, stopReason, carry: {}, envelope: whole, choices, usage, error });
    },
  };

  function settle(status: TurnStatus, stopReason: string | null, error: TurnError | undefined): void {
    try {
      choice.settle(status === 'complete', stopReason);
    } catch (cause) {
      // The first failure is the one that matters.
      if (!error) throw cause;
    }
  }

  /** A server that sends the whole message has no delta; behind deltas it only repeats them. */
  function growthOf({ delta, message }: JsonObject): 'delta' | 'message' {
    const isDelta = isJsonObject(delta) && Object.keys(delta).length > 0;
    const name = isDelta || hasGrown || !isJsonObject(message) ? 'delta' : 'message';
    hasGrown ||= isDelta || name === 'message';
    return name;
  }

  function appendLogprobs(more: JsonObject): void {
    for (const [name, list] of Object.entries(more)) {
      if (!Array.isArray(list)) continue;
      record.count(JSON.stringify(list).length);
      const known = Object.hasOwn(logprobs, name) ? logprobs[name] : undefined;
      if (known) for (const item of list) known.push(item);
      else setMember(logprobs, name, [...list]);
    }
  }
}
