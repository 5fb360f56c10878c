import { describe, expect, test } from 'vitest';
import type { HistoryCall } from '../../../src/core/history.ts';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { responsesHistory } from '../../../src/dialects/responses/history.ts';
import { createTranscript } from '../../../src/index.ts';
import { type ResponsesItem, responses } from '../../../src/responses.ts';
import { assemble, callItem, completed, created, done, messageItem, reasoningItem } from './wire-events.ts';

const item = (value: object): ResponsesItem => value as ResponsesItem;
const shown = ({ id, name, inputText, isExecutable }: HistoryCall) => ({ id, name, inputText, isExecutable });

describe('a history of Responses', () => {
  test.each<[object, string]>([
    [{ role: 'user', content: 'When?' }, 'user'],
    [{ type: 'message', role: 'developer', content: 'Be brief.' }, 'other'],
    [{ role: 'system', content: 'Be brief.' }, 'other'],
    [messageItem(0, 'At nine.'), 'turn'],
    [reasoningItem(0), 'turn'],
    [callItem(0, '{}'), 'turn'],
    [{ type: 'function_call_output', call_id: 'a', output: '' }, 'results'],
    [{ type: 'custom_tool_call_output', call_id: 'a', output: '' }, 'results'],
    [{ type: 'local_shell_call_output', id: 'a', output: '' }, 'results'],
    [{ type: 'apply_patch_call_output', call_id: 'a', status: 'completed' }, 'results'],
    [{ type: 'shell_call_output', call_id: 'a', output: [] }, 'results'],
    [{ type: 'shell_call_output', id: 'sho_1', call_id: 'a', output: [] }, 'turn'],
    [{ type: 'tool_search_output', call_id: 'a', execution: 'client', tools: [] }, 'results'],
    [{ type: 'tool_search_output', call_id: 'a', execution: 'server', tools: [] }, 'turn'],
  ])('knows what %j is', (entry, role) => {
    expect(responsesHistory.roleOf(item(entry))).toBe(role);
  });

  test('finds the calls of the client, under the ids that their outputs name', () => {
    const calls = [
      callItem(0, '{"port": 1.0}'),
      callItem(1, '[1]'),
      { type: 'custom_tool_call', call_id: 'c', name: 'shell', input: 'ls [' },
      { type: 'local_shell_call', id: 'l', action: { command: ['ls'] } },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
    ];
    expect(responsesHistory.callsIn(calls.map(item)).map(shown)).toEqual([
      { id: 'call_0', name: 'tool', inputText: '{"port": 1.0}', isExecutable: true },
      { id: 'call_1', name: 'tool', inputText: '[1]', isExecutable: false },
      { id: 'c', name: 'shell', inputText: 'ls [', isExecutable: true },
      { id: 'l', name: 'local_shell', inputText: '{"command":["ls"]}', isExecutable: true },
    ]);
    expect(responsesHistory.answersIn(item({ type: 'local_shell_call_output', id: 'l', output: '' }))).toEqual(['l']);
  });

  test('reads inputs that nest deeper than the limit, which was raised when they came', async () => {
    const deep = `{"a":${'['.repeat(600)}${']'.repeat(600)}}`;
    const { turn } = await assemble([created(), done(0, callItem(0, deep)), completed()], {}, { inputDepth: 1000 });
    const transcript = createTranscript(responses);
    transcript.commit(turn);
    expect(transcript.pending[0]?.inputText).toBe(deep);
  });

  test('drops reasoning with the ids that are bound to it, where an item may go without', () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' };
    const shell = { type: 'local_shell_call', id: 'l', action: { command: ['ls'] } };
    const said = messageItem(1, 'At nine.', { phase: 'commentary' });
    const items = [reasoningItem(0), said, callItem(2, '{}'), search, shell].map(item);
    const { id: _message, status: _status, ...message } = said as JsonObject;
    const { id: _call, ...call } = callItem(2, '{}');
    for (const drop of [responsesHistory.withoutReasoning, responsesHistory.forAnotherModel]) {
      expect(drop(items)).toEqual([message, call, search, shell]);
      const plain = items.slice(1);
      expect(drop(plain)).toBe(plain);
    }
  });

  test('says a text, or parts; a text that stays goes without its id', () => {
    expect(responsesHistory.user('When?')).toEqual({ role: 'user', content: 'When?' });
    const parts = [{ type: 'input_image', image_url: 'https://example.org/pier.png' }];
    expect(responsesHistory.user(parts)).toEqual({ role: 'user', content: parts });
  });
});
