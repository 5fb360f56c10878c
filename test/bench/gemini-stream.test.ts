import { describe, expect, test } from 'vitest';
import { cutChunks, responseOf } from '../../bench/chunkings.ts';
import { createRecording, dialectOf, recordingNames } from '../../bench/recordings.ts';
import { gemini } from '../../src/gemini.ts';
import { assembleTurn } from '../../src/index.ts';
import { geminiContent } from './gemini-content.ts';

const names = recordingNames.filter((name) => dialectOf(name) === 'gemini');

describe.each(names)('createRecording(%s)', (name) => {
  const { messages } = createRecording(name);
  const { chunks, parts, calls, text, reasoning, inputs } = geminiContent(messages);
  const signed = parts.filter(({ thoughtSignature }) => thoughtSignature !== undefined);

  test('makes valid SSE messages whose lines end in CRLF, with a blank behind each colon between them', () => {
    expect(messages.filter((message) => !/^data: \{"candidates": \[\{.*\}\r\n\r\n$/.test(message))).toEqual([]);
  });

  test('has one part and the usage in each chunk, and stops with the last', () => {
    expect(parts).toHaveLength(messages.length);
    expect(chunks.filter(({ usageMetadata }) => usageMetadata === undefined)).toEqual([]);
    const reasons = chunks.flatMap(({ candidates }) => candidates?.[0]?.finishReason ?? []);
    expect(reasons).toEqual(['STOP']);
    expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP');
    expect(chunks.at(-1)?.usageMetadata).toMatchObject({ promptTokenCount: 1200 });
  });

  test('signs the first call only', () => {
    expect(signed.map(({ functionCall }) => functionCall)).toEqual(calls.slice(0, 1));
  });

  test('comes back whole', async () => {
    const turn = assembleTurn(responseOf(cutChunks(messages, '16_kib')), gemini);
    const { entries, repairs, warnings } = await turn.finalTurn();
    expect(repairs).toEqual([]);
    expect(warnings).toEqual([]);
    const said = [
      ...(reasoning === '' ? [] : [{ text: reasoning, thought: true }]),
      ...(text === '' ? [] : [{ text }]),
    ];
    const called = inputs.map((input, call) => ({
      functionCall: { name: 'write_rows', args: JSON.parse(input), ...(calls[call]?.id && { id: calls[call].id }) },
      ...(call === 0 && { thoughtSignature: signed[0]?.thoughtSignature }),
    }));
    expect(entries).toEqual([{ role: 'model', parts: [...said, ...called] }]);
  });
});

describe('createRecording', () => {
  test.each([
    ['gemini_mixed', 600, 800, 2600],
    ['gemini_mixed_half', 300, 400, 1300],
  ] as const)(
    'makes %s with %d thoughts, %d texts and three calls of %d characters',
    (name, reasoning, text, callLength) => {
      const { parts, inputs, text: said } = geminiContent(createRecording(name).messages);
      expect(parts.filter(({ thought }) => thought)).toHaveLength(reasoning);
      expect(parts.filter((part) => part.text && !part.thought)).toHaveLength(text);
      expect(said).toMatch(/\p{Extended_Pictographic}/u);
      expect(inputs.map(({ length }) => length)).toEqual(Array(3).fill(callLength));
    },
  );

  test.each([
    ['gemini_partial_args', 100_000],
    ['gemini_partial_args_half', 50_000],
  ] as const)('makes %s with one call of %d characters, which no chunk has whole', (name, length) => {
    const { calls, inputs } = geminiContent(createRecording(name).messages);
    expect(inputs.map((input) => input.length)).toEqual([length]);
    expect(calls.filter(({ args }) => args)).toEqual([]);
    expect(calls.filter((call) => call.name)).toEqual(calls.slice(0, 1));
    expect(calls.filter(({ willContinue }) => !willContinue)).toEqual([{}]);
    expect(calls.at(-1)).toEqual({});
  });

  test('cuts strings into pieces of 8 to 20 characters, and ends each with an empty one', () => {
    const { partialArgs } = geminiContent(createRecording('gemini_partial_args').messages);
    const strings = partialArgs.filter(({ stringValue }) => stringValue !== undefined);
    const growing = strings.filter(({ willContinue }) => willContinue);
    const ends = strings.filter(({ willContinue }) => !willContinue);
    expect(new Set(ends.map(({ stringValue }) => stringValue))).toEqual(new Set(['']));
    expect(new Set(growing.map(({ jsonPath }) => jsonPath))).toEqual(new Set(ends.map(({ jsonPath }) => jsonPath)));
    expect(Math.max(...growing.map(({ stringValue = '' }) => stringValue.length))).toBe(20);
    const odd = growing.filter(({ stringValue = '' }) => stringValue.length < 8);
    expect(odd.length).toBeLessThanOrEqual(ends.length);
  });

  test('says empty arrays, numbers, booleans and null each in their own way', () => {
    const { partialArgs } = geminiContent(createRecording('gemini_partial_args').messages);
    const kinds = new Set(partialArgs.map(({ jsonPath: _, willContinue: __, ...value }) => Object.keys(value).join()));
    expect(kinds).toEqual(new Set(['stringValue', 'numberValue', 'boolValue', 'nullValue', '']));
    expect(partialArgs.find((piece) => Object.keys(piece).length === 1)?.jsonPath).toMatch(
      /^\$\.rows\[\d+\]\.tags\[\]$/,
    );
  });
});
