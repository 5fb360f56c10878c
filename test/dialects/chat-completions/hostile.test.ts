import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { chatCompletions } from '../../../src/chat-completions.ts';
import { LimitExceededError } from '../../../src/core/errors.ts';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { Limits } from '../../../src/core/limits.ts';
import type { AssembledTurn } from '../../../src/core/turn.ts';
import { assembleTurn } from '../../../src/rx/assemble-turn.ts';
import { assemble, blocks, call, chunk, chunks, done, message, shown, sse, toolCalls } from './wire-chunks.ts';

describe('calls that cannot be trusted', () => {
  test.each([[[1]], [7], [true]])('never run with arguments that are %j and no object', async (value) => {
    const deltas = [call({ index: 0, id: 'a' }, { name: 'f', arguments: value })];
    const assembled = await assemble(chunks(deltas, 'tool_calls'));
    expect(toolCalls(assembled)).toEqual([]);
    expect(assembled.turn.blocks.map(({ state }) => state)).toEqual(['invalid']);
  });

  test('go back and run under ids of their own when two have the same', async () => {
    const assembled = await assemble(
      chunks(
        [
          call({ index: 0, id: 'a', type: 'function' }, { name: 'f', arguments: '{"x":1}' }),
          call({ index: 1, id: 'a', type: 'function' }, { name: 'g', arguments: '{"y":2}' }),
        ],
        'tool_calls',
      ),
    );
    const ids = assembled.turn.toolCalls.map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe('a');
    expect(ids[1]).not.toBe('a');
    expect(assembled.turn.repairs.map(({ code }) => code)).toEqual(['duplicate_id']);
    const sent = message(assembled)?.['tool_calls'] as readonly JsonObject[];
    expect(sent.map(({ id }) => id)).toEqual(ids);
  });

  test('of the old kind are one, whatever names come', async () => {
    const deltas = [
      { function_call: { name: 'f', arguments: '{"x"' } },
      { function_call: { name: 'g', arguments: ':1}' } },
    ];
    const assembled = await assemble(chunks(deltas, 'function_call'));
    expect(assembled.turn.toolCalls.map(({ inputText }) => inputText)).toEqual(['{"x":1}']);
  });
});

describe('choices that say things twice or not at all', () => {
  test('show a message once when it repeats the deltas', async () => {
    const repeated: JsonObject = {
      ...chunk({}),
      choices: [{ index: 0, message: { role: 'assistant', content: 'Half past nine.' }, finish_reason: 'stop' }],
    };
    const assembled = await assemble([chunk({ content: 'Half past ' }), chunk({ content: 'nine.' }), repeated]);
    expect(blocks(assembled)).toEqual(['text finished Half past nine.']);
  });

  test.each([[''], [null], [false]])('keep their finish reason when a later one is %j', async (reason) => {
    const later: JsonObject = { ...chunk({}), choices: [{ index: 0, delta: {}, finish_reason: reason }] };
    const { turn } = await assemble([chunk({ content: 'Half' }), chunk({}, 'length'), later]);
    expect(turn.stopReason).toBe('length');
  });

  test('keep logprobs whose names are those of every object', async () => {
    const wire =
      '{"index":0,"delta":{"content":"a"},"logprobs":{"constructor":[1],"__proto__":[2]},"finish_reason":"stop"}';
    const body = `data: {"id":"chat_1","object":"chat.completion.chunk","choices":[${wire}]}\n\ndata: [DONE]\n\n`;
    const { turn } = await assemble(body);
    expect(turn.status).toBe('complete');
    expect(JSON.stringify(turn.envelope['logprobs'])).toBe('{"constructor":[1],"__proto__":[2]}');
  });

  test('count together against the limits', async () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      ...chunk({}),
      choices: [{ index, delta: { content: 'a'.repeat(100) }, finish_reason: 'stop' }],
    }));
    const source = of(sse(...many) + done);
    const turn = await assembleTurn(source, chatCompletions(), { limits: { turnLength: 1000 } }).settled();
    expect(turn.status).toBe('failed');
    expect(turn.error).toBeInstanceOf(LimitExceededError);
    const roomy = await assembleTurn(source, chatCompletions(), { limits: { turnLength: 10_000 } }).settled();
    expect(roomy.status).toBe('complete');
  });
});

describe('errors in the shapes of many servers', () => {
  test.each<JsonObject>([
    { error: 'Too much at once' },
    { error: { message: 'Too much at once' } },
    { object: 'error', message: 'Too much at once' },
    { type: 'error', message: 'Too much at once' },
    { choices: [{ index: 0, delta: {}, error: 'Too much at once' }] },
    { choices: [{ index: 0, delta: {}, error: { message: 'Too much at once' } }] },
  ])('fail the turn: %j', async (wire) => {
    const { turn } = await assemble([chunk({ content: 'Half' }), wire]);
    expect(turn.status).toBe('failed');
    expect(turn.error?.message).toContain('Too much at once');
    expect(turn.blocks.map(({ text }) => text)).toEqual(['Half']);
  });

  test.each([[''], [null], [false]])('are none when the member is %j', async (error) => {
    const { turn } = await assemble([chunk({ content: 'Half' }, null, { error }), chunk({}, 'stop', { error })]);
    expect(turn.status).toBe('complete');
  });
});

/** A chunk of any choice. */
function chunkOf(index: number, delta: JsonObject, finishReason: string | null = null): JsonObject {
  return { ...chunk({}), choices: [{ index, delta, finish_reason: finishReason }] };
}

function assembleWithin(limits: Partial<Limits>, events: readonly JsonObject[]): Promise<AssembledTurn> {
  return assembleTurn(of(sse(...events) + done), chatCompletions(), { limits }).settled();
}

describe('another choice', () => {
  test('is truncated, and runs nothing, when it has no finish reason', async () => {
    const { turn } = await assemble([
      chunkOf(0, { content: 'a' }, 'stop'),
      chunkOf(1, call({ index: 0, id: 'a' }, { name: 'f', arguments: '{}' })),
    ]);
    expect(turn.status).toBe('complete');
    expect(turn.choices).toMatchObject([{ status: 'truncated', toolCalls: [], entries: [] }]);
  });

  test('is one of as many as there may be blocks', async () => {
    const events = [0, 1, 2].map((index) => chunkOf(index, {}, 'stop'));
    expect((await assembleWithin({ blocks: 2 }, events)).status).toBe('complete');
    expect((await assembleWithin({ blocks: 2 }, [...events, chunkOf(3, {}, 'stop')])).status).toBe('failed');
  });
});

describe('reasoning that is told again', () => {
  const detail = (members: JsonObject): JsonObject => ({ reasoning_details: [{ index: 0, ...members }] });

  test('keeps all of a cumulative text that starts anew', async () => {
    const texts = ['abc', 'xyz1'].map((text) => detail({ type: 'reasoning.text', text }));
    const assembled = await assemble(chunks(texts), { cumulativeReasoning: true });
    expect(shown(assembled, 'reasoning_delta').join('')).toBe('abcxyz1');
  });

  test('ends with the ciphertext that came last, were it one that came before', async () => {
    const data = ['A', 'B', 'A'].map((text) => detail({ type: 'reasoning.encrypted', id: 'rs_1', data: text }));
    const sent = message(await assemble(chunks([...data, { content: 'Done.' }])))?.['reasoning_details'];
    expect(sent).toEqual([{ index: 0, type: 'reasoning.encrypted', id: 'rs_1', data: 'A' }]);
  });

  test('counts a signature that comes alone', async () => {
    const signature = detail({ type: 'reasoning.text', signature: 's'.repeat(200) });
    const events = [chunk(detail({ type: 'reasoning.text', text: 'a' })), chunk(signature), chunk({}, 'stop')];
    const turn = await assembleWithin({ turnLength: 100 }, events);
    expect(turn.error).toBeInstanceOf(LimitExceededError);
  });
});
