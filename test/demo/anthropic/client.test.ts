import { describe, expect, test } from 'vitest';
import { createAnthropicClient, onlyToolCalls } from '../../../demo/anthropic/client.ts';

describe('createAnthropicClient', () => {
  test('runs calls, and tells of tools that do not exist', () => {
    const client = createAnthropicClient({ baseURL: 'http://127.0.0.1', apiKey: 'local', model: 'claude-local' });
    const call = { input: {}, inputText: '{}' };
    const transcript = client.begin();
    const calls = [
      { ...call, id: 'toolu_1', name: 'aurora_forecast' },
      { ...call, id: 'toolu_2', name: 'no_such_tool' },
    ];
    expect(calls.map((made) => client.run(made))).toEqual([
      { id: 'toolu_1', content: '{"kp":4.7,"peak":"22:30"}' },
      { id: 'toolu_2', content: 'There is no tool no_such_tool', isError: true },
    ]);
    expect([transcript.dialect, transcript.entries]).toEqual(['anthropic', []]);
  });
});

describe('onlyToolCalls', () => {
  test('keeps what was not an answer', () => {
    const calls = onlyToolCalls([
      { role: 'user', content: 'Why?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'a' },
          { type: 'tool_use', id: 'b', name: 'c', input: {} },
        ],
      },
    ]);
    expect(calls).toEqual([
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'b', name: 'c', input: {} }] },
    ]);
  });
});
