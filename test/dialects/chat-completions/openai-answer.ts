import type { ChatCompletionsEntry } from '../../../src/chat-completions.ts';
import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import type { AssembledTurn } from '../../../src/index.ts';
import { choicesOf } from './recorded-chunks.ts';

/** What is compared: the message that goes back, and what was said of it. */
export interface Answer {
  /** Null where there is nothing that goes back. */
  readonly message: JsonObject | null;
  readonly finishReason: unknown;
  readonly usage: unknown;
  /** Null where there are none; without the members that are. */
  readonly logprobs: unknown;
}

/** Our answer, as plain JSON. */
export function ownAnswer({ entries, stopReason, usage, envelope }: AssembledTurn<ChatCompletionsEntry>): Answer {
  const message: unknown = JSON.parse(JSON.stringify(entries[0] ?? null));
  return {
    message: isJsonObject(message) ? message : null,
    finishReason: stopReason,
    usage: usage.wire,
    logprobs: envelope['logprobs'] ?? null,
  };
}

/** That of the SDK. */
export function officialAnswer(completion: JsonObject): Answer {
  const choice = choicesOf(completion).find(({ index }) => index === 0) ?? {};
  const { message, finish_reason: finishReason, logprobs } = choice;
  const said = Object.entries(isJsonObject(logprobs) ? logprobs : {}).filter(([, list]) => list !== null);
  return {
    message: isJsonObject(message) ? message : null,
    finishReason,
    usage: completion['usage'] ?? null,
    logprobs: said.length > 0 ? Object.fromEntries(said) : null,
  };
}
