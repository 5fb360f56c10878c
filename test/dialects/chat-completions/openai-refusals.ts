import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import type { Answer } from './openai-answer.ts';
import { choicesOf, deltasOf, joinedLists } from './recorded-chunks.ts';

/** A habit of a server on which the SDK throws, and the stream with which it can be asked all the same. */
export interface Refusal {
  readonly kind: string;
  readonly why: string;
  /** What the SDK says. */
  readonly message: RegExp;
  /** The chunks without the habit; the very same list if they have it not. */
  mend(chunks: readonly JsonObject[]): readonly JsonObject[];
  /** Takes back out of the answer what mending put in. */
  undo?(answer: Answer, chunks: readonly JsonObject[]): Answer;
}

/** The finish reason that is put in where none came. */
const noReason = 'none_came';

/** All refusals. */
export const refusals: readonly Refusal[] = [
  {
    kind: 'no_choice_index',
    why: 'The choice of the last chunk has no index, so its finish reason is put nowhere',
    message: /missing finish_reason for choice/,
    mend: (chunks) => mapChoices(chunks, (choice) => ('index' in choice ? choice : { ...choice, index: 0 })),
  },
  {
    kind: 'no_finish_reason',
    why: 'The stream ended with [DONE] only, or one of its choices just ended; nothing of it can be had from the SDK',
    message: /missing finish_reason for choice/,
    mend(chunks) {
      const choices = chunks.flatMap(choicesOf);
      const missing = [...new Set(choices.map(({ index }) => index))].filter((place) =>
        choices.every(({ index, finish_reason: reason }) => index !== place || !reason),
      );
      const end = missing.map((index) => ({ index, delta: {}, finish_reason: noReason }));
      return [...chunks, { ...chunks.at(-1), usage: undefined, choices: end }];
    },
    undo: (answer) => (answer.finishReason === noReason ? { ...answer, finishReason: null } : answer),
  },
  {
    kind: 'no_role',
    why: 'Some servers never say that an assistant speaks',
    message: /missing role for choice/,
    mend: (chunks) => mapDeltas(chunks, (delta) => ({ ...delta, role: 'assistant' })),
  },
  {
    kind: 'no_type',
    why: 'Mistral leaves out the type of a call',
    message: /missing choices\[0\]\.tool_calls\[\d+\]\.type|tool call snapshot missing `type`/,
    mend: (chunks) => mapCalls(chunks, (call) => ({ ...call, type: 'function' })),
    undo({ message, ...rest }, chunks) {
      const hasType = joinedLists(deltasOf(chunks), 'tool_calls').some((call) => 'type' in call);
      const calls = message?.['tool_calls'];
      if (hasType || !Array.isArray(calls)) return { message, ...rest };
      const untyped = calls.filter(isJsonObject).map(({ type: _type, ...call }) => call);
      return { ...rest, message: { ...message, tool_calls: untyped } };
    },
  },
  {
    kind: 'no_choices',
    why: 'The last chunk of OpenAI’s own audio models has usage and no list of choices',
    message: /chunk\.choices is not iterable/,
    mend: (chunks) => chunks.map((chunk) => ('choices' in chunk ? chunk : { ...chunk, choices: [] })),
  },
  {
    kind: 'index_gap',
    why: 'The first call has the index 1, as the text before it has 0',
    message: /Cannot read properties of undefined \(reading 'type'\)/,
    mend(chunks) {
      const first = Math.min(...joinedLists(deltasOf(chunks), 'tool_calls').map(({ index }) => Number(index)));
      return mapCalls(chunks, (call) => ({ ...call, index: Number(call['index']) - first }));
    },
  },
  {
    kind: 'message_beside_delta',
    why: 'The SDK puts what stands beside the delta in place of all that was gathered',
    message: /no tool call snapshot/,
    mend: (chunks) => mapChoices(chunks, ({ message: _message, ...choice }) => choice),
  },
];

function mapChoices(chunks: readonly JsonObject[], replace: (choice: JsonObject) => JsonObject): readonly JsonObject[] {
  const mapped = chunks.map((chunk) => {
    const choices = choicesOf(chunk);
    const replaced = choices.map(replace);
    return replaced.every((choice, place) => choice === choices[place]) ? chunk : { ...chunk, choices: replaced };
  });
  return mapped.every((chunk, place) => chunk === chunks[place]) ? chunks : mapped;
}

function mapDeltas(chunks: readonly JsonObject[], replace: (delta: JsonObject) => JsonObject): readonly JsonObject[] {
  return mapChoices(chunks, (choice) => {
    const delta = isJsonObject(choice['delta']) ? choice['delta'] : {};
    return { ...choice, delta: replace(delta) };
  });
}

function mapCalls(chunks: readonly JsonObject[], replace: (call: JsonObject) => JsonObject): readonly JsonObject[] {
  return mapDeltas(chunks, (delta) => {
    const calls = delta['tool_calls'];
    return Array.isArray(calls) ? { ...delta, tool_calls: calls.filter(isJsonObject).map(replace) } : delta;
  });
}
