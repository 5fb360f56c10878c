import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/core/finding.ts';
import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import { assembleTurn } from '../../../src/index.ts';
import { checkRequest } from '../../../src/replay/check-request.ts';
import { responses, toolOutputs } from '../../../src/responses.ts';
import { listDocuments } from '../../recordings.ts';
import { listResponsesRecordings } from './recorded-events.ts';

/** What is found of each recorded refusal, by the start of its name; `none` where its reason is not in the rules. */
const refusals: Readonly<Record<string, string>> = {
  'maruel-genai-logprobs_are_not_supported': 'sampling_with_reasoning',
  'pydantic-ai-No_tool_output_found': 'message_before_output',
  'req_llm-a-Missing_required_parameter_tools_0_name': 'missing_tool_name',
  // The type of a file, the tools of one model, and which responses the service has are not matters of replay.
  'pydantic-ai-Invalid_file_data': 'none',
  'req_llm-a-Deep_research_models': 'none',
  'rig-Previous_response_with_id': 'none',
};

const accepted = listDocuments('corpus/replays').flatMap(({ name, document }) => {
  const isOurs = name.startsWith('responses--') && isJsonObject(document);
  return isOurs && isJsonObject(document['next_request_body'])
    ? [{ name, body: document['next_request_body'], stream: String(document['stream']) }]
    : [];
});

const refused = listDocuments('corpus/refusals').flatMap(({ name, document }) => {
  const body = isJsonObject(document) ? document['request_body'] : undefined;
  return isJsonObject(body) && 'input' in body ? [{ name, body }] : [];
});

describe.skipIf(accepted.length === 0)('requests that services accepted', () => {
  const bytesOf = new Map(listResponsesRecordings().map(({ name, bytes }) => [name, bytes]));

  test.each(accepted)('$name has no error', async ({ body, stream }) => {
    const bytes = bytesOf.get(stream.replace(/^streams\/responses\/(.*)\.sse$/, '$1'));
    if (!bytes) throw new Error(`${stream} is missing`);
    const turn = await assembleTurn(of(bytes), responses).finalTurn();
    expect(errorsOf(body)).toEqual([]);
    expect(errorsOf(body, { turns: [turn] })).toEqual([]);
    expect(errorsOf(body, { previous: body })).toEqual([]);
  });

  test('are as many as were recorded', () => {
    expect(accepted).toHaveLength(56);
  });
});

describe.skipIf(refused.length === 0)('requests that services refused', () => {
  test.each(refused)('$name is found, or its reason is no matter of replay', ({ name, body }) => {
    const [, code] = Object.entries(refusals).find(([start]) => name.startsWith(start)) ?? [];
    const codes = errorsOf(body).map((finding) => finding.code);
    if (code === 'none') expect(codes).toEqual([]);
    else expect(codes).toContain(code);
  });
});

function errorsOf(body: JsonObject, context: Parameters<typeof checkRequest>[2] = {}): readonly Finding[] {
  return checkRequest(body, responses, context).filter(({ severity }) => severity === 'error');
}

describe('requests that go on from a recorded turn', () => {
  const recordings = listResponsesRecordings();
  const user = { role: 'user', content: 'Go on.' };
  const contents: Readonly<Record<string, unknown>> = { computer: { type: 'computer_screenshot' }, tool_search: [] };

  test.skipIf(recordings.length === 0)('have no error, whatever the turn', async () => {
    const faults: string[] = [];
    let checked = 0;
    for (const { name, bytes } of recordings) {
      const turn = await assembleTurn(of(bytes), responses).settled();
      if (turn.entries.length === 0) continue;
      const outputs = toolOutputs(
        turn,
        turn.toolCalls.map(({ id, name }) => ({ id, content: contents[name] ?? 'x' })),
      );
      const body = { model: turn.model ?? 'model', input: [user, ...turn.entries, ...outputs, user] };
      faults.push(...errorsOf(body, { turns: [turn] }).map(({ code, path }) => `${name} ${code} ${path}`));
      checked += 1;
    }
    expect(checked).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });
});
