import { describe, expect, test } from 'vitest';
import { compareBlocks } from '../../../demo/compare.ts';
import { blockOf, isItem, readItems } from '../../../demo/responses/items.ts';

const question = '{"role":"user","content":"Why?"}';
const call = '{"id":"fc_1","type":"function_call","call_id":"call_1","name":"a","arguments":"{}"}';
const output = '{"type":"function_call_output","call_id":"call_1","output":"{}"}';
const answer = '{"type":"message","role":"assistant","content":[]}';

describe('readItems', () => {
  test('takes the items of an answer together, and what stands between answers', () => {
    const read = readItems([question, call, call, output, question, answer]);
    expect(read.map(({ role, first, content }) => [role, first, content.map(({ source }) => source)])).toEqual([
      ['user', 0, [question]],
      ['assistant', 1, [call, call]],
      ['user', 3, [output, question]],
      ['assistant', 5, [answer]],
    ]);
  });

  test('names each item by its place in the input, also one that is missing', () => {
    const sent = [[blockOf(call, 0), blockOf(answer, 1)]];
    expect(compareBlocks(readItems([question, question, call]), sent)).toEqual([
      { path: 'input.2', type: 'function_call', bytes: call.length, match: 'equal' },
      { path: 'input.3', type: 'message', bytes: answer.length, match: 'missing' },
    ]);
  });
});

describe('isItem', () => {
  test.each([
    question,
    call,
    output,
    answer,
    '{"type":"reasoning","summary":[]}',
    '{"type":"item_reference","id":"msg_1"}',
  ])('takes %s', (source) => {
    expect(isItem(JSON.parse(source))).toBe(true);
  });

  test.each([
    'null',
    '"Why?"',
    '{}',
    '{"role":"user"}',
    '{"role":"user","content":["Why?"]}',
    '{"type":"reasoning"}',
    '{"type":"function_call","call_id":"call_1","name":"a","arguments":{}}',
    '{"type":"function_call_output","call_id":"call_1"}',
    '{"type":"function_call_output","output":""}',
  ])('does not take %s', (source) => {
    expect(isItem(JSON.parse(source))).toBe(false);
  });
});
