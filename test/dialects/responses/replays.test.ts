import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import { type AssembledTurn, assembleTurn, stringifyRequest } from '../../../src/index.ts';
import { continueResponse, type ResponsesEntry, responses, toolOutputs } from '../../../src/responses.ts';
import { listDocuments } from '../../recordings.ts';
import { withoutDifferences } from '../accepted-replay.ts';
import { listResponsesRecordings } from './recorded-events.ts';
import { isCounterpart, isOutput, itemDifferences, outputDifferences } from './replay-differences.ts';

/** A recorded stream, and the request that a client sent after it and the service accepted. */
interface Replay {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly previousResponseId: unknown;
  readonly isStored: boolean;
  readonly input: readonly JsonObject[];
}

/** Why an item of the turn is not in the request. */
const missing: Readonly<Record<string, string>> = {
  reasoning_dropped: 'The client sends the call or the message without the reasoning that led to it',
  compacted: 'The client sends what was compacted in place of the message before it',
  another_agent: 'The stream is an answer that went elsewhere: the request is of a parallel run',
};

const replays = listReplays();
const names = replays.map((replay) => [replay.name, replay] as const);

describe.skipIf(replays.length === 0)('responses, beside the requests that the services accepted', () => {
  const kindsThatOccur = new Set<string>();
  const meet = (kinds: readonly string[]): void => kinds.forEach((kind) => void kindsThatOccur.add(kind));

  const whole = names.filter(([, { previousResponseId }]) => previousResponseId === undefined);
  const byId = names.filter(([, { previousResponseId }]) => previousResponseId !== undefined);

  test.each(whole)('gives back for %s what was accepted, in its order', async (_name, replay) => {
    const { input } = replay;
    const streamed = sent((await assemble(replay)).entries);
    const found = streamed.map((item) => input.find((accepted) => isCounterpart(accepted, item)));
    for (const [place, item] of streamed.entries()) {
      const accepted = found[place];
      if (!accepted) {
        meet([reasonMissing(item, streamed, found.some(Boolean))]);
        expect(JSON.stringify(input)).not.toContain(JSON.stringify(item['content'] ?? item['id']));
        continue;
      }
      const { restored, kinds } = withoutDifferences(itemDifferences, accepted, item);
      meet(kinds);
      expect(restored).toStrictEqual(item);
    }
    const places = found.flatMap((accepted) => (accepted ? [input.indexOf(accepted)] : []));
    expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
  });

  test.each(names)('builds for %s the outputs that were accepted', async (_name, replay) => {
    const turn = await assemble(replay);
    const accepted = outputsFor(turn, replay.input);
    if (accepted.length === 0) return expect(turn.toolCalls).toEqual([]);
    const results = accepted.map(({ call_id: id, output }) => ({ id: String(id), content: output }));
    const built = sent(toolOutputs(turn, results.toReversed()));
    expect(built).toHaveLength(accepted.length);
    for (const [place, output] of built.entries()) {
      const { restored, kinds } = withoutDifferences(outputDifferences, accepted[place] ?? {}, output);
      meet(kinds);
      expect(output).toStrictEqual(restored);
    }
  });

  test.each(byId)('goes on for %s by the id that was accepted, with nothing but the outputs', async (_name, replay) => {
    const turn = await assemble(replay);
    expect(turn.carry).toEqual({ previousResponseId: replay.previousResponseId });
    const results = replay.input.map(({ call_id: id, output }) => ({ id: String(id), content: output }));
    const next = continueResponse(turn, toolOutputs(turn, results));
    expect(next).toEqual({ previous_response_id: replay.previousResponseId, input: replay.input });
  });

  test('meets each of the known kinds of difference', () => {
    const known = [...itemDifferences, ...outputDifferences].map(({ kind }) => kind);
    expect([...kindsThatOccur].sort()).toEqual([...known, ...Object.keys(missing)].sort());
    expect([whole.length, byId.length]).toEqual([53, 3]);
  });
});

/** The reason for which an item may be missing; throws where there is none. */
function reasonMissing({ type }: JsonObject, turn: readonly JsonObject[], isRestThere: boolean): string {
  if (!isRestThere) return 'another_agent';
  if (type === 'reasoning') return 'reasoning_dropped';
  if (type === 'message' && turn.some((item) => item['type'] === 'compaction')) return 'compacted';
  throw new Error(`The ${String(type)} item is not in the accepted request`);
}

function assemble({ bytes, isStored }: Replay): Promise<AssembledTurn<ResponsesEntry>> {
  return assembleTurn(of(bytes), responses({ store: isStored })).finalTurn();
}

/** Items as they would be sent. */
function sent(list: readonly unknown[]): JsonObject[] {
  return JSON.parse(stringifyRequest(list)) as JsonObject[];
}

/** The outputs of the turn's calls in an accepted request. */
function outputsFor({ toolCalls }: AssembledTurn<ResponsesEntry>, input: readonly JsonObject[]): readonly JsonObject[] {
  return input.filter((item) => isOutput(item) && toolCalls.some(({ id }) => id === item['call_id']));
}

function listReplays(): readonly Replay[] {
  const bytesOf = new Map(listResponsesRecordings().map(({ name, bytes }) => [name, bytes]));
  return listDocuments('corpus/replays').flatMap(({ name, document }) => {
    if (!name.startsWith('responses--') || !isJsonObject(document)) return [];
    const { stream, next_request_body: body } = document;
    const bytes = bytesOf.get(String(stream).replace(/^streams\/responses\/(.*)\.sse$/, '$1'));
    if (!bytes || !isJsonObject(body)) throw new Error(`${name} lacks a stream`);
    const { input, previous_response_id: previousResponseId, store } = body;
    // A request may ask with a mere text.
    const list = Array.isArray(input) ? input.filter(isJsonObject) : [{ role: 'user', content: input }];
    return [
      {
        name: name.slice('responses--'.length, -'.json'.length),
        bytes,
        previousResponseId,
        isStored: store !== false,
        input: list,
      },
    ];
  });
}
