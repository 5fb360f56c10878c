import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import { gemini } from '../../../src/gemini.ts';
import { assembleTurn, stringifyRequest } from '../../../src/index.ts';
import { listDocuments, listRecordings } from '../../recordings.ts';
import { type Difference, type Replay, withoutDifferences } from '../accepted-replay.ts';

const differences: readonly Difference[] = [
  {
    kind: 'thought_false',
    why: 'The client writes out that a part is no thought',
    undo: (accepted, streamed) =>
      mapParts(accepted, streamed, (part, { thought }) =>
        part['thought'] === false && thought === undefined ? without(part, 'thought') : part,
      ),
  },
  {
    kind: 'signature_re_encoded',
    why: 'The client decodes the signature, and encodes it for addresses: the same bytes with two other letters',
    undo: (accepted, streamed) =>
      mapParts(accepted, streamed, (part, { thoughtSignature: signature }) => {
        const { thoughtSignature: sent } = part;
        const isOther = typeof signature === 'string' && sent !== signature && sent === forAddresses(signature);
        return isOther ? { ...part, thoughtSignature: signature } : part;
      }),
  },
  {
    kind: 'signed_tail_lost',
    why: 'The client dropped the empty text at the end with the signature of the answer; the model does not insist on it',
    undo(accepted, streamed) {
      const [sent, parts] = [partsOf(accepted), partsOf(streamed)];
      const tail = parts.at(-1);
      const isLost = sent.length === parts.length - 1 && tail?.['text'] === '' && 'thoughtSignature' in tail;
      return isLost ? { ...accepted, parts: [...sent, tail] } : accepted;
    },
  },
  {
    kind: 'call_id_invented',
    why: 'The client gave the call an id, for the wire had none',
    undo: (accepted, streamed) =>
      mapCalls(accepted, streamed, (call, { id }) => (id === undefined && 'id' in call ? without(call, 'id') : call)),
  },
  {
    kind: 'call_in_pieces',
    why: 'The client sends the pieces of the arguments as they came, not the arguments',
    undo: (accepted, streamed) =>
      mapCalls(accepted, streamed, (call, { args }) => {
        const { partialArgs } = call;
        const isFlat = Array.isArray(partialArgs) && JSON.stringify(flatArgs(partialArgs)) === JSON.stringify(args);
        return isFlat ? { ...without(call, 'partialArgs'), args } : call;
      }),
  },
  {
    kind: 'call_mended',
    why: 'The client gave the call the name of another tool, which is what that recording is about',
    undo: (accepted, streamed) =>
      mapCalls(accepted, streamed, (call, { name }) =>
        call['name'] === 'sum' && name === 'add' ? { ...call, name } : call,
      ),
  },
];

const replays = listReplays();
const names = replays.map((replay) => [replay.name, replay] as const);

describe.skipIf(replays.length === 0)('gemini, beside the requests that the services accepted', () => {
  const kindsThatOccur: string[] = [];

  test.each(names)('gives back for %s what was accepted', async (_name, { bytes, messages }) => {
    const streamed = await replayedContent(bytes);
    const accepted = messages.findLast(({ role }) => role === 'model');
    if (!accepted) throw new Error('nothing was sent back');
    const { kinds, restored } = withoutDifferences(differences, accepted, streamed);
    kindsThatOccur.push(...kinds);
    expect(streamed).toStrictEqual(restored);
  });

  test('meets each of the known kinds of difference', () => {
    expect([...new Set(kindsThatOccur)].sort()).toEqual(differences.map(({ kind }) => kind).sort());
  });
});

function listReplays(): readonly Replay[] {
  const bytesOf = new Map(listRecordings('corpus/streams/gemini').map(({ name, bytes }) => [name, bytes]));
  return listDocuments('corpus/replays').flatMap(({ name, document }) => {
    if (!name.startsWith('gemini--') || !isJsonObject(document)) return [];
    const { stream, next_request_body: body } = document;
    const bytes = bytesOf.get(String(stream).replace(/^streams\/gemini\/(.*)\.sse$/, '$1'));
    if (!bytes || !isJsonObject(body) || !Array.isArray(body['contents'])) throw new Error(`${name} lacks a stream`);
    return [{ name: name.slice(0, -'.json'.length), bytes, messages: body['contents'].filter(isJsonObject) }];
  });
}

/** The entry as it would be sent. */
async function replayedContent(bytes: Uint8Array): Promise<JsonObject> {
  const { entries } = await assembleTurn(of(bytes), gemini).finalTurn();
  expect(entries).toHaveLength(1);
  const sent: unknown = JSON.parse(stringifyRequest(entries[0]));
  if (!isJsonObject(sent)) throw new Error('The entry is no object');
  return sent;
}

function partsOf({ parts }: JsonObject): readonly JsonObject[] {
  return Array.isArray(parts) ? parts.filter(isJsonObject) : [];
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([member]) => member !== name));
}

/** The content with other parts; the very same one if none is another. */
function mapParts(
  accepted: JsonObject,
  streamed: JsonObject,
  replace: (part: JsonObject, streamed: JsonObject) => JsonObject,
): JsonObject {
  const [sent, originals] = [partsOf(accepted), partsOf(streamed)];
  const replaced = sent.map((part, at) => replace(part, originals[at] ?? {}));
  return replaced.every((part, at) => part === sent[at]) ? accepted : { ...accepted, parts: replaced };
}

function mapCalls(
  accepted: JsonObject,
  streamed: JsonObject,
  replace: (call: JsonObject, streamed: JsonObject) => JsonObject,
): JsonObject {
  return mapParts(accepted, streamed, (part, original) => {
    const { functionCall } = part;
    const { functionCall: known } = original;
    if (!isJsonObject(functionCall) || !isJsonObject(known)) return part;
    const replaced = replace(functionCall, known);
    return replaced === functionCall ? part : { ...part, functionCall: replaced };
  });
}

/** Arguments of numbers that stand at the top. */
function flatArgs(pieces: readonly unknown[]): JsonObject {
  const members = pieces
    .filter(isJsonObject)
    .map((piece) => [String(piece['jsonPath']).slice(2), piece['numberValue']]);
  return Object.fromEntries(members);
}

function forAddresses(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}
