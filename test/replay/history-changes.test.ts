import { describe, expect, test } from 'vitest';
import { type AnthropicMessage, anthropic } from '../../src/anthropic.ts';
import { chatCompletions } from '../../src/chat-completions.ts';
import { checkRequest, createTranscript, type JsonObject } from '../../src/index.ts';

const thinking = { type: 'thinking', thinking: 'Low.', signature: 'c2ln' } as const;
const call = { type: 'tool_use', id: 'toolu_1', name: 'tide', input: { port: 'Harlow', days: [1, 2] } } as const;
const entries: AnthropicMessage[] = [
  { role: 'user', content: 'How high?' },
  { role: 'assistant', content: [{ ...thinking }, { ...call, input: { ...call.input } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'low' }] },
];
const transcript = createTranscript(anthropic, { entries });

/** Where a request with these messages differs from the transcript. */
function changes(messages: readonly unknown[]): string[] {
  const body = { model: 'claude-opus-5-5', max_tokens: 4096, thinking: { type: 'adaptive' }, messages };
  const findings = checkRequest(body, anthropic, { transcript });
  return findings.filter(({ code }) => code === 'history_changed').map(({ path, severity }) => `${severity} ${path}`);
}

/** The messages with the blocks of the turn changed. */
function withTurn(...content: readonly JsonObject[]): unknown[] {
  return [entries[0], { role: 'assistant', content }, entries[2]];
}

describe('history_changed', () => {
  test.each<[string, unknown[]]>([
    ['the entries themselves', [...transcript.entries]],
    ['copies of them', JSON.parse(JSON.stringify(entries))],
    ['other orders of members', withTurn({ signature: 'c2ln', thinking: 'Low.', type: 'thinking' }, { ...call })],
    ['marks for the cache', withTurn({ ...thinking }, { ...call, cache_control: { type: 'ephemeral' } })],
    ['members without a value', withTurn({ ...thinking, data: undefined }, { ...call })],
  ])('is not told of %s', (_what, messages) => {
    expect(changes(messages)).toEqual([]);
  });

  test.each<[string, unknown[], string]>([
    ['edited thinking', withTurn({ ...thinking, thinking: 'Low' }, { ...call }), 'messages[1].content[0].thinking'],
    [
      'an edited input',
      withTurn({ ...thinking }, { ...call, input: { port: 'Harlow', days: [1, 3] } }),
      'messages[1].content[1].input.days[1]',
    ],
    ['an added member', withTurn({ ...thinking }, { ...call, index: 1 }), 'messages[1].content[1].index'],
    ['a dropped block', withTurn({ ...call }), 'messages[1].content'],
    ['blocks in another order', withTurn({ ...call }, { ...thinking }), 'messages[1].content[0].type'],
    ['a dropped message', [entries[0], entries[1]], 'messages[2]'],
    ['one more message', [...entries, { role: 'user', content: 'And now?' }], 'messages[3]'],
    ['a message that is none', [entries[0], 'x', entries[2]], 'messages[1]'],
  ])('is told of %s, by its path', (_what, messages, path) => {
    expect(changes(messages)).toEqual([`error ${path}`]);
  });

  test('looks behind the instructions that a request puts before its history', () => {
    const chat = createTranscript(chatCompletions, { entries: [{ role: 'user', content: 'How high?' }] });
    const history = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'How low?' },
    ];
    const codes = (messages: unknown[]): string[] =>
      checkRequest({ model: 'any', messages }, chatCompletions, { transcript: chat }).map(({ path }) => path);
    expect(codes([history[0], ...chat.entries])).toEqual([]);
    expect(codes(history)).toEqual(['messages[1].content']);
  });

  test('does not follow values deeper than it may', () => {
    const nested = (depth: number, leaf: string): unknown => (depth === 0 ? leaf : { a: nested(depth - 1, leaf) });
    const deep = createTranscript(anthropic, { entries: [{ role: 'user', content: [nested(200, 'x')] }] as never[] });
    const body = { messages: [{ role: 'user', content: [nested(200, 'y')] }] };
    const found = checkRequest(body, anthropic, { transcript: deep }).filter(({ code }) => code === 'history_changed');
    expect(found).toHaveLength(1);
  });
});
