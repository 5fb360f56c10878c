import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { anthropic } from '../../../src/anthropic.ts';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { assembleTurn } from '../../../src/rx/assemble-turn.ts';
import { stringifyRequest } from '../../../src/text/verbatim-json.ts';
import {
  assemble,
  call,
  content,
  delta,
  messageEnd,
  messageStart,
  sse,
  start,
  states,
  stop,
  text,
} from './wire-events.ts';

const codes = (list: readonly { readonly code: string }[]): string[] => list.map(({ code }) => code);
const messageDelta = (reason: unknown): JsonObject => ({ type: 'message_delta', delta: { stop_reason: reason } });
const messageStop: JsonObject = { type: 'message_stop' };

describe('anthropic, on hostile streams', () => {
  test.each(['', null, 5])('does not let the stop reason %j hide that the answer was cut', async (later) => {
    const events = [
      messageStart(),
      ...call(0, {}, '{"a":1}'),
      messageDelta('max_tokens'),
      messageDelta(later),
      messageStop,
    ];
    const { turn } = await assemble(events);
    expect([turn.stopReason, turn.toolCalls, turn.entries]).toEqual(['max_tokens', [], []]);
  });

  test.each([
    ['an input that is an object', { type: 'input_json_delta', partial_json: { path: '/x' } }],
    ['no delta at all', null],
    ['a delta that is a text', 'oops'],
    ['a delta without a type', { partial_json: '1' }],
  ])('does not let a call be executed that lost a piece: %s', async (_, lost) => {
    const piece = { type: 'content_block_delta', index: 0, delta: lost };
    const [begin, ...rest] = call(0, {}, '{"a":1}');
    const assembled = await assemble([messageStart(), begin ?? {}, piece, ...rest, ...messageEnd('tool_use')]);
    expect(states(assembled)).toEqual(['tool_call invalid']);
    expect(codes(assembled.turn.warnings)).toEqual(['unknown_delta']);
  });

  test('counts thinking that lost a piece as unfaithful, and warns of a text that did', async () => {
    const thought = [
      start(0, { type: 'thinking', thinking: '' }),
      delta(0, 'thinking_delta', { thinking: 5 }),
      delta(0, 'signature_delta', { signature: 's' }),
      stop(0),
    ];
    const said = [
      start(1, { type: 'text', text: 'x' }),
      delta(1, 'text_delta', { text: ['y'] }),
      delta(1, 'citations_delta', {}),
      stop(1),
    ];
    const assembled = await assemble([messageStart(), ...thought, ...said, ...messageEnd()]);
    expect(states(assembled)).toEqual(['reasoning unfaithful', 'text finished']);
    expect(assembled.turn.warnings.map(({ index }) => index)).toEqual([0, 1, 1]);
    expect(content(assembled)).toEqual([{ type: 'text', text: 'x' }]);
  });

  test.each([
    ['a text', 'data: "overloaded"'],
    ['null', 'data: null'],
    ['a list', 'data: ["x"]'],
    ['no JSON', 'data: overloaded'],
    ['nothing', 'data:'],
  ])('fails with an error event whose data is %s', async (_, data) => {
    const events = sse(messageStart(), ...text(0, 'x'), messageDelta('end_turn'));
    const { turn } = await assemble(`${events}event: error\n${data}\n\n`);
    expect([turn.status, turn.error?.code]).toEqual(['failed', 'provider_error']);
  });

  test('fails with an error whose type is null, and not with one that is null', async () => {
    const failed = await assemble([messageStart(), { type: null, error: { type: 'overloaded_error', message: 'm' } }]);
    expect(failed.turn.status).toBe('failed');
    const fine = await assemble([messageStart(), ...text(0, 'x'), { error: null }, ...messageEnd()]);
    expect(fine.turn.status).toBe('complete');
  });

  test('finds an error body after a line that is broken', async () => {
    const events = sse(messageStart(), ...text(0, 'x'), messageDelta('end_turn'));
    const body = `${events}{broken\n\n${'{bad}\n'.repeat(50)}{"error":{"message":"real"}}\n\n`;
    expect((await assemble(body)).turn.error?.message).toContain('real');
  });

  test('runs a call that came twice once, and sends it back once', async () => {
    const again = [messageStart(), ...call(0, { id: 'toolu_1' }, '{}')];
    const assembled = await assemble([...again, ...again, ...messageEnd('tool_use')]);
    expect(assembled.turn.toolCalls).toHaveLength(1);
    expect(content(assembled)).toHaveLength(1);
    expect(codes(assembled.turn.repairs)).toEqual(['duplicate_call']);
  });

  test('leaves a message out that says nothing but blanks, and keeps blanks beside another block', async () => {
    expect(
      content(await assemble([messageStart(), ...text(0, '\n\n'), ...text(1, ' '), ...messageEnd()])),
    ).toBeUndefined();
    expect(
      content(await assemble([messageStart(), ...text(0, '\n\n'), ...text(1, 'x'), ...messageEnd()])),
    ).toHaveLength(2);
  });

  test('leaves an unknown block out whose input is no JSON', async () => {
    const odd = [
      start(0, { type: 'future_use', input: {} }),
      delta(0, 'input_json_delta', { partial_json: '{"a": oops' }),
      stop(0),
    ];
    expect(states(await assemble([messageStart(), ...odd, ...text(1, 'x'), ...messageEnd()]))).toEqual([
      'other unfaithful',
      'text finished',
    ]);
  });

  test('changes none of the parsed events it is given', async () => {
    const events = [
      messageStart(),
      start(0, { type: 'future', citations: [] }),
      delta(0, 'citations_delta', { citation: { a: 1 } }),
      stop(0),
      ...messageEnd(),
    ];
    const copy = structuredClone(events);
    await assembleTurn(of(...events), anthropic).settled();
    expect(events).toEqual(copy);
  });

  test('sends the numbers of a block that came whole back as they came', async () => {
    const block =
      '{"type":"web_search_tool_result","tool_use_id":"s","content":[{"n":1.0,"id":12345678901234567890,"2":0,"1":0}]}';
    const server = call(0, { type: 'server_tool_use', id: 's', name: 'web_search' }, '{}');
    const body = `${sse(messageStart(), ...server)}data: {"type":"content_block_start","index":1,"content_block":${block}}\n\n`;
    const { turn } = await assemble(`${body}${sse(stop(1), ...text(2, 'x'), ...messageEnd())}`);
    expect(stringifyRequest(turn.entries)).toContain(block);
  });

  test.each([
    ['whole results', (size: string) => [start(0, { type: 'a_tool_result', content: size }), stop(0)]],
    [
      'a prefilled signature',
      (size: string) => [start(0, { type: 'thinking', thinking: '', signature: size }), stop(0)],
    ],
    [
      'input of an unknown block',
      (size: string) => [start(0, { type: 'x' }), delta(0, 'input_json_delta', { partial_json: size })],
    ],
    ['members of the message', (size: string) => [{ type: 'message_delta', delta: { extra: size } }]],
  ])('counts %s towards the limit of a turn', async (_, create) => {
    const body = sse(messageStart(), ...create('x'.repeat(5000)), ...messageEnd());
    const { error } = await assembleTurn(of(body), anthropic, { limits: { turnLength: 4000 } }).settled();
    expect(error).toMatchObject({ limit: 'turnLength' });
  });

  test('shows the same text to early and late watchers when a limit is exceeded', async () => {
    const source = of(
      sse(messageStart(), start(0, { type: 'text', text: 'abc' }), delta(0, 'text_delta', { text: 'x'.repeat(900) })),
    );
    const turn = await assembleTurn(source, anthropic, { limits: { turnLength: 800 } }).settled();
    expect(turn.blocks[0]?.text).toBe('abc');
  });

  test('tells of the error that came first', async () => {
    const deep = `{"a":${'['.repeat(600)}${']'.repeat(600)}}`;
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'm' } };
    const { turn } = await assemble([messageStart(), ...call(0, {}, deep), overloaded]);
    expect(turn.error).toMatchObject({ code: 'provider_error', type: 'overloaded_error' });
  });

  test('forgets the usage of a message that was discarded', async () => {
    const second = messageStart({ id: 'msg_2', usage: undefined });
    const { turn } = await assemble([
      messageStart(),
      ...text(0, 'x'),
      second,
      ...text(0, 'y'),
      messageDelta('end_turn'),
      messageStop,
    ]);
    expect([turn.turnId, turn.usage.inputTokens]).toEqual(['msg_2', null]);
  });

  test('goes on with its message when another begins that says nothing', async () => {
    const { turn } = await assemble([messageStart(), ...text(0, 'x'), { type: 'message_start' }, ...messageEnd()]);
    expect(turn).toMatchObject({
      status: 'complete',
      blocks: [{ text: 'x' }],
      warnings: [{ code: 'malformed_event' }],
    });
  });

  test('lives on with an index and a type that cannot be printed', async () => {
    const odd = [
      delta({ toString: 1 } as unknown as number, 'text_delta', {}),
      delta(0, { deep: 1 } as unknown as string, {}),
      { type: { a: 1 } },
    ];
    const assembled = await assemble([
      messageStart(),
      ...odd.slice(0, 1),
      start(0, { type: 'text', text: 'x' }),
      ...odd.slice(1),
      stop(0),
      ...messageEnd(),
    ]);
    expect(assembled.turn.status).toBe('complete');
  });

  test('pairs no server tools that have no ids', async () => {
    const nameless = call(0, { type: 'server_tool_use', id: undefined, name: '' }, '{}');
    const result = [start(1, { type: 'x_tool_result', content: [] }), stop(1)];
    const { turn } = await assemble([messageStart(), ...nameless, ...result, ...text(2, 'x'), ...messageEnd()]);
    expect(codes(turn.repairs)).toEqual(['nameless_call']);
  });

  test('takes time linear in the number of message deltas', async () => {
    const deltas = Array.from({ length: 20_000 }, (_, n) => ({
      type: 'message_delta',
      delta: { [`m${n}`]: 1 },
      usage: { [`u${n}`]: 1 },
    }));
    const { turn } = await assemble([messageStart(), ...deltas, ...text(0, 'x'), ...messageEnd()]);
    expect(Object.keys(turn.envelope).length).toBeGreaterThan(20_000);
  });
});

describe('anthropic, on what a person sees', () => {
  test.each([
    ['a broken event', `data: {"type":"content_block_delta","delta":{"type":"signature_delta","signature":"SECRET\n\n`],
    ['an error event without a message', sse({ type: 'error', error: { details: { signature: 'SECRET' } } })],
    [
      'usage',
      sse({ type: 'message_delta', delta: {}, usage: { signature: 'SECRET', fallback_credit: { token: 'SECRET' } } }),
    ],
    [
      'a sealed block',
      sse(
        start(0, { type: 'sealed_thinking', data: 'SECRET', ciphertext: 'SECRET', encryptedContent: 'SECRET' }),
        stop(0),
      ),
    ],
    ['an event of a strange type', sse({ type: { signature: 'SECRET' } })],
    [
      'a delta of a strange type',
      sse(start(0, { type: 'text', text: 'x' }), delta(0, { s: 'SECRET' } as unknown as string, {})),
    ],
  ])('shows nothing secret of %s', async (_, events) => {
    const { ui } = await assemble(`${sse(messageStart())}${events}`);
    expect(ui.length).toBeGreaterThan(2);
    expect(JSON.stringify(ui)).not.toContain('SECRET');
  });

  test('shows nothing of a failure of the request, which may quote a key', async () => {
    const turn = assembleTurn(Promise.reject(new TypeError('Headers.append: "sk-SECRET" is invalid')), anthropic);
    const ui: unknown[] = [];
    turn.ui.subscribe((event) => ui.push(event));
    await turn.settled();
    expect(JSON.stringify(ui)).not.toContain('SECRET');
    expect(ui.at(-1)).toMatchObject({
      error: { code: 'transport', message: 'The connection failed before the turn was over.' },
    });
  });
});
