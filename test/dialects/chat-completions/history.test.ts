import { describe, expect, test } from 'vitest';
import { type ChatMessage, chatCompletions } from '../../../src/chat-completions.ts';
import type { HistoryCall } from '../../../src/core/history.ts';
import { chatHistory } from '../../../src/dialects/chat-completions/history.ts';
import { createTranscript } from '../../../src/index.ts';
import { assemble, chunk } from './wire-chunks.ts';

const message = (value: object): ChatMessage => value as ChatMessage;
const call = (id: string, text: string, members: object = {}): object => ({
  id,
  type: 'function',
  function: { name: 'ferry', arguments: text },
  ...members,
});
const shown = ({ id, name, inputText, isExecutable }: HistoryCall) => ({ id, name, inputText, isExecutable });

describe('a history of chat completions', () => {
  test.each<[object, string]>([
    [{ role: 'assistant', content: 'At nine.' }, 'turn'],
    [{ role: 'tool', tool_call_id: 'a', content: '' }, 'results'],
    [{ role: 'function', name: 'ferry', content: '' }, 'results'],
    [{ role: 'user', content: 'When?' }, 'user'],
    [{ role: 'system', content: 'Be brief.' }, 'other'],
    [{ role: 'developer', content: 'Be brief.' }, 'other'],
  ])('knows what %j is', (entry, role) => {
    expect(chatHistory.roleOf(message(entry))).toBe(role);
  });

  test('lets the user say a text, or parts', () => {
    expect(chatHistory.user('When?')).toEqual({ role: 'user', content: 'When?' });
    const parts = [{ type: 'image_url', image_url: { url: 'https://example.org/pier.png' } }];
    expect(chatHistory.user(parts)).toEqual({ role: 'user', content: parts });
  });

  test('finds the calls, and which of them must not be run', () => {
    const custom = { id: 'd', type: 'custom', custom: { name: 'shell', input: 'ls [' } };
    const tool_calls = [call('a', '{"port": 1.0}'), call('b', ' '), call('c', '{"INVALID_JSON":"[1"}'), custom];
    expect(chatHistory.callsIn([message({ role: 'assistant', content: null, tool_calls })]).map(shown)).toEqual([
      { id: 'a', name: 'ferry', inputText: '{"port": 1.0}', isExecutable: true },
      { id: 'b', name: 'ferry', inputText: '{}', isExecutable: true },
      { id: 'c', name: 'ferry', inputText: '{"INVALID_JSON":"[1"}', isExecutable: false },
      { id: 'd', name: 'shell', inputText: 'ls [', isExecutable: true },
    ]);
  });

  test('answers a call of the old form in the old form', async () => {
    const { turn } = await assemble([
      chunk({ function_call: { name: 'ferry', arguments: '{"port":' } }),
      chunk({ function_call: { arguments: ' 1.0}' } }, 'function_call'),
    ]);
    const transcript = createTranscript(chatCompletions);
    transcript.user('When?');
    transcript.commit(turn);
    const [pending] = transcript.pending;
    expect(pending).toMatchObject({ id: turn.toolCalls[0]?.id, name: 'ferry', inputText: '{"port": 1.0}' });
    transcript.answer([{ id: pending?.id ?? '', content: 'at nine' }]);
    expect(transcript.entries.at(-1)).toEqual({ role: 'function', name: 'ferry', content: 'at nine' });
    const again = createTranscript(chatCompletions, { entries: transcript.entries });
    expect([again.pending, again.isCycleOpen]).toEqual([[], true]);
  });

  test('takes a call that is mirrored in the old form for one', () => {
    const mirrored = { tool_calls: [call('a', '{}')], function_call: { name: 'ferry', arguments: '{}' } };
    const calls = chatHistory.callsIn([message({ role: 'assistant', content: null, ...mirrored })]);
    expect(calls.map(({ id }) => id)).toEqual(['a']);
  });

  test('drops every reasoning field together, and thinking in the content', () => {
    const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 'c2ln' }];
    const full = message({
      role: 'assistant',
      content: 'x',
      reasoning: 'Hm.',
      reasoning_details: details,
      reasoning_opaque: 'b3Bx',
    });
    const list = message({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: [] },
        { type: 'text', text: 'x' },
      ],
    });
    const plain = message({ role: 'assistant', content: 'x' });
    expect(chatHistory.withoutReasoning([full, list, plain])).toEqual([
      { role: 'assistant', content: 'x' },
      { role: 'assistant', content: [{ type: 'text', text: 'x' }] },
      plain,
    ]);
    expect(chatHistory.withoutReasoning([plain])[0]).toBe(plain);
  });

  test('takes the seals off calls for another model only', () => {
    const sealed = call('a', '{}', { extra_content: { google: { thought_signature: 'c2ln' } } });
    const turn = message({ role: 'assistant', content: null, tool_calls: [sealed] });
    expect(chatHistory.withoutReasoning([turn])[0]).toBe(turn);
    expect(chatHistory.forAnotherModel([turn])).toEqual([
      { role: 'assistant', content: null, tool_calls: [call('a', '{}')] },
    ]);
  });
});
