import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/core/finding.ts';
import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import { functionResponses, gemini } from '../../../src/gemini.ts';
import { assembleTurn } from '../../../src/index.ts';
import { checkRequest } from '../../../src/replay/check-request.ts';
import { listDocuments, listRecordings } from '../../recordings.ts';

const accepted = listDocuments('corpus/replays').flatMap(({ name, document }) => {
  if (!name.startsWith('gemini--') || !isJsonObject(document)) return [];
  const { next_request_body: body, stream, url } = document;
  const [, model] = /models\/([^:]+)/.exec(String(url)) ?? [];
  return isJsonObject(body) ? [{ name, body, model, stream: String(stream) }] : [];
});

const refused = listDocuments('corpus/refusals').flatMap(({ document }) => {
  const body = isJsonObject(document) ? document['request_body'] : undefined;
  return isJsonObject(body) && 'contents' in body ? [body] : [];
});

describe.skipIf(accepted.length === 0)('requests that Gemini accepted', () => {
  const bytesOf = new Map(listRecordings('corpus/streams/gemini').map(({ name, bytes }) => [name, bytes]));

  test.each(accepted)('$name has no error', async ({ body, model, stream }) => {
    const bytes = bytesOf.get(stream.replace(/^streams\/gemini\/(.*)\.sse$/, '$1'));
    if (!bytes) throw new Error(`${stream} is missing`);
    const turns = [await assembleTurn(of(bytes), gemini).finalTurn()];
    expect(errorsOf(body)).toEqual([]);
    expect(errorsOf({ ...body, model })).toEqual([]);
    expect(errorsOf({ ...body, model }, { turns, previous: body })).toEqual([]);
  });

  test('are as many as were recorded', () => {
    expect(accepted).toHaveLength(52);
    expect(accepted.filter(({ model }) => model?.startsWith('gemini-3'))).not.toEqual([]);
  });
});

describe.skipIf(refused.length === 0)('requests that Gemini refused', () => {
  test('the one that was recorded is found', () => {
    expect(refused.map((body) => errorsOf(body).map(({ code }) => code))).toEqual([['unknown_role']]);
  });
});

function errorsOf(body: JsonObject, context: Parameters<typeof checkRequest>[2] = {}): readonly Finding[] {
  return checkRequest(body, gemini, context).filter(({ severity }) => severity === 'error');
}

describe('requests that go on from a recorded turn', () => {
  const recordings = listRecordings('corpus/streams/gemini');
  const user = { role: 'user', parts: [{ text: 'Go on.' }] };

  test.skipIf(recordings.length === 0)('have no error, whatever the turn', async () => {
    const faults: string[] = [];
    let checked = 0;
    for (const { name, bytes } of recordings) {
      const turn = await assembleTurn(of(bytes), gemini).settled();
      if (turn.entries.length === 0) continue;
      const results = turn.toolCalls.map(({ id }) => ({ id, content: 'x' }));
      const answers = results.length > 0 ? [functionResponses(turn, results)] : [];
      const body = { model: turn.model ?? 'gemini', contents: [user, ...turn.entries, ...answers, user] };
      faults.push(...errorsOf(body, { turns: [turn] }).map(({ code, path }) => `${name} ${code} ${path}`));
      faults.push(...errorsOf({ ...body, contents: body.contents.slice(0, -1) }).map(({ code }) => `${name} ${code}`));
      checked += 1;
    }
    expect(checked).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });
});
