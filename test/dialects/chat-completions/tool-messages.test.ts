import { describe, expect, test } from 'vitest';
import { toolMessages } from '../../../src/chat-completions.ts';

const calls = [{ id: 'a' }, { id: 'b' }];

describe('toolMessages', () => {
  test('gives one message for each call, in the order of the calls', () => {
    const results = [
      { id: 'b', content: { level: 1.5 } },
      { id: 'a', content: 'half past nine' },
    ];
    expect(toolMessages(calls, results)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'half past nine' },
      { role: 'tool', tool_call_id: 'b', content: '{"level":1.5}' },
    ]);
  });

  test('writes a result that is nothing as null', () => {
    expect(toolMessages([{ id: 'a' }], [{ id: 'a', content: undefined }])[0]?.content).toBe('null');
  });

  test('writes an error as what it says, and refuses what JSON has no word for', () => {
    const content = new RangeError('No such station');
    expect(toolMessages([{ id: 'a' }], [{ id: 'a', content }])[0]?.content).toBe('RangeError: No such station');
    expect(() => toolMessages([{ id: 'a' }], [{ id: 'a', content: () => 1 }])).toThrow(/call a is a function/);
  });

  test.each([
    [[{ id: 'a', content: '' }], /call b has no result/],
    [[...calls, { id: 'a' }].map(({ id }) => ({ id, content: '' })), /call a has two results/],
    [['a', 'b', 'c'].map((id) => ({ id, content: '' })), /no call c in this turn/],
  ])('refuses results that do not fit the calls: %j', (results, message) => {
    expect(() => toolMessages(calls, results)).toThrow(message);
  });
});
