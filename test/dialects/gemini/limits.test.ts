import { describe, expect, test } from 'vitest';
import { LimitExceededError } from '../../../src/core/errors.ts';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { Limits } from '../../../src/core/limits.ts';
import { createTurnStage } from '../../../src/core/turn-stage.ts';
import { gemini } from '../../../src/gemini.ts';
import { assemble, blocks, call, chunk, chunks, pieces } from './wire-chunks.ts';

async function failsWith(limits: Partial<Limits>, events: readonly JsonObject[]): Promise<unknown> {
  const { turn } = await assemble(events, {}, limits);
  expect(turn.status).toBe('failed');
  expect(turn.error).toBeInstanceOf(LimitExceededError);
  return (turn.error as LimitExceededError).limit;
}

describe('limits', () => {
  const long = 'x'.repeat(200);
  const citing = (uri: string): JsonObject => chunk([{ text: 'a' }], { citationMetadata: { citations: [{ uri }] } });

  test.each<[string, readonly JsonObject[]]>([
    ['text', chunks([{ text: long }])],
    ['reasoning', chunks([{ text: long, thought: true }])],
    ['a signature', chunks([{ text: '', thoughtSignature: long }])],
    ['names in a part', chunks([{ hologram: { [long]: 1 } }])],
    ['media', chunks([{ inlineData: { mimeType: 'image/png', data: long } }])],
    ['arguments', chunks([call({ name: 'f', args: { a: long } })])],
    ['the signature of a call', chunks([call({ name: 'f', args: {} }, { thoughtSignature: long })])],
    ['a late id of a call', chunks([call({ name: 'f', willContinue: true }), call({ id: long })])],
    ['members of a call', chunks([call({ name: 'f', note: long })])],
    ['a signature in pieces', chunks([call({ name: 'f', willContinue: true }), call({}, { thoughtSignature: long })])],
    [
      'pieces that are shown',
      chunks([call({ name: 'f', willContinue: true }), pieces(['$.a', { stringValue: long }])]),
    ],
    [
      'pieces that are not',
      chunks([call({ name: 'f', willContinue: true }), pieces(['$.a[1]', { stringValue: long }])]),
    ],
    ['names', chunks([call({ name: 'f', willContinue: true }), pieces([`$.a[1].${long}`, { numberValue: 1 }])])],
    ['citations', [citing(long)]],
    ['citations that change', Array.from({ length: 40 }, (_, at) => citing(`u${at}`.padEnd(20)))],
    ['what a search gave', [chunk([{ text: 'a' }], { groundingMetadata: { webSearchQueries: [long] } })]],
    ['another candidate', [chunk([{ text: 'a' }]), chunk([{ text: long }], { index: 1 })]],
    ['many members of a chunk', Array.from({ length: 40 }, (_, at) => ({ ...chunk([]), [`member${at}`]: 'x' }))],
    ['many members of a candidate', Array.from({ length: 40 }, (_, at) => chunk([], { [`member${at}`]: 'x' }))],
    ['many counts', Array.from({ length: 40 }, (_, at) => ({ usageMetadata: { [`member${at}`]: 1 } }))],
  ])('count %s', async (_what, events) => {
    expect(await failsWith({ turnLength: 190 }, events)).toBe('turnLength');
    expect((await assemble(events, {}, { turnLength: 2000 })).turn.error).toBeUndefined();
  });

  test('count no member twice that changes with every chunk', async () => {
    const many = Array.from({ length: 100 }, (_, at) => ({
      ...chunk([], { finishReason: 'STOP' }),
      createTime: `at ${at}`,
    }));
    expect((await assemble(many, {}, { turnLength: 190 })).turn.status).toBe('complete');
  });

  test('hold for an event that is no JSON, for it contains itself', () => {
    const part: JsonObject = {};
    part['self'] = part;
    const stage = createTurnStage(gemini, { limits: { turnLength: 1000 } });
    const last = [...stage.pushEvent(chunk([part]))].at(-1);
    expect(last?.type === 'turn_stop' && last.error?.code).toBe('limit_exceeded');
  });

  test('count blocks, and candidates', async () => {
    const signed = Array.from({ length: 4 }, () => ({ text: 'a', thoughtSignature: 'c2ln' }));
    expect(await failsWith({ blocks: 3 }, chunks(signed))).toBe('blocks');
    expect((await assemble(chunks(signed), {}, { blocks: 4 })).turn.status).toBe('complete');
    const many = [0, 1, 2, 3].map((index) => chunk([], { index, finishReason: 'STOP' }));
    expect((await assemble(many, {}, { blocks: 3 })).turn.status).toBe('complete');
    expect(await failsWith({ blocks: 3 }, [...many, chunk([], { index: 4 })])).toBe('blocks');
  });

  test('hold for the depth of arguments, whole or in pieces', async () => {
    const deep = call({ name: 'f', args: { a: { b: { c: 1 } } } });
    const begin = call({ name: 'f', willContinue: true });
    const inPieces = [begin, pieces(['$.a.b.c', { numberValue: 1 }])];
    expect(await failsWith({ inputDepth: 2 }, chunks([{ text: 'a' }, deep]))).toBe('inputDepth');
    expect(await failsWith({ inputDepth: 2 }, chunks(inPieces))).toBe('inputDepth');
    for (const events of [chunks([deep]), chunks(inPieces)]) {
      expect((await assemble(events, {}, { inputDepth: 3 })).turn.toolCalls).toHaveLength(1);
    }
  });

  test('that are broken leave what was seen, closed, and nothing to run', async () => {
    const deep = call({ name: 'f', args: { a: { b: { c: 1 } } } });
    const assembled = await assemble(
      chunks([{ text: 'a' }, call({ name: 'g', args: {} }), deep]),
      {},
      { inputDepth: 2 },
    );
    expect(blocks(assembled)).toEqual(['text finished a', 'tool_call finished {}', 'tool_call cut ']);
    expect([assembled.turn.entries, assembled.turn.toolCalls]).toEqual([[], []]);
  });
});

describe('a turn that fails at its very end', () => {
  const begin = call({ name: 'f', willContinue: true });

  test('is not complete, and runs nothing', async () => {
    const long = 'x'.repeat(100);
    // Nothing of it is shown before the end, and what is shown then is too much.
    const told = [begin, pieces(['$.a[1]', { stringValue: long }], ['$.a[0]', { stringValue: long }])];
    expect(await failsWith({ turnLength: 350 }, chunks(told))).toBe('turnLength');
    const assembled = await assemble(chunks(told), {}, { turnLength: 350 });
    expect([blocks(assembled), assembled.turn.toolCalls]).toEqual([['tool_call cut '], []]);
  });

  test('does not spoil the other candidates', async () => {
    const long = 'x'.repeat(100);
    const told = [begin, pieces(['$.a[1]', { stringValue: long }], ['$.a[0]', { stringValue: long }])];
    const events = [chunk([{ text: 'a' }], { finishReason: 'STOP' }), chunk(told, { index: 1, finishReason: 'STOP' })];
    const { turn } = await assemble(events, {}, { turnLength: 350 });
    expect([turn.status, turn.entries.length]).toEqual(['complete', 1]);
    expect(turn.choices?.[0]).toMatchObject({ status: 'failed', entries: [], error: { code: 'limit_exceeded' } });
  });

  test('ends its blocks, however deep a caller allows', async () => {
    const told = [begin, pieces([`$${'.a'.repeat(100_000)}`, { numberValue: 1 }])];
    for (const events of [chunks(told), [chunk(told)]]) {
      const { turn, ui } = await assemble(events, {}, { inputDepth: 1_000_000 });
      expect([turn.status, turn.blocks.map(({ state }) => state)]).toEqual(['failed', ['cut']]);
      expect(ui.slice(-2).map(({ type }) => type)).toEqual(['block_stop', 'turn_stop']);
    }
  });
});
