import { describe, expect, test } from 'vitest';
import type { HistoryCall } from '../../../src/core/history.ts';
import { geminiHistory } from '../../../src/dialects/gemini/history.ts';
import { type GeminiContent, gemini } from '../../../src/gemini.ts';
import { createTranscript, parseTranscript, stringifyRequest } from '../../../src/index.ts';
import { assemble, call, chunks } from './wire-chunks.ts';

const content = (value: object): GeminiContent => value as GeminiContent;
const model = (...parts: object[]): GeminiContent => content({ role: 'model', parts });
const shown = ({ id, name, isExecutable }: HistoryCall) => ({ id, name, isExecutable });
const response = (members: object): object => ({ functionResponse: { response: {}, ...members } });

describe('a history of Gemini', () => {
  test.each<[object, string]>([
    [{ role: 'model', parts: [{ text: 'At nine.' }] }, 'turn'],
    [{ role: 'model', parts: [response({ name: 'f' })] }, 'turn'],
    [{ role: 'user', parts: [{ text: 'When?' }] }, 'user'],
    [{ parts: [{ text: 'When?' }] }, 'user'],
    [{ role: 'user', parts: [response({ name: 'f' })] }, 'results'],
    [{ role: 'function', parts: [response({ name: 'f' })] }, 'results'],
    [{ role: 'user' }, 'user'],
  ])('knows what %j is', (entry, role) => {
    expect(geminiHistory.roleOf(content(entry))).toBe(role);
  });

  test('lets the user say a text, or parts', () => {
    expect(geminiHistory.user('When?')).toEqual({ role: 'user', parts: [{ text: 'When?' }] });
    const parts = [{ fileData: { fileUri: 'https://example.org/pier.png' } }];
    expect(geminiHistory.user(parts)).toEqual({ role: 'user', parts });
  });

  test('finds the calls that were not answered in the same turn, by their ids first', () => {
    const parts = [
      call({ id: 'a', name: 'f' }),
      call({ id: 'b', name: 'f' }),
      response({ id: 'b', name: 'f' }),
      call({ name: 'g', args: { INVALID_JSON: '[1' } }),
    ];
    expect(geminiHistory.callsIn([model(...parts)]).map(shown)).toEqual([
      { id: 'a', name: 'f', isExecutable: true },
      { id: 'call_turn_1', name: 'g', isExecutable: false },
    ]);
  });

  test('knows calls without ids by their places, also from a text, and adds none to the wire', async () => {
    const { turn } = await assemble(
      chunks([call({ name: 'f', args: { at: 1 } }), call({ name: 'f', args: { at: 2 } })]),
    );
    const transcript = createTranscript(gemini);
    transcript.user('When?');
    transcript.commit(turn);
    const parsed = parseTranscript(gemini, transcript.stringify());
    const [first, second] = turn.toolCalls.map(({ id }) => id);
    for (const each of [transcript, parsed]) {
      expect(each.pending.map(({ id, input }) => ({ id, input }))).toEqual([
        { id: first, input: { at: 1 } },
        { id: second, input: { at: 2 } },
      ]);
      each.answer([
        { id: second ?? '', content: 'two' },
        { id: first ?? '', content: 'one' },
      ]);
      expect(each.entries.at(-1)).toEqual({
        role: 'user',
        parts: [
          { functionResponse: { name: 'f', response: { output: 'one' } } },
          { functionResponse: { name: 'f', response: { output: 'two' } } },
        ],
      });
      expect(stringifyRequest(each.entries)).not.toContain('call_');
    }
  });

  test('keeps a call that is marked as a thought, for it is answered', () => {
    const turn = model(call({ name: 'f', args: {} }, { thought: true }));
    expect(geminiHistory.withoutReasoning([turn])[0]).toBe(turn);
  });

  test('drops thoughts and signatures, and with them what says nothing else', () => {
    const signed = { text: 'At nine.', thoughtSignature: 'c2ln' };
    const called = call({ name: 'f', args: {} }, { thoughtSignature: 'c2ln' });
    const turn = model({ text: 'Hm.', thought: true }, signed, called, { text: '', thoughtSignature: 'c2ln' });
    const plain = model({ text: 'x' }, call({ name: 'f', args: {} }));
    expect(geminiHistory.withoutReasoning([turn])).toEqual([
      model({ text: 'At nine.' }, call({ name: 'f', args: {} })),
    ]);
    expect(geminiHistory.forAnotherModel([turn])).toEqual([
      model(
        { text: 'At nine.' },
        call({ name: 'f', args: {} }, { thoughtSignature: 'skip_thought_signature_validator' }),
      ),
    ]);
    for (const drop of [geminiHistory.withoutReasoning, geminiHistory.forAnotherModel]) {
      expect(drop([plain])[0]).toBe(plain);
      expect(drop([model({ text: 'Hm.', thought: true })])).toEqual([]);
    }
  });
});
