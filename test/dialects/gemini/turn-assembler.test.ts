import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { gemini } from '../../../src/gemini.ts';
import { assembleTurn, ProviderError } from '../../../src/index.ts';
import { assemble, blocks, call, chunk, chunks, parts, sse, warnings } from './wire-chunks.ts';

const text = { text: 'Low tide.' };

describe('the start of a turn', () => {
  test.each<[string, JsonObject, string | null, string | null]>([
    ['candidates', { candidates: [{ content: { parts: [] } }] }, null, null],
    ['an id', { responseId: 'r1' }, 'r1', null],
    ['counts', { usageMetadata: { promptTokenCount: 1 }, modelVersion: 'm1' }, null, 'm1'],
    ['a refused prompt', { promptFeedback: { blockReason: 'SAFETY' }, modelVersion: 'm1' }, null, 'm1'],
  ])('is told with %s', async (_what, first, turnId, model) => {
    const { ui } = await assemble([first, chunk([text])]);
    expect(ui[0]).toEqual({ type: 'turn_start', turnId, model });
  });

  test('waits for more than a model and no candidates', async () => {
    const { ui } = await assemble([{ modelVersion: 'm1', candidates: [] }, { responseId: 'r1' }, chunk([text])]);
    expect(ui[0]).toEqual({ type: 'turn_start', turnId: 'r1', model: 'm1' });
  });

  test.each<[string, JsonObject]>([
    ['an error', { modelVersion: 'm1', error: { code: 500 } }],
    ['nothing', { modelVersion: 'm1' }],
  ])('is told at the end when %s came', async (_what, only) => {
    const { turn, ui } = await assemble([only]);
    expect(ui.map(({ type }) => type)).toEqual(['turn_start', 'turn_stop']);
    expect([ui[0], turn.model]).toEqual([{ type: 'turn_start', turnId: null, model: 'm1' }, 'm1']);
  });

  test('learns of the turn what comes later, once', async () => {
    const first = { candidates: [{ content: { parts: [text] } }] };
    const later = { responseId: 'r1', modelVersion: 'm1' };
    const { turn, ui } = await assemble([first, later, { responseId: 'r2', modelVersion: 'm2' }]);
    expect(ui[0]).toEqual({ type: 'turn_start', turnId: null, model: null });
    expect([turn.turnId, turn.model]).toEqual(['r1', 'm1']);
    expect(turn.envelope).toMatchObject({ responseId: 'r2', modelVersion: 'm2' });
  });
});

describe('the end of a turn', () => {
  test.each<[string, readonly JsonObject[], string, string | null]>([
    ['a finish reason', [chunk([text], { finishReason: 'STOP' })], 'complete', 'STOP'],
    // pydantic-ai#2631, req_llm#638: the last chunk has no parts, or no content.
    ['a finish reason without parts', [chunk([text]), chunk([], { finishReason: 'STOP' })], 'complete', 'STOP'],
    [
      'a finish reason without content',
      [chunk([text]), chunk(undefined, { finishReason: 'STOP' })],
      'complete',
      'STOP',
    ],
    ['a finish reason first', [chunk(undefined, { finishReason: 'STOP' }), chunk([text])], 'complete', 'STOP'],
    [
      'the last of two finish reasons',
      [chunk([text], { finishReason: 'STOP' }), chunk(undefined, { finishReason: 'RECITATION' })],
      'complete',
      'RECITATION',
    ],
    [
      'a finish reason, whatever empty ones follow',
      [
        chunk([text], { finishReason: 'MAX_TOKENS' }),
        ...['', null, 7].map((finishReason) => chunk([], { finishReason })),
      ],
      'complete',
      'MAX_TOKENS',
    ],
    ['no finish reason', [chunk([text])], 'truncated', null],
    ['an unspecified one', [chunk([text], { finishReason: 'FINISH_REASON_UNSPECIFIED' })], 'truncated', null],
    [
      'a malformed call',
      [chunk(undefined, { finishReason: 'MALFORMED_FUNCTION_CALL' })],
      'complete',
      'MALFORMED_FUNCTION_CALL',
    ],
    ['nothing', [], 'truncated', null],
  ])('is %s', async (_what, events, status, stopReason) => {
    const { turn } = await assemble(events);
    expect([turn.status, turn.stopReason]).toEqual([status, stopReason]);
    expect(turn.entries).toHaveLength(status === 'complete' && stopReason !== 'MALFORMED_FUNCTION_CALL' ? 1 : 0);
    expect(turn.envelope['finishReason']).toBe(stopReason);
  });

  test('is a refused prompt, which is an answer', async () => {
    const { turn, ui } = await assemble([{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: {} }]);
    expect([turn.status, turn.stopReason, turn.entries]).toEqual(['complete', 'PROHIBITED_CONTENT', []]);
    expect(ui.map(({ type }) => type)).toEqual(['turn_start', 'usage', 'turn_stop']);
    const again = await assemble([{ promptFeedback: { blockReason: 'SAFETY' } }, { promptFeedback: {} }]);
    expect([again.turn.status, again.turn.stopReason]).toEqual(['complete', 'SAFETY']);
  });

  test.each<[string, readonly JsonObject[]]>([
    ['candidates', [{ promptFeedback: { blockReason: 'SAFETY' } }, chunk([text])]],
    ['no reason', [{ promptFeedback: { safetyRatings: [] } }]],
    ['an unspecified reason', [{ promptFeedback: { blockReason: 'BLOCK_REASON_UNSPECIFIED' } }]],
  ])('is none of a refused prompt with %s', async (_what, events) => {
    const { turn } = await assemble(events);
    expect([turn.status, turn.stopReason]).toEqual(['truncated', null]);
  });

  test('is not [DONE], which says nothing', async () => {
    const half = await assemble(`${sse(chunk([text]))}data: [DONE]\n\n`);
    expect(half.turn.status).toBe('truncated');
    const whole = await assemble(
      `${sse(chunk([text], { finishReason: 'STOP' }))}data: [DONE]\n\n${sse(chunk([{ text: ' Then flood.' }]))}`,
    );
    expect(parts(whole)).toEqual([{ text: 'Low tide. Then flood.' }]);
    expect(warnings(whole)).toEqual([]);
  });

  test('may lack its last blank line', async () => {
    const { turn } = await assemble(sse(chunk([text], { finishReason: 'STOP' })).trimEnd());
    expect(turn.status).toBe('complete');
  });

  test('is that of the caller who aborts', async () => {
    const turn = assembleTurn(
      (async function* () {
        yield sse(chunk([text]));
        await new Promise(() => {});
      })(),
      gemini,
    );
    for await (const event of turn) if (event.type === 'text_delta') turn.abort();
    const { status, blocks: seen, entries } = await turn.settled();
    expect([status, seen.map(({ state }) => state), entries]).toEqual(['aborted', ['cut'], []]);
  });
});

describe('errors', () => {
  test('come behind the content of their own chunk', async () => {
    const assembled = await assemble([{ ...chunk([text]), error: { message: 'Too many anglers' } }]);
    expect([assembled.turn.status, blocks(assembled)]).toEqual(['failed', ['text cut Low tide.']]);
    const { turn } = await assemble([chunk([text], { index: 1, finishReason: 'STOP' }), { error: 'Too many anglers' }]);
    expect(turn.choices?.[0]).toMatchObject({ status: 'failed', error: turn.error, entries: [] });
  });

  test('leave nothing of themselves in the envelope', async () => {
    const { turn } = await assemble('event: error\ndata: {"message":"Too many anglers"}\n\n');
    expect(turn.envelope).toEqual({ finishReason: null });
  });

  test.each<[JsonObject, boolean]>([
    [{ error: { code: 503, message: 'Too many anglers', status: 'UNAVAILABLE' } }, true],
    [{ error: { code: 429, message: 'Too many anglers', status: 'RESOURCE_EXHAUSTED' } }, true],
    [{ error: { code: 400, message: 'Too many anglers', status: 'INVALID_ARGUMENT' } }, false],
    [{ error: 'Too many anglers' }, false],
    [{ ...chunk([]), error: { message: 'Too many anglers' } }, false],
  ])('fail the turn although each chunk had a finish reason: %j', async (wire, retryable) => {
    const { turn } = await assemble([chunk([text], { finishReason: 'STOP' }), wire]);
    expect([turn.status, turn.stopReason, turn.entries]).toEqual(['failed', 'STOP', []]);
    expect(turn.error).toBeInstanceOf(ProviderError);
    expect(turn.error?.message).toContain('Too many anglers');
    expect((turn.error as ProviderError).retryable).toBe(retryable);
  });

  test.each([
    ['an event that is named so', 'event: error\ndata: {"message":"Too many anglers"}\n\n'],
    ['an event that is named so, and is text', 'event: error\ndata: Too many anglers\n\n'],
    ['a body that is no event', '{\n  "error": {\n    "code": 500,\n    "message": "Too many anglers"\n  }\n}\n'],
    ['a field line', 'error: {"message": "Too many anglers"}\n\n'],
  ])('may come as %s', async (_what, body) => {
    const { turn } = await assemble(sse(chunk([text], { finishReason: 'STOP' })) + body);
    expect(turn.status).toBe('failed');
    expect(turn.error?.message).toContain('Too many anglers');
  });

  test.each([[''], [null], [false]])('are none when the member is %j', async (error) => {
    const { turn } = await assemble([{ ...chunk([text], { finishReason: 'STOP' }), error }]);
    expect(turn.status).toBe('complete');
  });
});

describe('events', () => {
  test.each<JsonObject>([{ setupComplete: {} }, { type: 'ping' }, {}, { candidates: null }])(
    'that are unknown only warn: %j',
    async (wire) => {
      const assembled = await assemble([wire, chunk([text], { finishReason: 'STOP' })]);
      expect(warnings(assembled)).toEqual(['unknown_event']);
      expect(blocks(assembled)).toEqual(['text finished Low tide.']);
    },
  );

  test.each<JsonObject>([
    { candidates: [] },
    { usageMetadata: {} },
    { promptFeedback: {} },
    { modelVersion: 'm' },
    { responseId: 'r' },
  ])('that are known do not: %j', async (wire) => {
    expect(warnings(await assemble([wire, chunk([text])]))).toEqual([]);
  });

  test.each<[string, JsonObject]>([
    ['candidates', { candidates: 'x' }],
    ['a candidate', { candidates: [7, 'x', null] }],
    ['a content', { candidates: [{ content: 'x' }] }],
    ['a list of parts', { candidates: [{ content: { parts: { text: 'x' } } }] }],
    ['a part', { candidates: [{ content: { parts: ['x'] } }] }],
  ])('warn of %s of a wrong type, and go on', async (_what, wire) => {
    const assembled = await assemble([wire, chunk([text], { finishReason: 'STOP' })]);
    expect(warnings(assembled)).toEqual(['malformed_event']);
    expect(blocks(assembled)).toEqual(['text finished Low tide.']);
  });
});

describe('candidates', () => {
  const said = (index: number | undefined, words: string, members: JsonObject = {}): JsonObject => ({
    content: { parts: [{ text: words }], role: 'model' },
    ...(index !== undefined && { index }),
    ...members,
  });
  const both: readonly JsonObject[] = [
    { candidates: [said(1, 'b'), said(0, 'a')], responseId: 'resp1' },
    { candidates: [said(undefined, 'A', { finishReason: 'STOP' })] },
    { candidates: [said(1, 'B', { finishReason: 'MAX_TOKENS', finishMessage: 'm' })] },
  ];

  test('are turns of their own, of which the first is the turn', async () => {
    const { turn, ui } = await assemble(both);
    expect(turn.entries).toEqual([{ role: 'model', parts: [{ text: 'aA' }] }]);
    expect(turn.choices).toHaveLength(1);
    expect(turn.choices?.[0]).toMatchObject({
      status: 'complete',
      stopReason: 'MAX_TOKENS',
      turnId: 'resp1',
      entries: [{ role: 'model', parts: [{ text: 'bB' }] }],
      envelope: { finishMessage: 'm', responseId: 'resp1' },
    });
    expect(ui.filter(({ type }) => type === 'text_delta')).toHaveLength(2);
    expect(turn.envelope).not.toHaveProperty('finishMessage');
  });

  test('learn of the turn what comes later', async () => {
    const first = { candidates: [said(0, 'a'), said(1, 'b')] };
    const { turn } = await assemble([first, chunk([], { finishReason: 'STOP' })]);
    expect(turn.choices?.[0]).toMatchObject({ turnId: 'resp1', model: 'gemini-test' });
    const called = chunk([call({ name: 'f' })], { index: 1, finishReason: 'STOP' });
    const calls = await assemble([called, chunk([], { finishReason: 'STOP' })]);
    expect(calls.turn.choices?.[0]?.toolCalls[0]?.id).toBe('call_resp1_0');
  });

  test('are chosen by their index', async () => {
    const { turn } = await assemble(both, { candidate: 1 });
    expect(turn.entries).toEqual([{ role: 'model', parts: [{ text: 'bB' }] }]);
    expect(turn.choices?.[0]?.entries).toEqual([{ role: 'model', parts: [{ text: 'aA' }] }]);
  });

  test('are truncated where they have no finish reason', async () => {
    const { turn } = await assemble(both.slice(0, 2));
    expect([turn.status, turn.choices?.[0]?.status, turn.choices?.[0]?.entries]).toEqual(['complete', 'truncated', []]);
    expect((await assemble(both.slice(0, 2), { candidate: 2 })).turn.status).toBe('truncated');
  });

  test('have the source texts of their own parts', async () => {
    const body = `data: {"candidates": [ ${['0', '1'].map(
      (index) =>
        `{"index": ${index}, "finishReason": "STOP", "content": {"parts": [{"text": ""}, {"functionCall": {"name": "f", "args": {"at":  ${index}.0}}}]}}`,
    )} ]}\r\n\r\n`;
    const { turn } = await assemble(body);
    expect(turn.toolCalls[0]?.inputText).toBe('{"at":  0.0}');
    expect(turn.choices?.[0]?.toolCalls[0]?.inputText).toBe('{"at":  1.0}');
  });
});

describe('gemini', () => {
  test('is a dialect as it is, and with options', () => {
    expect([gemini.name, gemini().name, gemini({ candidate: 3 }).name]).toEqual(['gemini', 'gemini', 'gemini']);
  });

  test.each([[-1], [1.5], [Number.NaN], ['0']])('refuses %j as the index of a candidate', (candidate) => {
    expect(() => gemini({ candidate: candidate as number })).toThrow(/candidate must be the index/);
  });

  test.each<[JsonObject, boolean]>([
    [chunk([text]), true],
    [{ promptFeedback: { blockReason: 'SAFETY' } }, true],
    [{ usageMetadata: { promptTokenCount: 1 } }, true],
    [{ choices: [] }, false],
    [{ type: 'message_start' }, false],
    [{ error: { code: 400 } }, false],
  ])('recognises the first event of its streams: %j', (wire, isIts) => {
    expect(gemini.recognises(wire)).toBe(isIts);
  });

  test('ends a stream of bytes as it ends', async () => {
    const bytes = new TextEncoder().encode(sse(...chunks([text])));
    const turn = await assembleTurn(of(...Array.from(bytes, (byte) => Uint8Array.of(byte))), gemini).finalTurn();
    expect(turn.entries).toEqual([{ role: 'model', parts: [text] }]);
  });
});
