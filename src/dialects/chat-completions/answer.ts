import type { WholeturnError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { mergeFields } from '../../core/merge-fields.ts';
import type { AssembledTurn, TurnStatus } from '../../core/turn.ts';
import type { TurnRecord } from '../../core/turn-record.ts';
import { type ChoiceOptions, createChoice } from './choice.ts';
import type { ChatCompletionsEntry } from './entries.ts';

/** How an answer ended, as far as the stream says. */
export interface AnswerEnd {
  readonly status: TurnStatus;
  /** What the chunks said outside their choices. */
  readonly envelope: JsonObject;
  readonly choices?: readonly AssembledTurn<ChatCompletionsEntry>[];
  readonly error?: WholeturnError | undefined;
}

/** One choice with what stands around its message: finish reason, log probabilities, filter results. */
export interface Answer {
  /** The last that was not empty. */
  readonly finishReason: string | null;
  /** Takes the choice of one chunk. */
  push(choice: JsonObject): void;
  /** Ends it, and returns the turn that it became. */
  stop(end: AnswerEnd): AssembledTurn<ChatCompletionsEntry>;
}

/** Makes the answer of one choice, which becomes the turn of its record. */
export function createAnswer(record: TurnRecord<ChatCompletionsEntry>, options: ChoiceOptions): Answer {
  const choice = createChoice(record, options);
  let fields: JsonObject = {};
  const logprobs: Record<string, unknown[]> = {};

  return {
    get finishReason() {
      return finishReason();
    },
    push({ delta, message, index: _index, usage: _usage, logprobs: more, ...rest }) {
      // A server that sends the whole message once has no delta beside it.
      const growth = delta ?? message;
      if (isJsonObject(growth)) choice.push(growth);
      if (isJsonObject(more)) appendLogprobs(more);
      const said = Object.entries(rest).filter(([, value]) => value !== '');
      fields = mergeFields(fields, Object.fromEntries(said));
    },
    stop({ status, envelope, choices, error }) {
      const stopReason = finishReason();
      choice.settle(status === 'complete', stopReason);
      const { entries, repairs } = status === 'complete' ? choice.entries() : { entries: [], repairs: [] };
      const whole = { ...envelope, ...fields, ...(Object.keys(logprobs).length > 0 && { logprobs }) };
      return record.stop({ status, stopReason, entries, repairs, carry: {}, envelope: whole, choices, error });
    },
  };

  function finishReason(): string | null {
    const reason = fields['finish_reason'];
    return typeof reason === 'string' ? reason : null;
  }

  function appendLogprobs(more: JsonObject): void {
    for (const [name, list] of Object.entries(more)) {
      if (Array.isArray(list)) logprobs[name] = [...(logprobs[name] ?? []), ...list];
    }
  }
}
