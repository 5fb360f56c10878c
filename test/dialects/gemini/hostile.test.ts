import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { TurnEvent } from '../../../src/core/turn-event.ts';
import { createTurnStage } from '../../../src/core/turn-stage.ts';
import { type GeminiEntry, gemini } from '../../../src/gemini.ts';
import { assemble, call, chunk, chunks, parts, pieces, sse, toolCalls } from './wire-chunks.ts';

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
