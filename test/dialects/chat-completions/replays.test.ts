import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { chatCompletions } from '../../../src/chat-completions.ts';
import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import { assembleTurn, stringifyRequest } from '../../../src/index.ts';
import { listDocuments } from '../../recordings.ts';
import { type Difference, type Replay, withoutDifferences } from '../accepted-replay.ts';
import { chatFolders, listChatRecordings } from './recorded-chunks.ts';

const differences: readonly Difference[] = [
  {
    kind: 'null_members',
    why: 'The client writes out the members of its SDK type that have no value',
    undo(accepted, streamed) {
      const added = Object.keys(accepted).filter((name) => accepted[name] === null && !(name in streamed));
      return added.length > 0 ? without(accepted, added) : accepted;
    },
  },
  addedMember('name', 'The client names the agent that spoke', (value) => typeof value === 'string'),
  addedMember('prefix', 'The client writes out that the message is no prefix, as Mistral knows them', isFalse),
  {
    kind: 'content_left_out',
    why: 'The client left out a content that is null beside calls',
    undo: (accepted, { content }) =>
      content === null && !('content' in accepted) ? { ...accepted, content } : accepted,
  },
  {
    kind: 'empty_content',
    why: 'The client sends an empty text where nothing was said',
    undo: (accepted, { content }) =>
      content === null && accepted['content'] === '' ? { ...accepted, content } : accepted,
  },
  {
    kind: 'content_as_list',
    why: 'The client sends a text as a list of one part',
    undo(accepted, { content }) {
      const list = JSON.stringify([{ type: 'text', text: content }]);
      return JSON.stringify(accepted['content']) === list ? { ...accepted, content } : accepted;
    },
  },
  {
    kind: 'content_lost',
    why: 'The client lost what was said before the calls, all of it or all but the first piece',
    undo(accepted, { content }) {
      const { content: kept } = accepted;
      const isLost = typeof content === 'string' && kept !== content && (kept === null || isStartOf(kept, content));
      return isLost && 'tool_calls' in accepted ? { ...accepted, content } : accepted;
    },
  },
  {
    kind: 'call_index',
    why: 'The client sends calls with their index, which is of the stream and means nothing here',
    undo: (accepted) =>
      mapCalls(accepted, (call) => (typeof call['index'] === 'number' ? without(call, ['index']) : call)),
  },
  {
    kind: 'parsed_arguments',
    why: 'The client sends a member of its SDK beside the arguments',
    undo: (accepted) =>
      mapFunctions(accepted, (called) =>
        called['parsed_arguments'] === null ? without(called, ['parsed_arguments']) : called,
      ),
  },
  {
    kind: 'arguments_reserialised',
    why: 'The client parsed the arguments and serialised them anew: other blanks, the same values in the same order',
    undo: (accepted, streamed) =>
      mapFunctions(accepted, (called, place) => {
        const text = argumentsOf(streamed, place);
        const isSame = text !== called['arguments'] && isReserialised(called['arguments'], text);
        return isSame ? { ...called, arguments: text } : called;
      }),
  },
  lostMember('reasoning', 'the service takes the turn back without it, as it is not signed'),
  lostMember('reasoning_content', 'the service takes the turn back without it'),
  lostMember('reasoning_details', 'its service mirrors them in `reasoning_content`, or takes the turn back without'),
  {
    kind: 'reasoning_mirrored',
    why: 'The client sends the reasoning a second time, under the name that other servers have for it',
    undo(accepted, { reasoning, reasoning_content: streamed }) {
      const { reasoning_content: mirror } = accepted;
      const isMirror = streamed === undefined && mirror !== undefined && mirror === reasoning;
      return isMirror ? without(accepted, ['reasoning_content']) : accepted;
    },
  },
  {
    kind: 'details_without_identity',
    why: 'The client lost ids and formats of details, or sends null for them',
    undo: (accepted, streamed) =>
      mapDetails(accepted, streamed, (detail, { id, format }) => {
        const lost = { ...(id !== undefined && { id }), ...(format !== undefined && { format }) };
        const rest = without(
          detail,
          ['id', 'format'].filter((name) => (detail[name] ?? null) === null),
        );
        return { ...lost, ...rest };
      }),
  },
  {
    kind: 'details_without_start',
    why: 'The client lost the first piece of the reasoning',
    undo: (accepted, streamed) =>
      mapDetails(accepted, streamed, (detail, { text }) => {
        const isEnd = typeof text === 'string' && typeof detail['text'] === 'string' && text.endsWith(detail['text']);
        return isEnd ? { ...detail, text } : detail;
      }),
  },
  {
    kind: 'details_invented',
    why: 'The client sends the summary as a text of its own making, without the ciphertext',
    undo(accepted, streamed) {
      const [invented, ...others] = listOf(accepted, 'reasoning_details');
      const [summary, encrypted] = listOf(streamed, 'reasoning_details');
      const isInvented =
        others.length === 0 &&
        encrypted?.['type'] === 'reasoning.encrypted' &&
        invented?.['type'] === 'reasoning.text' &&
        invented['text'] === summary?.['summary'];
      return isInvented ? { ...accepted, reasoning_details: streamed['reasoning_details'] } : accepted;
    },
  },
];

/** The stream is an answer that went elsewhere: that of an agent below, or of a parallel run. */
const anotherRequest = 'another_request';

const replays = listReplays();
const names = replays.map((replay) => [replay.name, replay] as const);

describe.skipIf(replays.length === 0)('chatCompletions, beside the requests that the services accepted', () => {
  const kindsThatOccur = new Set<string>();

  test.each(names)('gives back for %s what was accepted', async (_name, replay) => {
    const streamed = await replayedMessage(replay);
    const accepted = acceptedMessage(replay, streamed);
    if (!accepted) {
      kindsThatOccur.add(anotherRequest);
      const sent = JSON.stringify(replay.messages.filter(({ role }) => role === 'assistant'));
      expect(sent).not.toContain(JSON.stringify(streamed['content']));
      expect(streamed).not.toHaveProperty('tool_calls');
      return;
    }
    const { kinds, restored } = withoutDifferences(differences, accepted, streamed);
    for (const kind of kinds) kindsThatOccur.add(kind);
    expect(streamed).toStrictEqual(restored);
  });

  test('meets each of the known kinds of difference', () => {
    expect([...kindsThatOccur].sort()).toEqual([...differences.map(({ kind }) => kind), anotherRequest].sort());
  });
});

function addedMember(name: string, why: string, isAdded: (value: unknown) => boolean): Difference {
  return {
    kind: name,
    why,
    undo: (accepted, streamed) =>
      isAdded(accepted[name]) && !(name in streamed) ? without(accepted, [name]) : accepted,
  };
}

function lostMember(name: string, why: string): Difference {
  return {
    kind: `${name}_lost`,
    why: `The client dropped it; ${why}`,
    undo: (accepted, streamed) =>
      name in streamed && !(name in accepted) ? { ...accepted, [name]: streamed[name] } : accepted,
  };
}

function listReplays(): readonly Replay[] {
  const bytesOf = new Map(listChatRecordings().map(({ name, bytes }) => [name, bytes]));
  return listDocuments('corpus/replays').flatMap(({ name, document }) => {
    if (!chatFolders.some((folder) => name.startsWith(`${folder}--`)) || !isJsonObject(document)) return [];
    const { stream, next_request_body: body } = document;
    const bytes = bytesOf.get(String(stream).replace(/^streams\/(.*)\.sse$/, '$1'));
    if (!bytes || !isJsonObject(body) || !Array.isArray(body['messages'])) throw new Error(`${name} lacks a stream`);
    return [{ name: name.slice(0, -'.json'.length), bytes, messages: body['messages'].filter(isJsonObject) }];
  });
}

/** The entry as it would be sent. */
async function replayedMessage({ bytes }: Replay): Promise<JsonObject> {
  const { entries } = await assembleTurn(of(bytes), chatCompletions).finalTurn();
  expect(entries).toHaveLength(1);
  const sent: unknown = JSON.parse(stringifyRequest(entries[0]));
  if (!isJsonObject(sent)) throw new Error('The entry is no object');
  return sent;
}

/** The last assistant message, if it is that of this turn: it has its calls, or its text. */
function acceptedMessage({ messages }: Replay, streamed: JsonObject): JsonObject | undefined {
  const last = messages.findLast(({ role }) => role === 'assistant');
  if (!last) return undefined;
  const [idsOfLast, ids] = [last, streamed].map((message) => listOf(message, 'tool_calls').map(({ id }) => id));
  const isOfThisTurn =
    ids && ids.length > 0 ? JSON.stringify(ids) === JSON.stringify(idsOfLast) : last['content'] === streamed['content'];
  return isOfThisTurn ? last : undefined;
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function listOf(object: JsonObject, name: string): readonly JsonObject[] {
  const list = object[name];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** The message with other elements in one of its lists; the very same one if none is another. */
function mapList(
  message: JsonObject,
  name: string,
  replace: (element: JsonObject, place: number) => JsonObject,
): JsonObject {
  const list = listOf(message, name);
  const replaced = list.map(replace);
  return replaced.every((element, place) => element === list[place]) ? message : { ...message, [name]: replaced };
}

function mapCalls(message: JsonObject, replace: (call: JsonObject, place: number) => JsonObject): JsonObject {
  return mapList(message, 'tool_calls', replace);
}

function mapFunctions(message: JsonObject, replace: (called: JsonObject, place: number) => JsonObject): JsonObject {
  return mapCalls(message, (call, place) => {
    const { function: called } = call;
    const replaced = isJsonObject(called) ? replace(called, place) : called;
    return replaced === called ? call : { ...call, function: replaced };
  });
}

function mapDetails(
  message: JsonObject,
  streamed: JsonObject,
  replace: (detail: JsonObject, streamed: JsonObject) => JsonObject,
): JsonObject {
  const originals = listOf(streamed, 'reasoning_details');
  return mapList(message, 'reasoning_details', (detail, place) => {
    const original = originals[place];
    if (!original || detail['type'] !== original['type']) return detail;
    const replaced = replace(detail, original);
    return JSON.stringify(sorted(replaced)) === JSON.stringify(sorted(detail)) ? detail : replaced;
  });
}

function sorted(object: JsonObject): [string, unknown][] {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
}

function argumentsOf(message: JsonObject, place: number): string {
  const called = listOf(message, 'tool_calls')[place]?.['function'];
  return isJsonObject(called) ? String(called['arguments']) : '';
}

/** Whether both are the same JSON, member by member in the same order. */
function isReserialised(text: unknown, original: string): boolean {
  return typeof text === 'string' && JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(original));
}

function isStartOf(start: unknown, text: string): boolean {
  return typeof start === 'string' && text.startsWith(start);
}

function isFalse(value: unknown): boolean {
  return value === false;
}
