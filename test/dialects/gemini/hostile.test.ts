import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LimitExceededError } from '../../../src/core/errors.ts';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { Limits } from '../../../src/core/limits.ts';
import type { TurnEvent } from '../../../src/core/turn-event.ts';
import { createTurnStage } from '../../../src/core/turn-stage.ts';
import { type GeminiEntry, gemini } from '../../../src/gemini.ts';
import { assemble, blocks, call, chunk, chunks, parts, pieces, sse, toolCalls } from './wire-chunks.ts';

const runs = process.env['CI'] ? 2000 : 400;

/** Any JSON, most of it with the names that the dialect reads. */
const anyWire = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom(
      null,
      true,
      0,
      -1,
      'x',
      '',
      'STOP',
      'MAX_TOKENS',
      '$.a',
      '$.a[0].b',
      '$.a[999999999]',
      '$.__proto__.x',
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.constantFrom(
        'candidates',
        'content',
        'parts',
        'text',
        'thought',
        'thoughtSignature',
        'functionCall',
        'name',
        'id',
        'args',
        'partialArgs',
        'jsonPath',
        'stringValue',
        'numberValue',
        'willContinue',
        'executableCode',
        'inlineData',
        'finishReason',
        'index',
        'usageMetadata',
        'promptTokenCount',
        'promptFeedback',
        'blockReason',
        'responseId',
        'groundingMetadata',
        'citationMetadata',
        'citations',
        '__proto__',
      ),
      tie('value'),
      { maxKeys: 6 },
    ),
  ),
})).value as fc.Arbitrary<unknown>;

const anyChunk = fc.record(
  {
    candidates: fc.array(
      fc.record(
        {
          content: fc.record({ parts: fc.array(anyWire, { maxLength: 4 }), role: anyWire }, { requiredKeys: [] }),
          finishReason: anyWire,
          index: fc.constantFrom(0, 1, -1, 0.5),
          citationMetadata: anyWire,
          groundingMetadata: anyWire,
        },
        { requiredKeys: [] },
      ),
      { maxLength: 2 },
    ),
    usageMetadata: anyWire,
  },
  { requiredKeys: [] },
);

/** The events of a stream that was pushed as parsed events, then ended. */
function run(events: readonly JsonObject[]): TurnEvent<GeminiEntry>[] {
  const stage = createTurnStage(gemini, { clock: () => 0 });
  const out = events.flatMap((event) => [...stage.pushEvent(event)]);
  return stage.isOver ? out : [...out, ...stage.flush()];
}

async function failsWith(limits: Partial<Limits>, events: readonly JsonObject[]): Promise<unknown> {
  const { turn } = await assemble(events, {}, limits);
  expect(turn.status).toBe('failed');
  expect(turn.error).toBeInstanceOf(LimitExceededError);
  return (turn.error as LimitExceededError).limit;
}

describe('any JSON', () => {
  test('ends in one story, and never in an exception of our own', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyChunk, anyWire), { maxLength: 6 }), (events) => {
        const objects = events.filter((event): event is JsonObject => typeof event === 'object' && event !== null);
        const story = run(JSON.parse(JSON.stringify(objects.filter((event) => !Array.isArray(event)))));
        const last = story.at(-2);
        if (last?.type !== 'turn') throw new Error('the turn does not end');
        expect(last.turn.error?.code).not.toBe('wire_format');
        expect(['complete', 'truncated', 'failed']).toContain(last.turn.status);
        const opened = story.filter(({ type }) => type === 'block_start').length;
        expect(last.turn.blocks).toHaveLength(opened);
        for (const { functionCall } of last.turn.entries.flatMap((entry) => entry.parts)) {
          expect(Object.keys(Object(functionCall))).not.toContain('partialArgs');
          expect(Object.keys(Object(functionCall))).not.toContain('willContinue');
        }
      }),
      { numRuns: runs },
    );
    expect(({} as JsonObject)['x']).toBeUndefined();
  });

  test('gives the same in pieces as in parsed events', () => {
    fc.assert(
      fc.property(fc.array(anyChunk, { maxLength: 5 }), (events) => {
        const wire = JSON.parse(JSON.stringify(events)) as JsonObject[];
        const stage = createTurnStage(gemini, { clock: () => 0 });
        const told = wire.flatMap((event) => [...stage.push({ data: JSON.stringify(event) })]);
        const all = stage.isOver ? told : [...told, ...stage.flush()];
        expect(JSON.stringify(all)).toBe(JSON.stringify(run(wire)));
      }),
      { numRuns: runs / 4 },
    );
  });
});

describe('names of every object', () => {
  test('are members like others', async () => {
    const part =
      '{"functionCall":{"name":"f","args":{"__proto__":{"polluted":1},"constructor":2}},"__proto__":{"polluted":1}}';
    const body = `data: {"candidates":[{"content":{"parts":[${part}]},"__proto__":{"polluted":1},"finishReason":"STOP"}],"__proto__":{"polluted":1}}\n\n`;
    const { turn } = await assemble(body);
    expect(toolCalls({ turn, ui: [] })).toEqual(['call_turn_0 f {"__proto__":{"polluted":1},"constructor":2}']);
    expect(JSON.stringify(turn.entries[0]?.parts)).toBe(`[${part}]`);
    expect('polluted' in turn.envelope || 'polluted' in {}).toBe(false);
    expect(Object.hasOwn(turn.envelope, '__proto__')).toBe(true);
  });
});

describe('limits', () => {
  const long = 'x'.repeat(200);

  test.each<[string, readonly JsonObject[]]>([
    ['text', chunks([{ text: long }])],
    ['reasoning', chunks([{ text: long, thought: true }])],
    ['a signature', chunks([{ text: '', thoughtSignature: long }])],
    ['media', chunks([{ inlineData: { mimeType: 'image/png', data: long } }])],
    ['arguments', chunks([call({ name: 'f', args: { a: long } })])],
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
    ['citations', [chunk([{ text: 'a' }], { citationMetadata: { citations: [{ uri: long }] } })]],
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

describe('what is large', () => {
  test('is put together from many small pieces', async () => {
    const count = 20_000;
    const begin = call({ name: 'f', willContinue: true });
    const grown = Array.from({ length: count }, () => pieces(['$.code', { stringValue: 'ab', willContinue: true }]));
    const listed = Array.from({ length: count }, (_, at) => pieces([`$.list[${at}]`, { numberValue: at }]));
    const assembled = await assemble(chunks([begin, ...grown, ...listed]));
    const args = { code: 'ab'.repeat(count), list: Array.from({ length: count }, (_, at) => at) };
    expect(assembled.turn.toolCalls[0]?.input).toEqual(args);
    expect(assembled.turn.blocks[0]?.text).toBe(JSON.stringify(args));
  });

  test('is many parts in one chunk, each with its source text', async () => {
    const many = Array.from({ length: 4000 }, (_, at) => `{"functionCall": {"name": "f", "args": {"at": ${at}.0}}}`);
    const body = `data: {"candidates": [{"content": {"parts": [${many}]}, "finishReason": "STOP"}]}\r\n\r\n`;
    const { turn } = await assemble(body);
    expect(turn.toolCalls[3999]?.inputText).toBe('{"at": 3999.0}');
  });

  test('is told once, however often it comes', async () => {
    const groundingMetadata = { webSearchQueries: Array.from({ length: 200 }, (_, at) => `query ${at}`) };
    const many = Array.from({ length: 500 }, () => chunk([{ text: 'a' }], { groundingMetadata }));
    const { ui, turn } = await assemble(sse(...many, chunk([], { finishReason: 'STOP' })));
    expect(ui.filter(({ type }) => type === 'citation')).toHaveLength(1);
    expect(turn.blocks[0]?.text).toHaveLength(500);
  });

  test('is nested deeper than a stack is', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const wire = (part: string, members = ''): string =>
      `data: {"candidates":[{"content":{"parts":[{"text":"a"},${part}]},"finishReason":"STOP"${members}}]}\n\n`;
    const bodies = [
      wire(`{"functionCall":{"name":"f","args":{"a":${deep}}}}`),
      wire(`{"hologram":${deep}}`),
      wire(`{"functionCall":{"name":"f","note":${deep}}}`),
      wire('{"text":"b"}', `,"groundingMetadata":{"a":${deep}},"citationMetadata":{"citations":[${deep}]}`),
      `data: {"usageMetadata":{"a":${deep}}}\n\ndata: {"usageMetadata":{"a":${deep}}}\n\n`,
    ];
    for (const body of bodies) {
      const { turn } = await assemble(body);
      expect(['complete', 'failed', 'truncated']).toContain(turn.status);
      expect(turn.blocks.every(({ state }) => state !== undefined)).toBe(true);
    }
  });
});

describe('text that is cut within a character', () => {
  test('is whole again where its pieces meet', async () => {
    const assembled = await assemble(chunks([{ text: '\ud83d' }, { text: '\ude00' }]));
    expect(parts(assembled)).toEqual([{ text: '\ud83d\ude00' }]);
  });
});
