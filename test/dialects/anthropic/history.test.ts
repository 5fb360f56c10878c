import { describe, expect, test } from 'vitest';
import type { AnthropicMessage } from '../../../src/anthropic.ts';
import type { HistoryCall } from '../../../src/core/history.ts';
import { anthropicHistory } from '../../../src/dialects/anthropic/history.ts';

const message = (value: object): AnthropicMessage => value as AnthropicMessage;
const thinking = { type: 'thinking', thinking: 'Ferry first.', signature: 'c2ln' };
const redacted = { type: 'redacted_thinking', data: 'c2Vj' };
const toolUse = (id: string, input: unknown): object => ({ type: 'tool_use', id, name: 'ferry', input });
const turn = message({ role: 'assistant', content: [thinking, redacted, toolUse('a', { port: 'Eider' })] });

describe('a history of Anthropic', () => {
  test('lets the user say a text, or parts', () => {
    expect(anthropicHistory.user('When?')).toEqual({ role: 'user', content: 'When?' });
    const parts = [{ type: 'image', source: { type: 'url', url: 'https://example.org/pier.png' } }];
    expect(anthropicHistory.user(parts)).toEqual({ role: 'user', content: parts });
  });

  test('answers all calls in one message, in their order, and marks what failed', () => {
    const calls = anthropicHistory.callsIn([
      message({ role: 'assistant', content: ['a', 'b', 'c'].map((id) => toolUse(id, {})) }),
    ]);
    const image = { type: 'image', source: { type: 'url', url: 'https://example.org/tide.png' } };
    const answers = anthropicHistory.answers(calls, [
      { id: 'c', content: { level: 1.5 }, isError: false },
      { id: 'b', content: new Error('No such port'), isError: true },
      { id: 'a', content: [image] },
    ]);
    expect(answers).toEqual([
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [image] },
          { type: 'tool_result', tool_use_id: 'b', content: 'Error: No such port', is_error: true },
          { type: 'tool_result', tool_use_id: 'c', content: '{"level":1.5}' },
        ],
      },
    ]);
  });

  test.each<[object, string]>([
    [turn, 'turn'],
    [{ role: 'user', content: 'When?' }, 'user'],
    [{ role: 'user', content: [{ type: 'text', text: 'When?' }] }, 'user'],
    [
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a' },
          { type: 'text', text: 'And?' },
        ],
      },
      'results',
    ],
    [{ role: 'system', content: 'It is evening.' }, 'other'],
  ])('knows what %j is', (entry, role) => {
    expect(anthropicHistory.roleOf(message(entry))).toBe(role);
  });

  test('finds the calls of the client, and which of them must not be run', () => {
    const content = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      toolUse('a', { port: 'Eider' }),
      toolUse('b', { INVALID_JSON: '[1' }),
      toolUse('c', 'Eider'),
    ];
    const shown = ({ id, name, inputText, isExecutable }: HistoryCall) => ({ id, name, inputText, isExecutable });
    expect(anthropicHistory.callsIn([message({ role: 'assistant', content })]).map(shown)).toEqual([
      { id: 'a', name: 'ferry', inputText: '{"port":"Eider"}', isExecutable: true },
      { id: 'b', name: 'ferry', inputText: '{"INVALID_JSON":"[1"}', isExecutable: false },
      { id: 'c', name: 'ferry', inputText: '"Eider"', isExecutable: false },
    ]);
    expect(anthropicHistory.callsIn([message({ role: 'assistant', content: 'At nine.' })])).toEqual([]);
  });

  test('drops thinking, and the message with it where there is nothing else', () => {
    const plain = message({ role: 'assistant', content: 'At nine.' });
    const lonely = message({ role: 'assistant', content: [thinking] });
    for (const drop of [anthropicHistory.withoutReasoning, anthropicHistory.forAnotherModel]) {
      expect(drop([turn, plain, lonely])).toEqual([
        { role: 'assistant', content: [toolUse('a', { port: 'Eider' })] },
        plain,
      ]);
      expect(drop([plain])[0]).toBe(plain);
    }
  });
});
