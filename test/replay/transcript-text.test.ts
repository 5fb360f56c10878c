import { afterEach, describe, expect, test, vi } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import type { JsonObject } from '../../src/core/json-object.ts';
import { createTranscript, type Dialect, parseTranscript, stringifyRequest, type Transcript } from '../../src/index.ts';
import { responses } from '../../src/responses.ts';
import { createChunkStage } from '../../src/rx/chunk-stage.ts';
import * as anthropicWire from '../dialects/anthropic/wire-events.ts';
import { type DialectKit, kits, turnOf } from './dialect-kits.ts';

/** Inputs that come out otherwise when they are parsed and written again. */
const inputs = [
  '{"speed":1.0}',
  '{"speed": 1e3}',
  '{"id":12345678901234567890}',
  '{"b":1,"a":2,"10":3,"9":4}',
  '{ "blank" : [ 1 ,2 ]\t}',
  '{"half":"\\ud83d","whole":"\\ud83d\\udea2"}',
  '{"slash":"\\/","letter":"\\u0041"}',
  '{"__proto__":{"x":1}}',
  '{"twice":1,"twice":2.0}',
  '{"line":"\u2028\u2029"}',
];

function withCalls(kit: DialectKit, texts: readonly string[], sayings = 'When?\u2028'): Transcript<object, object> {
  const transcript = createTranscript(kit.dialect);
  transcript.user(sayings);
  const calls = texts.map((input, at) => ({ id: `c${at}`, name: 'tool', input }));
  transcript.commit(turnOf(kit, { id: 't1', reasoning: 'Ω\u2028 \\ "', text: '🚢', calls, reasoningTokens: 5 }));
  return transcript;
}

function roundTrip<Entry, Item>(dialect: Dialect<Entry, Item>, transcript: Transcript<Entry, Item>) {
  return parseTranscript(dialect, transcript.stringify());
}

/** A turn of a body, in one chunk. */
function assemble(dialect: Dialect<object, object>, body: string) {
  const stage = createChunkStage(dialect, { clock: () => 0 });
  const last = [...stage.push(body), ...stage.flush()].find((event) => event.type === 'turn');
  if (!last) throw new Error('There is no turn.');
  return last.turn;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(kits)('a transcript of $name as text', (kit) => {
  test('has the same requests in it to the byte, and the same calls that wait', () => {
    const transcript = withCalls(kit, inputs);
    const parsed = roundTrip(kit.dialect, transcript);
    const written = stringifyRequest(parsed.entries);
    expect(written).toBe(stringifyRequest(transcript.entries));
    for (const input of inputs) {
      expect(kit.name === 'anthropic' || kit.name === 'gemini' ? written : JSON.parse(`{"all":${written}}`)).toSatisfy(
        (all: unknown) => (typeof all === 'string' ? all : textsIn(all).join('\n')).includes(input),
        input,
      );
    }
    const shape = ({ pending }: Transcript<object, object>) =>
      pending.map(({ id, name, inputText, input }) => ({ id, name, inputText, input }));
    expect(shape(parsed)).toEqual(shape(transcript));
    expect(shape(parsed).map(({ inputText }) => inputText)).toEqual(inputs);
    expect(parsed.isCycleOpen).toBe(true);
    expect(parsed.reasoningTokens).toEqual([5]);
  });

  test('is the same text when it is read and written again, and again', () => {
    const transcript = withCalls(kit, inputs);
    const text = transcript.stringify();
    const again = roundTrip(kit.dialect, transcript).stringify();
    expect(again).toBe(text);
    expect(parseTranscript(kit.dialect, again).stringify()).toBe(text);
    expect(() => JSON.parse(text)).not.toThrow();
  });

  test('keeps the inputs where something else of their turn goes', () => {
    const transcript = withCalls(kit, inputs);
    transcript.answer(inputs.map((_, at) => ({ id: `c${at}`, content: 'ok' })));
    transcript.commit(turnOf(kit, { id: 't2', text: 'Done.' }));
    const lighter = roundTrip(kit.dialect, transcript).withoutReasoning();
    expect(stringifyRequest(lighter.entries)).toBe(stringifyRequest(transcript.withoutReasoning().entries));
    expect(stringifyRequest(lighter.entries)).toMatch(/\\?"speed\\?": 1e3/);
  });

  test('goes on as if nothing had happened', () => {
    const transcript = withCalls(kit, ['{}', '[1]']);
    const parsed = roundTrip(kit.dialect, transcript);
    expect(parsed.pending.map(({ id }) => id)).toEqual(['c0']);
    for (const each of [transcript, parsed]) {
      each.answer([{ id: 'c0', content: 'ok' }]);
      each.commit(turnOf(kit, { id: 't2', text: 'Done.' }));
    }
    expect(stringifyRequest(parsed.entries)).toBe(stringifyRequest(transcript.entries));
    expect(() => parsed.commit(turnOf(kit, { id: 't2', text: 'Done.' }))).toThrow(/in the transcript already/);
    expect(Object.isFrozen(parsed.entries[1])).toBe(true);
  });

  test('knows a call that only looks invalid', () => {
    const parsed = roundTrip(kit.dialect, withCalls(kit, ['{"INVALID_JSON":"copied"}']));
    expect(parsed.pending.map(({ id }) => id)).toEqual(['c0']);
  });

  test('is refused by another dialect', () => {
    const text = withCalls(kit, ['{}']).stringify();
    for (const { name, dialect } of kits.filter((other) => other !== kit)) {
      expect(() => parseTranscript(dialect, text)).toThrow(`This is a transcript of ${kit.name}, and not of ${name}.`);
    }
  });

  test('is read in steps that grow with it alone', () => {
    const [small, large] = [stepsFor(kit, 20), stepsFor(kit, 80)];
    expect(large.length / small.length).toBeGreaterThan(3.5);
    expect(large.steps / small.steps).toBeLessThan((1.1 * large.length) / small.length);
    expect(small.steps).toBeGreaterThan(small.length);
  });

  test('may be 10 MB long', () => {
    const input = `{"page":"${'Ferry 1.0 '.repeat(100_000)}","speed":1.0}`;
    const transcript = withCalls(
      kit,
      Array.from({ length: 10 }, () => input),
    );
    const text = transcript.stringify();
    expect(text.length).toBeGreaterThan(10_000_000);
    const parsed = parseTranscript(kit.dialect, text);
    expect(parsed.stringify() === text).toBe(true);
    expect(parsed.pending.every(({ inputText }) => inputText === input)).toBe(true);
  });
});

/** How often a character is looked at, or a text handed over, to read a transcript of so many calls. */
function stepsFor(kit: DialectKit, calls: number): { readonly length: number; readonly steps: number } {
  const texts = Array.from({ length: calls }, (_, at) => `{"speed":1.0,"port":"${'Harlow '.repeat(20)}${at}"}`);
  const transcript = createTranscript(kit.dialect);
  for (const [at, input] of texts.entries()) {
    transcript.user('When?');
    transcript.commit(turnOf(kit, { id: `t${at}`, reasoning: 'Hm.', calls: [{ id: `c${at}`, input }] }));
    transcript.answer([{ id: `c${at}`, content: 'ok' }]);
  }
  const text = transcript.stringify();
  let steps = 0;
  const { charCodeAt } = String.prototype;
  const { parse, stringify } = JSON;
  vi.spyOn(String.prototype, 'charCodeAt').mockImplementation(function at(this: string, place: number) {
    steps += 1;
    return Reflect.apply(charCodeAt, this, [place]);
  });
  vi.spyOn(JSON, 'parse').mockImplementation((json: string) => {
    steps += json.length;
    return parse(json) as unknown;
  });
  vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown) => {
    const json = stringify(value);
    steps += json.length;
    return json;
  });
  parseTranscript(kit.dialect, text);
  vi.restoreAllMocks();
  return { length: text.length, steps };
}

/** All texts in a value, and the texts of its members' JSON texts. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe('a transcript as text', () => {
  test('keeps members that nobody knows, their numbers and the order of keys', () => {
    const unknown = '{"type":"weather_map","z":1.0,"a":{"id":12345678901234567890,"9":1,"1":2}}';
    const start = `data: {"type":"content_block_start","index":0,"content_block":${unknown}}\n\n`;
    const events = anthropicWire.sse(
      anthropicWire.stop(0),
      ...anthropicWire.text(1, 'x'),
      ...anthropicWire.messageEnd(),
    );
    const transcript = createTranscript(anthropic as Dialect<object, object>);
    transcript.user('Map?');
    transcript.commit(assemble(anthropic, anthropicWire.sse(anthropicWire.messageStart()) + start + events));
    const parsed = roundTrip(anthropic, transcript as never);
    expect(stringifyRequest(parsed.entries)).toBe(stringifyRequest(transcript.entries));
    expect(stringifyRequest(parsed.entries)).toContain('"weather_map"');
  });

  test('keeps the action of a Responses call that is no text', () => {
    const item = '{"type":"shell_call","id":"sh_1","call_id":"c","action":{"timeout":1.0,"commands":[ "ls" ]}}';
    const body = [
      '{"type":"response.created","response":{"id":"r","model":"m","status":"in_progress"}}',
      `{"type":"response.output_item.done","output_index":0,"item":${item}}`,
      '{"type":"response.completed","response":{"id":"r","model":"m","status":"completed"}}',
    ];
    const transcript = createTranscript(responses as Dialect<object, object>);
    transcript.commit(assemble(responses as Dialect<object, object>, body.map((data) => `data: ${data}\n\n`).join('')));
    const parsed = roundTrip(responses as Dialect<object, object>, transcript);
    expect(stringifyRequest(parsed.entries)).toBe(`[${item}]`);
    expect(parsed.pending[0]?.inputText).toBe('{"timeout":1.0,"commands":[ "ls" ]}');
    expect(parsed.pending).toEqual(transcript.pending);
  });

  const text = createTranscript(anthropic).stringify();
  const changed = (members: JsonObject): string => JSON.stringify({ ...(JSON.parse(text) as object), ...members });

  test('refuses bytes, which a file gives that is read without an encoding', () => {
    expect(() => parseTranscript(anthropic, new TextEncoder().encode(text) as never)).toThrow(/Expected the text/);
  });

  test.each<[string, RegExp]>([
    ['', /no transcript: it is not JSON/],
    ['{"wholeturn":', /no transcript: it is not JSON/],
    ['null', /not written by stringify/],
    ['[]', /not written by stringify/],
    ['{"messages":[]}', /not written by stringify/],
    [changed({ wholeturn: 'turn' }), /not written by stringify/],
    [changed({ steps: {} }), /not written by stringify/],
    [changed({ version: 2 }), /A transcript of version 2 is not known/],
    [changed({ dialect: 'gemini' }), /a transcript of gemini, and not of anthropic/],
    [changed({ steps: [null] }), /no role, or no items/],
    [changed({ steps: [{ role: 'robot', items: [] }] }), /no role, or no items/],
    [changed({ steps: [{ role: 'user', items: 'x' }] }), /no role, or no items/],
    [changed({ steps: [{ role: 'user', items: [null] }] }), /Entry 0 of the history is no object/],
    [
      changed({
        steps: [
          {
            role: 'turn',
            items: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] }],
          },
          { role: 'user', items: [{ role: 'user', content: 'x' }] },
        ],
      }),
      /call a and its results do not fit/,
    ],
  ])('refuses %j', (foreign, message) => {
    expect(() => parseTranscript(anthropic, foreign)).toThrow(TypeError);
    expect(() => parseTranscript(anthropic, foreign)).toThrow(message);
  });
});
