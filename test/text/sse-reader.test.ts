import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { SseMessage } from '../../src/core/sse-message.ts';
import { createSseReader } from '../../src/text/sse-reader.ts';

const encoder = new TextEncoder();

function read(...chunks: (Uint8Array | string)[]): SseMessage[] {
  const reader = createSseReader();
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.flush()];
}

/** Only what a message says, so that an absent member and an undefined one are the same. */
function said(messages: readonly SseMessage[]): object[] {
  return messages.map((message) => JSON.parse(JSON.stringify(message)) as object);
}

describe('createSseReader', () => {
  test('reads event, data and id, and leaves comments and retry out', () => {
    const text = ': hello\nevent: ping\nid: 7\nretry: 10\ndata: {}\n\n:\n\ndata:a\ndata: b\n\n';
    expect(said(read(text))).toEqual([{ event: 'ping', id: '7', data: '{}' }, { data: 'a\nb' }]);
  });

  test.each(['\n', '\r', '\r\n'])('takes %j as a line end', (end) => {
    const text = ['event: a', 'data: 1', '', 'data: 2', '', ''].join(end);
    expect(said(read(text))).toEqual([{ event: 'a', data: '1' }, { data: '2' }]);
  });

  test('skips a byte order mark, in bytes and in text', () => {
    expect(said(read(encoder.encode('\ufeffdata: 1\n\n')))).toEqual([{ data: '1' }]);
    expect(said(read('\ufeffdata: 1\n\n'))).toEqual([{ data: '1' }]);
    expect(said(read('', '\ufeff', 'data: 1\n\n'))).toEqual([{ data: '1' }]);
  });

  test('gives a last message without its blank line, and says so', () => {
    expect(said(read('data: 1\n\ndata: {"half'))).toEqual([{ data: '1' }, { data: '{"half', unterminated: true }]);
    expect(said(read('data: 1\n'))).toEqual([{ data: '1', unterminated: true }]);
    expect(said(read('data: 1\r'))).toEqual([{ data: '1', unterminated: true }]);
    expect(said(read('data: 1\r\r'))).toEqual([{ data: '1' }]);
    expect(said(read('data: 1\r\n\r\n'))).toEqual([{ data: '1' }]);
  });

  const streams = [
    'event: a\ndata: {"text":"Fähre 🚢 日本"}\n\n: ping\n\nid: 3\ndata: x\ndata: y\n\ndata: last',
    '\ufeffevent: a\r\ndata: 🚢\r\n\r\ndata: 2\r\n\r\n',
    'data: a\r\rdata: é\rdata: b\r\revent: c\rdata: d\r\r',
    'data: 1\n\n{\n  "error": {\n    "code": 503\n  }\n}\n',
    'data: 1\n\nerror: {"detail":"no model"}\n\ndata: 2\n\n',
  ];

  test.each(streams)('gives the same messages of %j at any split', (text) => {
    const bytes = encoder.encode(text);
    const whole = said(read(bytes));
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(said(read(bytes.subarray(0, cut), bytes.subarray(cut)))).toEqual(whole);
    }
    expect(said(read(...Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))))).toEqual(whole);
    expect(said(read(...text))).toEqual(whole);
  });

  test('gives a message whose lines end in CR alone at once, whatever the chunks', () => {
    for (const chunks of [['data: 1\r\r'], ['data: 1\r', '\r'], [...'data: 1\r\r']]) {
      const reader = createSseReader();
      expect(said(chunks.flatMap((chunk) => reader.push(chunk)))).toEqual([{ data: '1' }]);
    }
  });

  test('takes the bytes of any view', () => {
    const bytes = encoder.encode('data: 1\n\n');
    expect(said(createSseReader().push(bytes.buffer))).toEqual([{ data: '1' }]);
    expect(said(createSseReader().push(new DataView(bytes.buffer)))).toEqual([{ data: '1' }]);
    expect(() => createSseReader().push(5 as unknown as string)).toThrow(/bytes or text/);
  });

  test.each([1, 1000])('finds a line of any kind too long in chunks of %i', (size) => {
    const text = `data: ok\n\n: ${'c'.repeat(300)}\n\ndata: after\n\n`;
    const reader = createSseReader({ messageLength: 200 });
    const messages: SseMessage[] = [];
    for (let at = 0; at < text.length && !reader.failure; at += size)
      messages.push(...reader.push(text.slice(at, at + size)));
    expect([messages.map(({ data }) => data), reader.failure?.name]).toEqual([['ok'], 'LimitExceededError']);
  });

  test('gives the same messages of random streams at random splits', () => {
    const line = fc.constantFrom(
      'data: 1',
      'data:',
      'event: e',
      ':',
      '',
      '',
      'id: 1',
      'x',
      'error: {"a":1}',
      '{"error":1}',
    );
    const end = fc.constantFrom('\n', '\r', '\r\n');
    const stream = fc.array(fc.tuple(line, end)).map((lines) => lines.flat().join(''));
    fc.assert(
      fc.property(stream, fc.array(fc.nat(200)), (text, cuts) => {
        const places = [...cuts, text.length].sort((a, b) => a - b);
        const chunks = places.map((place, at) => text.slice(places[at - 1] ?? 0, place));
        expect(said(read(...chunks))).toEqual(said(read(text)));
      }),
      { numRuns: process.env['CI'] ? 5000 : 500 },
    );
  });

  test('heals a code point that is split between bytes and text', () => {
    const bytes = encoder.encode('data: 🚢');
    expect(said(read(bytes.subarray(0, 8), bytes.subarray(8), '\n\n'))).toEqual([{ data: '🚢' }]);
  });

  test('makes an error event of a bare JSON body with an error, one line or pretty-printed', () => {
    const body = JSON.stringify({ error: { code: 503, message: 'overloaded' } }, null, 2);
    expect(said(read(`data: 1\n\n${body}\n`))).toEqual([{ data: '1' }, { event: 'error', data: `${body}\n` }]);
    expect(said(read('{"error":"no"}'))).toEqual([{ event: 'error', data: '{"error":"no"}\n' }]);
  });

  test('makes an error event of a field line error', () => {
    expect(said(read('error: {"detail":"no model"}\n\n'))).toEqual([{ event: 'error', data: '{"detail":"no model"}' }]);
  });

  test.each(['{"status":"ok"}\n\n', '<html>\n{\n}\n', 'error: upstream died\n\n', '{\n"error":\n', '}{\n'])(
    'takes %j for no error',
    (text) => {
      expect(said(read(text))).toEqual([]);
    },
  );

  test('forgets stray lines that grow too long, and still finds an error after them', () => {
    const noise = `{"noise":\n${'"x",\n'.repeat(20_000)}`;
    expect(said(read(`${noise}\n\n{"error":1}\n`)).at(-1)).toEqual({ event: 'error', data: '{"error":1}\n' });
  });

  test.each([1, 7, 1000])('fails when a message exceeds the limit, and gives those before, in chunks of %i', (size) => {
    const text = `data: ok\n\ndata: ${'x'.repeat(100)}\n\ndata: ${'x'.repeat(101)}\n\ndata: after\n\n`;
    const reader = createSseReader({ messageLength: 100 });
    const messages: SseMessage[] = [];
    for (let at = 0; at < text.length && !reader.failure; at += size)
      messages.push(...reader.push(text.slice(at, at + size)));
    expect(messages.map(({ data }) => data.length)).toEqual([2, 100]);
    expect(reader.failure).toMatchObject({ code: 'limit_exceeded', limit: 'messageLength', value: 100 });
  });

  test('fails when the lines of one message exceed the limit together', () => {
    const reader = createSseReader({ messageLength: 100 });
    for (let line = 0; line < 30 && !reader.failure; line += 1) reader.push('data: 1234567890\n');
    expect(reader.failure).toMatchObject({ limit: 'messageLength' });
  });

  test('reads a long message in small pieces', () => {
    const data = 'x'.repeat(2_000_000);
    const text = `data: ${data}\n\n`;
    const reader = createSseReader();
    const messages: SseMessage[] = [];
    for (let at = 0; at < text.length; at += 7) messages.push(...reader.push(text.slice(at, at + 7)));
    expect(messages.map((message) => message.data.length)).toEqual([data.length]);
  });
});

describe('createSseReader, what is left behind', () => {
  test('puts half a character where it was when text follows the bytes', () => {
    const half = Uint8Array.of(...encoder.encode('data: '), 0xe2);
    expect(said(read(half, 'x\n\n'))).toEqual([{ data: '\ufffdx' }]);
  });

  test('makes no error of stray lines before and behind an event', () => {
    const text = '{\n\ndata: {}\n\n"error":{"message":"x"}}\n\n';
    expect(said(read(text))).toEqual([{ data: '{}' }]);
  });

  test('gives up on a body too long to be an error', () => {
    const filler = `"a": "${'x'.repeat(1000)}",\n`.repeat(70);
    expect(said(read(`{\n${filler}"error": {"message": "x"}\n}\n\n`))).toEqual([]);
  });

  test('tries a body that is no error a bounded number of times', () => {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      read(`{\n${' "a":{}\n'.repeat(200)}\n`);
      expect(parse.mock.calls.length).toBeLessThanOrEqual(32);
    } finally {
      parse.mockRestore();
    }
  });
});
