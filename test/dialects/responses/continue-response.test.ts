import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { AssembledTurn } from '../../../src/index.ts';
import { continueResponse, type ResponsesEntry, type ResponsesOptions, toolOutputs } from '../../../src/responses.ts';
import { stringifyRequest } from '../../../src/text/verbatim-json.ts';
import { assemble, call, completed, created, message, reasoning, sse } from './wire-events.ts';

const question = { type: 'message', role: 'user', content: 'When is high tide?' } as const;

async function turnOf(
  response: JsonObject = {},
  options: Partial<ResponsesOptions> = {},
): Promise<AssembledTurn<ResponsesEntry>> {
  const events = [created(response), ...reasoning(0), ...call(1, '{}'), completed([], response)];
  return (await assemble(events, options)).turn;
}

describe('continueResponse', () => {
  test('goes on by the id of the response, with nothing but what is new', async () => {
    const turn = await turnOf();
    const outputs = toolOutputs(turn, [{ id: 'call_1', content: 'at nine' }]);
    expect(continueResponse(turn, outputs)).toEqual({
      previous_response_id: 'resp_1',
      input: [{ type: 'function_call_output', call_id: 'call_1', output: 'at nine' }],
    });
  });

  test('sends everything again with a history, and no id', async () => {
    const turn = await turnOf();
    const outputs = toolOutputs(turn, [{ id: 'call_1', content: 'at nine' }]);
    const next = continueResponse(turn, outputs, { history: [question] });
    expect(next).toEqual({ input: [question, ...turn.entries, ...outputs] });
    expect(next.input.slice(1, 3)).toEqual(turn.entries);
  });

  test('goes on by the id with a history that is undefined', async () => {
    const turn = await turnOf();
    expect(continueResponse(turn, [question], { history: undefined })).toEqual(continueResponse(turn, [question]));
  });

  test('refuses a history that is a text, for it would be taken apart', async () => {
    const turn = await turnOf();
    const history = 'When is high tide?' as unknown as [];
    expect(() => continueResponse(turn, [], { history })).toThrow(TypeError);
    expect(() => continueResponse(turn, [], { history })).toThrow(/list of items/);
  });

  test('sends everything again with a history that is empty', async () => {
    const turn = await turnOf();
    expect(continueResponse(turn, [], { history: [] })).toEqual({ input: turn.entries });
  });

  test('keeps the source texts of the items, and leaves its arguments as they were', async () => {
    const item = '{"type":"tide_table","level":1.0}';
    const body = `${sse(created())}data: {"type":"response.output_item.done","output_index":0,"item":${item}}\n\n`;
    const { turn } = await assemble(body + sse(completed()));
    const [history, newItems] = [[question], [question]];
    const next = continueResponse(turn, newItems, { history });
    expect(stringifyRequest(next)).toBe(`{"input":[${[question, item, question].map(textOf).join()}]}`);
    next.input.push(question);
    expect([history, newItems, turn.entries.length]).toEqual([[question], [question], 1]);
    const byId = continueResponse(turn, newItems);
    byId.input.push(question);
    expect(newItems).toEqual([question]);
  });

  test('refuses a turn without an id to go on from, and says the way out', async () => {
    const unkept = [await turnOf({ store: false }), await turnOf({}, { store: false }), await turnOf({ id: '' })];
    for (const turn of unkept) {
      expect(() => continueResponse(turn, [])).toThrow(/Pass the history/);
      expect(continueResponse(turn, [question], { history: [] }).input).toHaveLength(turn.entries.length + 1);
    }
  });

  test('refuses a turn that is not complete, whichever way', async () => {
    const { turn } = await assemble([created(), ...message(0, 'x')]);
    expect(() => continueResponse(turn, [])).toThrow(/truncated cannot be gone on from/);
    expect(() => continueResponse(turn, [], { history: [] })).toThrow(TypeError);
  });
});

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
