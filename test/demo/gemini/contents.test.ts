import { describe, expect, test } from 'vitest';
import { isSame } from '../../../demo/compare.ts';
import { blockOf, isContent, partsOf, readContents, sourceOf } from '../../../demo/gemini/contents.ts';
import { script } from '../../../demo/script.ts';

describe('partsOf', () => {
  test('joins thinking that stands side by side, and signs the first call or an empty text', () => {
    const kinds = script.map((answer) =>
      partsOf(answer).map((part) => [
        'text' in part ? (part.thought ? 'thought' : 'text') : part.name,
        part.signature !== undefined,
      ]),
    );
    expect(kinds).toEqual([
      [
        ['thought', false],
        ['text', false],
        ['thought', false],
        ['aurora_forecast', true],
        ['cloud_cover', false],
      ],
      [
        ['thought', false],
        ['text', false],
        ['text', true],
      ],
    ]);
  });
});

describe('sourceOf', () => {
  test('keeps the spelling of arguments', () => {
    expect(sourceOf({ name: 'a', argsText: '{"b": 1.0 }', signature: 'c' })).toBe(
      '{"functionCall": {"name": "a","args": {"b": 1.0 }},"thoughtSignature": "c"}',
    );
  });

  test('writes a signed text that is empty', () => {
    expect(sourceOf({ text: '', signature: 'c' })).toBe('{"text": "","thoughtSignature": "c"}');
  });
});

describe('blockOf', () => {
  const call = '{"functionCall": {"name": "a","args": {"b": 1.0}},"thoughtSignature": "c"}';

  test.each([
    ['members in another order', '{"thoughtSignature":"c","functionCall":{"args":{"b": 1.0},"name":"a"}}', true],
    ['a number spelt otherwise', call.replace('1.0', '1'), false],
    ['another signature', call.replace('"c"', '"d"'), false],
    ['no signature', '{"functionCall":{"name":"a","args":{"b": 1.0}}}', false],
    ['an id', call.replace('"name"', '"id":"e","name"'), false],
    ['no arguments', '{"functionCall":{"name":"a"},"thoughtSignature":"c"}', false],
  ])('compares a call with %s', (_, other, isEqual) => {
    expect(isSame(blockOf(other, 0), blockOf(call, 0))).toBe(isEqual);
  });

  test.each([
    ['{"text":"a"}', 'text'],
    ['{"text":"a","thought":true}', 'thought'],
    ['{"thought":false,"text":"a"}', 'text'],
    [call, 'functionCall'],
    ['{"functionResponse":{}}', 'functionResponse'],
    ['{"thoughtSignature":"c"}', 'nothing'],
  ])('names what %s holds', (source, type) => {
    expect(blockOf(source, 0).type).toBe(type);
  });
});

describe('readContents', () => {
  test('reads each content as a message, and a content without a role as the person’s', () => {
    const read = readContents(['{"parts":[{"text":"a"}]}', '{"role":"model","parts":[{"text":"b"},{"text":"c"}]}']);
    expect(read.map(({ path, role, content }) => [path, role, content.map(({ place }) => place)])).toEqual([
      ['contents.0', 'user', ['parts.0']],
      ['contents.1', 'assistant', ['parts.0', 'parts.1']],
    ]);
  });
});

describe('isContent', () => {
  test.each([
    [{ role: 'user', parts: [{ text: 'a' }] }, true],
    [{ parts: [{ text: 'a' }] }, true],
    [{ role: 'model', parts: [{}] }, true],
    [{ role: 'assistant', parts: [{ text: 'a' }] }, false],
    [{ role: 'user', parts: [] }, false],
    [{ role: 'user', parts: ['a'] }, false],
    [{ role: 'user', content: 'a' }, false],
    [null, false],
  ])('looks at %j', (value, isShaped) => {
    expect(isContent(value)).toBe(isShaped);
  });
});
