import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRenderer, type Renderer } from '../../src/cli/render.ts';
import type { BlockState, Usage } from '../../src/core/turn.ts';
import type { UiEvent } from '../../src/core/turn-event.ts';
import { createVirtualTerminal } from './virtual-terminal.ts';

const usage: Usage = {
  inputTokens: 25,
  outputTokens: 1200,
  reasoningTokens: null,
  cacheReadTokens: 0,
  cacheWriteTokens: null,
  wire: null,
};
const start: UiEvent = { type: 'turn_start', turnId: 'msg_1', model: 'claude-test' };
const stop: UiEvent = { type: 'turn_stop', status: 'complete', stopReason: 'end_turn', usage };
const summary = 'complete · end_turn · claude-test · 25 in, 1,200 out tokens · 0.0 s';
const escapeChar = String.fromCharCode(0x1b);

function plainRenderer(): Renderer {
  return createRenderer({ isLive: false, color: false, columns: () => 0, now: () => 0 });
}

/** What is written for some events without a terminal. */
function plain(...events: readonly UiEvent[]): string {
  const renderer = plainRenderer();
  return events.map(renderer.push).join('') + renderer.end();
}

function textBlock(index: number, ...texts: readonly string[]): UiEvent[] {
  return [
    { type: 'block_start', index, kind: 'text' },
    ...texts.map((text): UiEvent => ({ type: 'text_delta', index, text })),
    { type: 'block_stop', index, state: 'finished' },
  ];
}

function stopOf(state: BlockState): UiEvent {
  return { type: 'block_stop', index: 0, state };
}

describe('createRenderer', () => {
  it('writes text as it comes, and a summary', () => {
    expect(plain(start, ...textBlock(0, 'Hel', 'lo'), stop)).toBe(`Hello\n\n${summary}\n`);
  });

  it('hands on each piece of text at once where there is no terminal', () => {
    const { push } = plainRenderer();
    const written = [start, ...textBlock(0, 'Hel', 'lo')].map(push);
    expect(written).toEqual(['', '', 'Hel', 'lo', '']);
  });

  it('parts the input of a server tool from its result', () => {
    const output = plain(
      start,
      { type: 'block_start', index: 0, kind: 'server_tool_call', name: 'roll' },
      { type: 'tool_input_delta', index: 0, json: '{"dice":' },
      { type: 'tool_input_delta', index: 0, json: '2}' },
      { type: 'block_content', index: 0, content: { type: 'mcp_call', output: '7' } },
      stopOf('finished'),
      stop,
    );
    expect(output).toContain('⇢ roll {"dice":2} mcp_call {"output":"7"}\n');
  });

  it('puts thinking under a head of its own', () => {
    const output = plain(
      start,
      { type: 'block_start', index: 0, kind: 'reasoning' },
      { type: 'reasoning_delta', index: 0, text: 'Let me see.' },
      { type: 'block_start', index: 1, kind: 'text' },
      { type: 'block_stop', index: 0, state: 'finished' },
      { type: 'text_delta', index: 1, text: 'Yes.' },
      { type: 'block_stop', index: 1, state: 'finished' },
      stop,
    );
    expect(output).toBe(`thinking\nLet me see.\n\nYes.\n\n${summary}\n`);
  });

  it('gives a block its head again when it goes on behind another', () => {
    const output = plain(
      start,
      { type: 'block_start', index: 0, kind: 'reasoning' },
      { type: 'reasoning_delta', index: 0, text: 'Let me' },
      ...textBlock(1, 'Yes.'),
      { type: 'reasoning_delta', index: 0, text: ' see.' },
      { type: 'block_stop', index: 0, state: 'unsigned' },
      stop,
    );
    expect(output).toBe(`thinking\nLet me\n\nYes.\n\nthinking\n see. [unsigned]\n\n${summary}\n`);
  });

  it('shows that there was thinking whose text is not shown', () => {
    const output = plain(
      start,
      { type: 'block_start', index: 0, kind: 'reasoning' },
      { type: 'block_stop', index: 0, state: 'finished' },
      { type: 'block_start', index: 1, kind: 'reasoning', redacted: true },
      { type: 'block_stop', index: 1, state: 'finished' },
      ...textBlock(2, 'Yes.'),
      stop,
    );
    expect(output).toBe(`thinking (not shown)\n\nthinking (withheld by the provider)\n\nYes.\n\n${summary}\n`);
  });

  it('shows the name of a tool and its input as it grows', () => {
    const output = plain(
      start,
      { type: 'block_start', index: 0, kind: 'tool_call', id: 'toolu_1', name: 'get_weather' },
      { type: 'tool_input_delta', index: 0, json: '{"city": ' },
      { type: 'tool_input_delta', index: 0, json: '"Paris"}' },
      { type: 'block_stop', index: 0, state: 'finished' },
      stop,
    );
    expect(output).toBe(`→ get_weather {"city": "Paris"}\n\n${summary}\n`);
  });

  it('shows the empty input of a call that had none', () => {
    const toolCall = { id: 'toolu_1', name: 'now', input: {}, inputText: '{}' };
    const output = plain(
      start,
      { type: 'block_start', index: 0, kind: 'tool_call', id: 'toolu_1', name: 'now' },
      { type: 'block_stop', index: 0, state: 'finished', toolCall },
      stop,
    );
    expect(output).toBe(`→ now {}\n\n${summary}\n`);
  });

  it('takes one line for each call of a server tool and each result', () => {
    const output = plain(
      start,
      { type: 'block_start', index: 0, kind: 'server_tool_call', name: 'web_search' },
      { type: 'tool_input_delta', index: 0, json: '{"query":\n"x"}' },
      { type: 'block_start', index: 1, kind: 'server_tool_result' },
      { type: 'block_stop', index: 0, state: 'finished' },
      { type: 'block_content', index: 1, content: { type: 'web_search_tool_result', content: ['y'.repeat(5000)] } },
      { type: 'block_stop', index: 1, state: 'finished' },
      stop,
    );
    const [call, result, ...rest] = output.split('\n');
    expect(call).toBe('⇢ web_search {"query":␊"x"}');
    expect(result).toMatch(/^⇠ web_search_tool_result \(1 item\) "y+…$/);
    expect(result).toHaveLength(160);
    expect(rest).toEqual(['', summary, '']);
  });

  it('leaves room in the line of a server tool for what it says of the call', () => {
    const renderer = createRenderer({ isLive: true, color: false, columns: () => 40, now: () => 0 });
    const terminal = createVirtualTerminal(40);
    const events: UiEvent[] = [
      { type: 'block_start', index: 0, kind: 'server_tool_call', name: 'web_search' },
      { type: 'tool_input_delta', index: 0, json: 'x'.repeat(100) },
      stopOf('cut'),
    ];
    for (const event of events) terminal.write(renderer.push(event));
    terminal.write(renderer.end());
    expect(terminal.rows()).toEqual([`⇢ web_search ${'x'.repeat(17)}… [cut]`]);
  });

  it('lets text blocks run on, and numbers their sources', () => {
    const citation = { type: 'web_search_result_location', title: 'A page', url: 'https://example.com/' };
    const output = plain(
      start,
      ...textBlock(0, 'It is '),
      { type: 'block_start', index: 1, kind: 'text' },
      { type: 'citation', index: 1, citation },
      { type: 'citation', index: 1, citation },
      { type: 'text_delta', index: 1, text: 'warm' },
      { type: 'block_stop', index: 1, state: 'finished' },
      ...textBlock(2, '.'),
      stop,
    );
    expect(output).toBe(`It is warm [1].\n\n[1] A page – https://example.com/\n${summary}\n`);
  });

  it('says of blocks that are not finished what they are', () => {
    const output = plain(
      start,
      { type: 'block_start', index: 0, kind: 'tool_call', name: 'a' },
      { type: 'tool_input_delta', index: 0, json: '{"x":' },
      { type: 'block_start', index: 1, kind: 'text' },
      { type: 'text_delta', index: 1, text: 'half' },
      { type: 'block_stop', index: 0, state: 'invalid' },
      { type: 'block_stop', index: 1, state: 'cut' },
      { type: 'turn_stop', status: 'truncated', stopReason: null, usage },
    );
    expect(output).toBe(
      '→ a {"x":\n\nhalf\n\n→ a [invalid]\n\n[cut]\n\ntruncated · no stop reason · claude-test · 25 in, 1,200 out tokens · 0.0 s\n',
    );
  });

  it('sets one blank before what it says of a block, whatever the text ends in', () => {
    const cut = (text: string): string => plain(start, ...textBlock(0, text).slice(0, -1), stopOf('cut'), stop);
    expect(cut('The third step is to ')).toContain('The third step is to [cut]\n');
    expect(cut('The third step is to')).toContain('The third step is to [cut]\n');
    expect(cut('The third step:\n')).toContain('The third step:\n[cut]\n');
  });

  it('leaves one line blank behind a text, whatever it ends in', () => {
    for (const end of ['', '\n', '\n\n']) {
      expect(plain(start, ...textBlock(0, `Hello${end}`), stop)).toBe(`Hello\n\n${summary}\n`);
    }
  });

  it('tells below the summary what of the turn does not go back as it came', () => {
    const { push, end } = plainRenderer();
    const output = [start, ...textBlock(0, 'Hi'), stop].map(push).join('');
    expect(output + end([{ code: 'cut', index: 1, message: `Block 1 was${escapeChar}cut` }])).toBe(
      `Hi\n\n${summary}\nrepair cut: Block 1 was␛cut\n`,
    );
  });

  it('leaves the time out of the summary where it means nothing', () => {
    const { push } = createRenderer({ isLive: false, color: false, columns: () => 0, now: () => 0, isTimed: false });
    expect([start, stop].map(push).join('')).toBe('complete · end_turn · claude-test · 25 in, 1,200 out tokens\n');
  });

  it.each(['truncated', 'failed', 'aborted'] as const)('keeps its own count of tokens where a turn is %s', (status) => {
    const started = { ...usage, outputTokens: 1 };
    const text: UiEvent = { type: 'text_delta', index: 0, text: 'x'.repeat(4000) };
    const output = plain(start, { type: 'block_start', index: 0, kind: 'text' }, text, stopOf('cut'), {
      type: 'turn_stop',
      status,
      stopReason: null,
      usage: started,
    });
    expect(output).toContain(`${status} · no stop reason · claude-test · 25 in, ~1,000 out tokens`);
  });

  it('tells warnings and the error at the end', () => {
    const output = plain(
      start,
      { type: 'warning', code: 'unknown_delta', message: `Odd\n${escapeChar}[2J`, index: 3 },
      ...textBlock(0, 'Hi'),
      {
        type: 'turn_stop',
        status: 'failed',
        stopReason: null,
        usage,
        error: { code: 'provider_error', message: 'Overloaded' },
      },
    );
    expect(output).toContain(
      'Hi\n\nwarning unknown_delta (block 3): Odd␊␛[2J\nerror provider_error: Overloaded\nfailed · ',
    );
    expect(output).toMatch(/ · 1 warning\n$/);
  });

  it('tells the first warnings only, and how many there are', () => {
    const warnings = Array.from(
      { length: 25 },
      (_, at): UiEvent => ({ type: 'warning', code: 'unknown_delta', message: `${at}` }),
    );
    const output = plain(start, ...warnings, stop);
    expect(output.match(/^warning/gm)).toHaveLength(10);
    expect(output).toContain('15 more warnings');
    expect(output).toContain('25 warnings\n');
  });

  it('puts the halves of a surrogate pair together that came in two deltas', () => {
    expect(plain(start, ...textBlock(0, 'a\ud83d', '\ude00b'), stop)).toContain('a😀b\n');
    expect(plain(start, ...textBlock(0, 'a\ud83d'), stop)).toContain('a\ufffd\n');
  });

  it('writes no control character of the turn, whatever it holds', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', escapeChar, '[2J', '\r', '\b', '\u009b', '\x07', '\ud83d', '\n'),
    });
    fc.assert(
      fc.property(text, fc.boolean(), (evil, isLive) => {
        const renderer = createRenderer({ isLive, color: true, columns: () => 40, now: () => 0 });
        const terminal = createVirtualTerminal(40);
        for (const event of everywhere(evil)) terminal.write(renderer.push(event));
        terminal.write(renderer.tick() + renderer.end());
        expect(terminal.rows().join('')).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  it('keeps a status line at the bottom of a terminal until the turn is over', () => {
    let now = 0;
    const renderer = createRenderer({ isLive: true, color: true, columns: () => 80, now: () => now });
    const terminal = createVirtualTerminal(80);
    const statuses: (string | undefined)[] = [];
    for (const event of [start, ...textBlock(0, 'Hello, ', 'world'), stop]) {
      now += 1000;
      terminal.write(renderer.push(event));
      statuses.push(terminal.rows().at(-1));
    }
    terminal.write(renderer.end());
    expect(statuses).toEqual([
      '⠋ waiting · 1.0 s · 0 out tokens',
      '⠋ writing · 2.0 s · 0 out tokens',
      '⠋ writing · 3.0 s · ~2 out tokens',
      '⠋ writing · 4.0 s · ~3 out tokens',
      '⠋ writing · 5.0 s · ~3 out tokens',
      'complete · end_turn · claude-test · 25 in, 1,200 out tokens · 6.0 s',
    ]);
    expect(terminal.rows()).toEqual(['Hello, world', '', statuses.at(-1)]);
    expect(terminal.isCursorShown).toBe(true);
  });

  it.each([
    [
      80,
      ['⠋ calling look · 12.0 s · 25 in, ~2,500 out tokens'],
      ['complete · end_turn · claude-test · 25 in, 1,200 out tokens · 12.0 s'],
    ],
    [
      50,
      ['⠋ calling look · 12.0 s · 25 in, ~2,500 out'],
      ['complete · end_turn · claude-test · 25 in, ', '1,200 out · 12.0 s'],
    ],
    [
      46,
      ['⠋ calling look · 12.0 s · 25 in, ~2,500 out'],
      ['complete · end_turn · claude-test · 25 in, ', '1,200 out · 12.0 s'],
    ],
    [
      40,
      ['⠋ calling look · 12.0 s · ~2,500 out'],
      ['complete · end_turn · claude-test · ', '25 in, 1,200 out · 12.0 s'],
    ],
    [30, ['⠋ calling look · 12.0 s'], ['complete · end_turn · ', 'claude-test · 25 in, ', '1,200 out · 12.0 s']],
    [24, ['⠋ calling look'], ['complete · end_turn · ', 'claude-test · 25 in, ', '1,200 out · 12.0 s']],
  ])('parts no number from its unit in a window of %i columns', (columns, status, lines) => {
    let now = 0;
    const renderer = createRenderer({ isLive: true, color: false, columns: () => columns, now: () => now });
    const terminal = createVirtualTerminal(columns);
    now = 12_000;
    const events: UiEvent[] = [
      start,
      { type: 'usage', usage: { ...usage, outputTokens: 1 } },
      { type: 'block_start', index: 0, kind: 'tool_call', name: 'look' },
      { type: 'tool_input_delta', index: 0, json: '\u0301'.repeat(10_000) },
    ];
    for (const event of events) terminal.write(renderer.push(event));
    terminal.write(renderer.tick());
    expect(terminal.rows().slice(-status.length)).toEqual(status);
    terminal.write(renderer.push(stop) + renderer.end());
    expect(
      terminal
        .rows()
        .slice(-lines.length)
        .map((row) => row.replaceAll('\u00a0', ' ')),
    ).toEqual(lines);
  });

  it('paints thirty times a second at most, and what is left at the next tick', () => {
    const renderer = createRenderer({ isLive: true, color: false, columns: () => 60, now: () => 0 });
    renderer.push(start);
    expect(renderer.push({ type: 'block_start', index: 0, kind: 'text' })).toBe('');
    expect(renderer.push({ type: 'text_delta', index: 0, text: 'Hello' })).toBe('');
    expect(renderer.tick()).toContain('Hello');
  });

  it('restores the terminal when it ends in the middle', () => {
    const renderer = createRenderer({ isLive: true, color: true, columns: () => 60, now: () => 0 });
    const terminal = createVirtualTerminal(60);
    terminal.write(renderer.tick() + renderer.end() + renderer.end() + renderer.tick());
    expect(terminal.rows()).toEqual([]);
    expect(terminal.isCursorShown).toBe(true);
  });
});

/** A turn that holds a text in every place that takes one. */
function everywhere(text: string): UiEvent[] {
  return [
    { type: 'turn_start', turnId: text, model: text },
    { type: 'block_start', index: 0, kind: 'reasoning' },
    { type: 'reasoning_delta', index: 0, text },
    { type: 'block_start', index: 1, kind: 'tool_call', id: text, name: text },
    { type: 'tool_input_delta', index: 1, json: text },
    { type: 'block_start', index: 2, kind: 'server_tool_call', name: text },
    { type: 'tool_input_delta', index: 2, json: text },
    { type: 'block_stop', index: 2, state: 'finished' },
    { type: 'block_start', index: 3, kind: 'other', name: text },
    { type: 'block_content', index: 3, content: text },
    { type: 'block_stop', index: 3, state: 'unfaithful' },
    { type: 'block_start', index: 4, kind: 'text' },
    { type: 'text_delta', index: 4, text },
    { type: 'citation', index: 4, citation: { title: text, url: text } },
    { type: 'block_stop', index: 4, state: 'cut' },
    { type: 'warning', code: 'unknown_event', message: text },
    {
      type: 'turn_stop',
      status: 'failed',
      stopReason: text,
      usage,
      error: { code: 'provider_error', message: text },
    },
  ];
}
