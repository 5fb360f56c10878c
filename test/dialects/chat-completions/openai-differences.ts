import { isDeepStrictEqual } from 'node:util';
import type { ChatCompletionsEntry } from '../../../src/chat-completions.ts';
import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import type { AssembledTurn, RepairCode } from '../../../src/index.ts';
import type { Answer } from './openai-answer.ts';
import { callsOf, choicesOf, deltasOf, joinedLists, joinedStrings } from './recorded-chunks.ts';

/** The wire and our reading of it, for one who wants to know what the SDK made of it. */
export interface Evidence {
  readonly chunks: readonly JsonObject[];
  readonly turn: AssembledTurn<ChatCompletionsEntry>;
}

/** Something in which the SDK's answer is not ours. */
export interface Difference {
  readonly kind: string;
  readonly why: string;
  /** The SDK's answer as it would be without this difference; the very same object where there is none. */
  undo(answer: Answer, evidence: Evidence): Answer;
}

/** The same for its message alone. */
type MessageUndo = (message: JsonObject, evidence: Evidence) => JsonObject | null;

/** Fields of a delta that are about the stream. */
const bookkeeping: ReadonlySet<string> = new Set(['channel', 'token_id', 'executed_tools', 'provider_metadata']);

/** All differences, in the order in which they are undone. */
export const differences: readonly Difference[] = [
  {
    kind: 'own_members',
    why: 'The SDK adds members of its own, which are not of the wire',
    undo: inMessage((message) =>
      without(message, (name, value) => (name === 'parsed' || name === 'refusal') && value === null),
    ),
  },
  {
    kind: 'audio_finish',
    why: 'The SDK takes a whole audio for an end where no finish reason came',
    undo: (answer, { turn }) =>
      turn.stopReason === null && answer.finishReason === 'stop' && answer.message?.['audio']
        ? { ...answer, finishReason: null }
        : answer,
  },
  lastPiece('reasoning'),
  lastPiece('reasoning_content'),
  lastPiece('reasoning_text'),
  lastPiece('reasoning_opaque'),
  {
    kind: 'last_details',
    why: 'The SDK assigns fields that it does not know: of all details it has those of the last chunk with any',
    undo: inMessage((message, { chunks, turn }) => {
      const pieces = joinedLists(deltasOf(chunks), 'reasoning_details');
      const details = turn.entries[0]?.reasoning_details;
      const isLast = isDeepStrictEqual(message['reasoning_details'], lastOf(chunks, 'reasoning_details'));
      const isWhole = isDeepStrictEqual(message['reasoning_details'], details);
      return isLast && !isWhole && details && isMergeOf(details, pieces)
        ? { ...message, reasoning_details: details }
        : message;
    }),
  },
  {
    kind: 'last_annotations',
    why: 'The same: of all annotations it has those of the last chunk with any',
    undo: inMessage((message, { chunks }) => {
      const all = deltasOf(chunks).flatMap((delta) => joinedLists([delta], 'annotations'));
      const isLast = isDeepStrictEqual(message['annotations'], lastOf(chunks, 'annotations'));
      return isLast && !isDeepStrictEqual(message['annotations'] ?? [], all)
        ? { ...message, annotations: all }
        : message;
    }),
  },
  {
    kind: 'null_members',
    why: 'The SDK keeps fields of the wire that say nothing',
    undo: inMessage((message) => without(message, (name, value) => name !== 'content' && value === null)),
  },
  {
    kind: 'bookkeeping',
    why: 'The SDK takes fields for a part of the message that are about the stream',
    undo: inMessage((message) => without(message, (name) => bookkeeping.has(name))),
  },
  {
    kind: 'content_as_list',
    why: 'The SDK adds lists to a string, and so has "[object Object]" once or many times',
    undo: inMessage((message, { chunks, turn }) => {
      const pieces = deltasOf(chunks).flatMap(({ content }) => (content ? [content] : []));
      const isGlued = pieces.some(Array.isArray) && message['content'] === pieces.map(String).join('');
      return isGlued ? { ...message, content: turn.entries[0]?.content } : message;
    }),
  },
  {
    kind: 'message_beside_delta',
    why: 'The SDK puts what stands beside the delta in place of all that was gathered',
    undo: inMessage((message, { chunks }) => {
      const isThere = chunks.flatMap(choicesOf).some((choice) => 'message' in choice && 'delta' in choice);
      const content = joinedStrings(deltasOf(chunks), 'content');
      return isThere && message['content'] === null && content ? { ...message, content } : message;
    }),
  },
  misplacedCalls('call_without_index', 'The SDK loses a call without an index', ({ index }) => index === undefined),
  misplacedCalls('call_at_minus_one', 'The SDK loses a call at the index -1', ({ index }) => index === -1),
  misplacedCalls('calls_at_one_index', 'The SDK glues calls together that share an index', isIndexShared),
  {
    kind: 'empty_arguments',
    why: 'Providers refuse empty and blank arguments, so ours go back as {}',
    undo: inCalls('empty_input', (called) =>
      String(called['arguments']).trim() === '' ? { ...called, arguments: '{}' } : called,
    ),
  },
  {
    kind: 'invalid_arguments',
    why: 'Servers refuse arguments that are no JSON object, so ours go back wrapped',
    undo: inCalls('invalid_input', (called) =>
      isJsonText(called['arguments'])
        ? called
        : { ...called, arguments: JSON.stringify({ INVALID_JSON: called['arguments'] }) },
    ),
  },
  {
    kind: 'cut_call',
    why: 'The SDK hands out a call that the token limit cut as if the model had sent it',
    undo: inMessage((message, { turn }) => {
      const { state, kind } = turn.blocks.at(-1) ?? {};
      if (kind !== 'tool_call' || state !== 'cut') return message;
      const calls = listOf(message['tool_calls']).slice(0, -1);
      return calls.length > 0 ? { ...message, tool_calls: calls } : without(message, (name) => name === 'tool_calls');
    }),
  },
  {
    kind: 'audio',
    why: 'Audio goes back as its id; its data and transcript are in the block',
    undo: inMessage((message) => {
      const { audio } = message;
      const isMore = isJsonObject(audio) && Object.keys(audio).some((name) => name !== 'id');
      return isMore ? { ...message, audio: { id: audio['id'] } } : message;
    }),
  },
  {
    kind: 'unsigned',
    why: 'Thinking that should be signed and is not is refused, and with it the strings that mirror it',
    undo: inMessage((message, { turn }) =>
      hasRepair(turn, 'unsigned')
        ? { ...without(message, (name) => name === 'reasoning'), reasoning_details: [] }
        : message,
    ),
  },
  {
    kind: 'nothing_to_send',
    why: 'A message without content, refusal, calls or audio is refused, so nothing goes back',
    undo: inMessage((message, { turn }) => {
      const speaks = message['content'] || ['tool_calls', 'audio', 'refusal'].some((name) => name in message);
      return !speaks && turn.entries.length === 0 ? null : message;
    }),
  },
  lostUsage('usage_in_x_groq', 'The SDK does not look where Groq puts it', ({ x_groq: groq }) => {
    return isJsonObject(groq) && isJsonObject(groq['usage']);
  }),
  lostUsage('usage_at_the_choice', 'The SDK does not look where Kimi puts it', (chunk) => {
    return choicesOf(chunk).some(({ usage }) => isJsonObject(usage));
  }),
  lostUsage('usage_without_id', 'The SDK takes nothing but choices from a chunk that has no id', ({ usage, id }) => {
    return isJsonObject(usage) && !id;
  }),
  lostUsage('usage_overwritten', 'The SDK overwrites it with the null of a later chunk', ({ usage }) => usage === null),
  {
    kind: 'last_logprobs',
    why: 'The SDK joins the log probabilities of content and refusal; of others it has the last',
    undo(answer, { chunks }) {
      const { logprobs } = answer;
      if (!isJsonObject(logprobs)) return answer;
      const pieces = chunks
        .flatMap(choicesOf)
        .flatMap((choice) => (isJsonObject(choice['logprobs']) ? [choice['logprobs']] : []));
      const joined = Object.keys(logprobs).map((name) => {
        return [name, pieces.flatMap((piece) => (Array.isArray(piece[name]) ? piece[name] : []))] as const;
      });
      const all = Object.fromEntries(joined);
      return isDeepStrictEqual(logprobs, all) ? answer : { ...answer, logprobs: all };
    },
  },
];

function inMessage(undo: MessageUndo): Difference['undo'] {
  return (answer, evidence) => {
    const message = answer.message && undo(answer.message, evidence);
    return message === answer.message ? answer : { ...answer, message };
  };
}

/** In what is called, where we repaired a call. */
function inCalls(code: RepairCode, undo: (called: JsonObject) => JsonObject): Difference['undo'] {
  return inMessage((message, { turn }) => {
    const calls = listOf(message['tool_calls']);
    const undone = calls.map((call) => {
      const called = isJsonObject(call['function']) ? undo(call['function']) : undefined;
      return called === call['function'] ? call : { ...call, function: called };
    });
    const isSame = undone.every((call, place) => call === calls[place]);
    return isSame || !hasRepair(turn, code) ? message : { ...message, tool_calls: undone };
  });
}

/** A string of which the SDK has the last piece, which may be null. */
function lastPiece(name: string): Difference {
  return {
    kind: `last_${name}`,
    why: 'The SDK assigns fields that it does not know: of many pieces it has the last',
    undo: inMessage((message, { chunks }) => {
      const joined = joinedStrings(deltasOf(chunks), name);
      const isLast = message[name] === lastOf(chunks, name) && message[name] !== joined;
      return isLast && joined !== undefined ? { ...message, [name]: joined } : message;
    }),
  };
}

/** Calls that the SDK puts at a wrong place: those of the wire are put together anew, by their ids. */
function misplacedCalls(
  kind: string,
  why: string,
  isMisplaced: (call: JsonObject, all: readonly JsonObject[]) => boolean,
): Difference {
  return {
    kind,
    why,
    undo: inMessage((message, { chunks }) => {
      const wire = joinedLists(deltasOf(chunks), 'tool_calls');
      return wire.some((call) => isMisplaced(call, wire)) ? { ...message, tool_calls: callsOf(wire) } : message;
    }),
  };
}

/** Whether another call began at the same index. */
function isIndexShared({ index, id }: JsonObject, all: readonly JsonObject[]): boolean {
  return all.some((other) => other['index'] === index && id && other['id'] && other['id'] !== id);
}

/** Usage that the SDK has not, or not all of: that of all chunks, the later over the earlier. */
function lostUsage(kind: string, why: string, isLost: (chunk: JsonObject) => boolean): Difference {
  return {
    kind,
    why,
    undo(answer, { chunks }) {
      const parts = chunks.flatMap((chunk) => {
        const { usage, x_groq: groq } = chunk;
        return [isJsonObject(groq) ? groq['usage'] : null, ...choicesOf(chunk).map((choice) => choice['usage']), usage];
      });
      const usage: JsonObject = Object.assign({}, ...parts.filter(isJsonObject));
      const isLess = Object.keys(usage).length > 0 && !isDeepStrictEqual(answer.usage, usage);
      return isLess && chunks.some(isLost) ? { ...answer, usage } : answer;
    },
  };
}

/** What a field had in the last delta that has it. */
function lastOf(chunks: readonly JsonObject[], name: string): unknown {
  return deltasOf(chunks).findLast((delta) => name in delta)?.[name];
}

/** Whether details hold all that the pieces say: the same text, summaries, signatures and ciphertexts, in order. */
function isMergeOf(details: readonly JsonObject[], pieces: readonly JsonObject[]): boolean {
  return ['text', 'summary', 'signature', 'data'].every(
    (name) => (joinedStrings(details, name) ?? '') === (joinedStrings(pieces, name) ?? ''),
  );
}

function hasRepair({ repairs }: Evidence['turn'], code: RepairCode): boolean {
  return repairs.some((repair) => repair.code === code);
}

/** The message without some members; the very same one if it has none of them. */
function without(message: JsonObject, isLeftOut: (name: string, value: unknown) => boolean): JsonObject {
  const members = Object.entries(message);
  const kept = members.filter(([name, value]) => !isLeftOut(name, value));
  return kept.length === members.length ? message : Object.fromEntries(kept);
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Whether a text is a JSON object, or blank, which reads as one. */
function isJsonText(text: unknown): boolean {
  try {
    return isJsonObject(JSON.parse(String(text).trim() || '{}'));
  } catch {
    return false;
  }
}
