import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { anthropic } from '../../../src/anthropic.ts';
import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import { assembleTurn, stringifyRequest } from '../../../src/index.ts';
import { listDocuments, listRecordings } from '../../recordings.ts';
import { type Difference, type Replay, withoutDifferences } from '../accepted-replay.ts';

const differences: readonly Difference[] = [
  {
    kind: 'direct_caller',
    why: 'The client left out that the model itself is the caller, which is what a missing caller means',
    undo(accepted, { caller }) {
      const isLeftOut = isJsonObject(caller) && caller['type'] === 'direct' && !('caller' in accepted);
      return isLeftOut ? { ...accepted, caller } : accepted;
    },
  },
  {
    kind: 'cache_control',
    why: 'The client set a cache breakpoint of its own',
    undo(accepted, streamed) {
      const { cache_control: breakpoint, ...rest } = accepted;
      return breakpoint === undefined || 'cache_control' in streamed ? accepted : rest;
    },
  },
  {
    kind: 'citations',
    why: 'The client dropped the citations of a text; the service does not need them back',
    undo(accepted, { type, citations }) {
      return type !== 'text' || citations === undefined || 'citations' in accepted
        ? accepted
        : { ...accepted, citations };
    },
  },
  {
    kind: 'null_page_age',
    why: 'The client left out a member of a search result that was null',
    undo(accepted, { content: streamedResults }) {
      const { content: results } = accepted;
      if (!Array.isArray(results) || !Array.isArray(streamedResults)) return accepted;
      const content = results.map((result: unknown, place) => withNullPageAge(result, streamedResults[place]));
      return content.every((result, place) => result === results[place]) ? accepted : { ...accepted, content };
    },
  },
  {
    kind: 'elided',
    why: 'The recording, not the client, shortened a long text',
    undo: (accepted, streamed) => {
      const restored = restoreElided(accepted, streamed);
      return isJsonObject(restored) ? restored : accepted;
    },
  },
];

/** The stream is the answer to the recorded request, so it is not in it. */
const anotherRequest = 'another_request';

const replays = listReplays();
const names = replays.map((replay) => [replay.name, replay] as const);

describe.skipIf(replays.length === 0)('anthropic, beside the requests that the service accepted', () => {
  const kindsThatOccur = new Set<string>();

  test.each(names)('gives back for %s what was accepted', async (_name, replay) => {
    const streamed = await replayedContent(replay);
    const accepted = acceptedContent(replay, streamed);
    if (!accepted) {
      const sent = replay.messages
        .filter(({ role }) => role === 'assistant')
        .flatMap(({ content }) => blocksOf(content));
      for (const block of streamed) expect(sent.map(essence)).not.toContainEqual(essence(block));
      kindsThatOccur.add(anotherRequest);
      return;
    }
    expect(accepted.map(essence)).toStrictEqual(streamed.map(essence));
    const undone = accepted.map((block, index) => {
      const { kinds, restored } = withoutDifferences(differences, block, streamed[index] ?? {});
      for (const kind of kinds) kindsThatOccur.add(kind);
      return restored;
    });
    expect(streamed).toStrictEqual(undone);
  });

  test('meets each of the known kinds of difference', () => {
    expect([...kindsThatOccur].sort()).toEqual([...differences.map(({ kind }) => kind), anotherRequest].sort());
  });
});

function listReplays(): readonly Replay[] {
  const bytesOf = new Map(listRecordings('corpus/streams/anthropic').map(({ name, bytes }) => [name, bytes]));
  return listDocuments('corpus/replays').flatMap(({ name, document }) => {
    if (!name.startsWith('anthropic--') || !isJsonObject(document)) return [];
    const { stream, next_request_body: body } = document;
    const bytes = bytesOf.get(String(stream).replace(/^streams\/anthropic\/(.*)\.sse$/, '$1'));
    if (!bytes || !isJsonObject(body) || !Array.isArray(body['messages'])) throw new Error(`${name} lacks a stream`);
    return [{ name: name.slice('anthropic--'.length, -'.json'.length), bytes, messages: body['messages'] }];
  });
}

/** The content of the entry as it would be sent. */
async function replayedContent({ bytes }: Replay): Promise<readonly JsonObject[]> {
  const { entries } = await assembleTurn(of(bytes), anthropic).finalTurn();
  expect(entries).toHaveLength(1);
  const sent: unknown = JSON.parse(stringifyRequest(entries[0]?.content));
  return blocksOf(sent);
}

/** The content of the last assistant message, if it is that of this turn: it has a call or a text of it. */
function acceptedContent({ messages }: Replay, streamed: readonly JsonObject[]): readonly JsonObject[] | undefined {
  const last = messages.findLast(({ role }) => role === 'assistant');
  const accepted = blocksOf(last?.['content']);
  const isOfThisTurn = accepted.some(({ id, text }) =>
    streamed.some((block) => (id === undefined ? text !== undefined && text === block['text'] : id === block['id'])),
  );
  return isOfThisTurn ? accepted : undefined;
}

function withNullPageAge(accepted: unknown, streamed: unknown): unknown {
  const isLeftOut = isJsonObject(accepted) && !('page_age' in accepted);
  return isLeftOut && isJsonObject(streamed) && streamed['page_age'] === null
    ? { ...accepted, page_age: null }
    : accepted;
}

function blocksOf(content: unknown): readonly JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

/** What must be equal in any case: order, ids, inputs, text, reasoning and its signature. */
function essence({ type, id, tool_use_id, name, input, text, thinking, signature, data }: JsonObject): JsonObject {
  return { type, id, tool_use_id, name, input, text, thinking, signature, data };
}

/** Puts the streamed text where the recording has its beginning and the number of characters that it left out. */
function restoreElided(accepted: unknown, streamed: unknown): unknown {
  if (typeof accepted === 'string' && typeof streamed === 'string')
    return isElided(accepted, streamed) ? streamed : accepted;
  if (!isJsonObject(accepted) || !isJsonObject(streamed)) return accepted;
  const members = Object.entries(accepted).map(([key, value]) => [key, restoreElided(value, streamed[key])] as const);
  return members.every(([key, value]) => value === accepted[key]) ? accepted : Object.fromEntries(members);
}

function isElided(accepted: string, streamed: string): boolean {
  const [, start, length] = /^(.*)…<elided (\d+) chars>$/s.exec(accepted) ?? [];
  return start !== undefined && streamed.startsWith(start) && streamed.length === start.length + Number(length);
}
