import { describe, expect, test } from 'vitest';
import { cutChunks, responseOf } from '../../bench/chunkings.ts';
import { createRecording, dialectOf, recordingNames } from '../../bench/recordings.ts';
import { assembleTurn } from '../../src/index.ts';
import { responses } from '../../src/responses.ts';
import { type ResponsesWire, responsesContent } from './responses-content.ts';

const names = recordingNames.filter((name) => dialectOf(name) === 'responses');

describe.each(names)('createRecording(%s)', (name) => {
  const { messages, blocks } = createRecording(name);
  const { wires, doneItems, text, reasoning, inputs } = responsesContent(messages);
  const ofType = (type: string): readonly ResponsesWire[] => wires.filter((wire) => wire.type === `response.${type}`);

  test('makes valid SSE messages, each named as its type, numbered and closed by a blank line', () => {
    const malformed = messages.filter((message, place) => {
      const [, type] = /^event: ([\w.]+)\ndata: \{.*\}\n\n$/.exec(message) ?? [];
      return type !== wires[place]?.type;
    });
    expect(malformed).toEqual([]);
    expect(wires.map((wire) => wire.sequence_number)).toEqual(messages.map((_, place) => place));
  });

  test('begins and ends as a response does', () => {
    expect(wires.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
    expect(wires[0]?.response).toMatchObject({ status: 'in_progress', output: [], usage: null });
    expect(wires.filter(({ type }) => type === 'response.completed')).toEqual(wires.slice(-1));
    expect(wires.at(-1)?.response).toMatchObject({ status: 'completed', usage: { input_tokens: 1200 } });
    expect(ofType('output_item.added')).toHaveLength(blocks);
    expect(doneItems).toHaveLength(blocks);
  });

  test('says each text four times, always the same', () => {
    const texts = [reasoning, text, ...inputs].filter(Boolean);
    const wholes = [
      ...['reasoning_summary_text.done', 'output_text.done'].map((type) => joined(ofType(type), 'text')),
      ...ofType('function_call_arguments.done').map((wire) => joined([wire], 'arguments')),
    ];
    expect(wholes.filter(Boolean)).toEqual(texts);
    expect(doneItems.map(itemText)).toEqual(texts);
    expect(wires.at(-1)?.response?.output).toEqual(doneItems);
  });

  test('fills each delta up to a multiple of 16 characters', () => {
    const lengths = wires.flatMap(({ delta, obfuscation = '' }) => (delta === undefined ? [] : [delta + obfuscation]));
    expect(lengths.length).toBeGreaterThan(0);
    expect(lengths.filter(({ length }) => length % 16 > 0)).toEqual([]);
  });

  test('has another ciphertext when the reasoning is done than when it began', () => {
    const began = ofType('output_item.added').map(({ item }) => item?.['encrypted_content']);
    const done = doneItems.map((item) => Reflect.get(Object(item), 'encrypted_content'));
    const isReasoning = began.map((ciphertext) => ciphertext !== undefined);
    expect(isReasoning).toEqual(done.map((ciphertext) => ciphertext !== undefined));
    expect(isReasoning.includes(true)).toBe(reasoning !== '');
    expect(began.filter((ciphertext, place) => ciphertext !== undefined && ciphertext === done[place])).toEqual([]);
  });

  test('comes back whole', async () => {
    const turn = assembleTurn(responseOf(cutChunks(messages, '16_kib')), responses);
    const { entries, repairs, warnings } = await turn.finalTurn();
    expect(repairs).toEqual([]);
    expect(warnings).toEqual([]);
    expect(entries).toEqual(doneItems);
  });
});

describe('createRecording', () => {
  test('makes responses_tool_100kb with one input of 100,000 characters', () => {
    const { inputs, doneItems } = responsesContent(createRecording('responses_tool_100kb').messages);
    expect(inputs.map(({ length }) => length)).toEqual([100_000]);
    expect(doneItems).toHaveLength(1);
  });

  test.each([
    ['responses_mixed', 600, 800, 2600],
    ['responses_mixed_half', 300, 400, 1300],
  ] as const)(
    'makes %s with %d deltas of reasoning, %d of text, and three calls of %d characters',
    (name, reasoning, text, callLength) => {
      const { wires, inputs, callOrder, text: said } = responsesContent(createRecording(name).messages);
      const count = (type: string) => wires.filter((wire) => wire.type === `response.${type}`).length;
      expect(count('reasoning_summary_text.delta')).toBe(reasoning);
      expect(count('reasoning_summary_part.added')).toBe(Math.ceil(reasoning / 200));
      expect(count('output_text.delta')).toBe(text);
      expect(said).toMatch(/\p{Extended_Pictographic}/u);
      expect(inputs.map(({ length }) => length)).toEqual(Array(3).fill(callLength));
      expect(callOrder.slice(0, 6)).toEqual([2, 3, 4, 2, 3, 4]);
    },
  );
});

function joined(wires: readonly object[], member: string): string {
  return wires.map((wire) => Reflect.get(wire, member)).join('');
}

function itemText(item: unknown): string {
  const { summary = [], content = [], arguments: input = '' } = Object(item);
  return [...summary, ...content].map((part) => part.text).join('') + input;
}
