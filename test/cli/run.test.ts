import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialectNames } from '../../src/cli/dialects.ts';
import { run } from '../../src/cli/run.ts';
import type { UiEvent } from '../../src/core/turn-event.ts';
import { bytesOf } from './byte-sources.ts';
import { createFakeIo, type FakeIo, type FakeWorld } from './fake-io.ts';
import { helloStream, sse, toolStream } from './streams.ts';
import { createVirtualTerminal } from './virtual-terminal.ts';

const escapeChar = String.fromCharCode(0x1b);
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wholeturn-cli-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Runs the command line in a fake world, and tells what came of it. */
async function wholeturn(argv: readonly string[], world: FakeWorld = {}): Promise<{ code: number; io: FakeIo }> {
  const io = createFakeIo(world);
  return { code: await run(argv, io), io };
}

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** A stream that never ends by itself, and tells when it was let go. */
function endless(start: string): { source: AsyncIterable<Uint8Array>; isLetGo(): boolean } {
  let isLetGo = false;
  async function* source(): AsyncGenerator<Uint8Array, void, void> {
    try {
      yield bytesOf(start);
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        yield bytesOf(': keep-alive\n\n');
      }
    } finally {
      isLetGo = true;
    }
  }
  return { source: source(), isLetGo: () => isLetGo };
}

describe('run: show', () => {
  it('shows a file as plain text where stdout is no terminal', async () => {
    const { code, io } = await wholeturn(['show', file('hello.sse', helloStream)]);
    expect(io.out()).toBe('Hello, world\n\ncomplete · end_turn · claude-test · 10 in, 12 out tokens\n');
    expect(code).toBe(0);
  });

  it('tells how long a turn took where that means something', async () => {
    const path = file('timed.sse', helloStream);
    const timed = /tokens · \d+\.\d s\n$/;
    expect((await wholeturn(['show', '--speed', '1', path])).io.out()).toMatch(timed);
    expect((await wholeturn(['show', '-'], { stdin: helloStream })).io.out()).toMatch(timed);
    expect((await wholeturn(['show', '--speed', '0', path])).io.out()).not.toMatch(timed);
  });

  it('explains below the summary why a block is not what goes back', async () => {
    const cut = toolStream.replace('"stop_reason":"tool_use"', '"stop_reason":"max_tokens"');
    const { code, io } = await wholeturn(['show', '-'], { stdin: cut });
    expect(io.out()).toMatch(
      / \[cut\]\n\ncomplete · max_tokens .*\nrepair trailing_reasoning: .*\nrepair cut: Block 1 was cut.*\n$/,
    );
    expect(code).toBe(0);
  });

  it('shows what comes in on stdin', async () => {
    const { io } = await wholeturn(['show', '-'], { stdin: toolStream });
    expect(io.out()).toMatch(
      /^thinking\nLet me look\.\n\n→ look \{ "price": 1\.0, "id": 12345678901234567890 \}\n\ncomplete/,
    );
  });

  it('shows the start of a stream before the rest has come', async () => {
    const { source } = endless(helloStream.slice(0, helloStream.indexOf('event: content_block_stop')));
    const stop = new AbortController();
    const onWrite = (text: string): void => {
      if (text.includes('world')) stop.abort();
    };
    const { code, io } = await wholeturn(['show', '-'], { stdin: source, signal: stop.signal, onWrite });
    expect(io.out()).toContain('Hello, world [cut]\n\naborted');
    expect(code).toBe(1);
  });

  it('uses cursor and colour in a terminal, and leaves it as it was', async () => {
    const { io } = await wholeturn(['show', '-', '--speed', '1'], { stdin: toolStream, isTTY: true });
    expect(io.out()).toContain(`${escapeChar}[2mthinking`);
    const terminal = createVirtualTerminal(80);
    terminal.write(io.out());
    expect(terminal.isCursorShown).toBe(true);
    expect(terminal.rows().slice(0, 2)).toEqual(['thinking', 'Let me look.']);
    expect(terminal.rows().at(-1)).toMatch(/^complete · tool_use/);
  });

  it.each([
    ['--no-color', ['--no-color'], {}],
    ['NO_COLOR', [], { NO_COLOR: '1' }],
  ])('uses no colour with %s', async (_, options, env) => {
    const { io } = await wholeturn(['show', '-', ...options], { stdin: toolStream, isTTY: true, env });
    expect(io.out()).toContain('thinking');
    expect(io.out()).not.toMatch(new RegExp(`${escapeChar}\\[[\\d;]*m`));
  });

  it('moves no cursor in a terminal that cannot', async () => {
    const { io } = await wholeturn(['show', '-'], { stdin: helloStream, isTTY: true, env: { TERM: 'dumb' } });
    expect(io.out()).not.toContain(escapeChar);
  });

  it('never hands escape sequences of the stream to the terminal', async () => {
    const evil = helloStream.replace('world', '\\u001b]0;owned\\u0007\\u009b2J\\rx');
    const { io } = await wholeturn(['show', '-'], { stdin: evil });
    expect(io.out()).toContain('Hello, ␛]0;owned␇⟨U+009B⟩2J␍x');
  });

  it('leaves the text of reasoning out when asked to', async () => {
    const { io } = await wholeturn(['show', '-', '--reasoning', 'status'], { stdin: toolStream });
    expect(io.out()).toMatch(/^thinking \(not shown\)\n\n→ look/);
  });

  it('gives exit code 1 for a turn that is cut, and says so', async () => {
    const { code, io } = await wholeturn(['show', '-'], { stdin: helloStream.slice(0, 600) });
    expect(io.out()).toMatch(/\ntruncated · no stop reason/);
    expect(code).toBe(1);
  });

  it('ends quietly and lets the stream go when nobody reads any more', async () => {
    const { source, isLetGo } = endless(helloStream.slice(0, 700));
    const onWrite = (): void => {
      throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' });
    };
    const { code, io } = await wholeturn(['show', '-'], { stdin: source, onWrite });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(isLetGo()).toBe(true);
    expect({ code, err: io.err() }).toEqual({ code: 0, err: '' });
  });
});

describe('run: output that cannot be written', () => {
  const onWrite = (): void => {
    const message = 'ENOSPC: no space left on device, write';
    throw Object.assign(new Error(message), { code: 'ENOSPC', syscall: 'write' });
  };

  it.each([['show'], ['events'], ['message'], ['bench', '--runs', '1'], ['bench', '--help']])(
    'is told in a line by %s, with exit code 3',
    async (...argv) => {
      const { code, io } = await wholeturn([...argv, file('full.sse', helloStream)], { onWrite });
      expect(io.err()).toBe('wholeturn: Cannot write: ENOSPC: no space left on device, write\n');
      expect({ code, out: io.out() }).toEqual({ code: 3, out: '' });
    },
  );

  it('leaves it to the exit code where stderr fails too', async () => {
    const stderr = { write: () => Promise.reject(new Error('ENOSPC')) };
    expect(await run(['show', join(folder, 'absent.sse')], { ...createFakeIo(), stderr })).toBe(3);
  });
});

describe('run: events', () => {
  it('prints the UI events as JSON lines', async () => {
    const { code, io } = await wholeturn(['events', '-'], { stdin: toolStream });
    const events = io
      .out()
      .trimEnd()
      .split('\n')
      .map((line): UiEvent => JSON.parse(line));
    expect(events[0]).toEqual({ type: 'turn_start', turnId: 'msg_1', model: 'claude-test' });
    expect(events.at(-1)).toMatchObject({ type: 'turn_stop', status: 'complete', stopReason: 'tool_use' });
    expect(events).toContainEqual({ type: 'reasoning_delta', index: 0, text: 'Let me look.' });
    expect(io.out()).not.toContain('c2lnbmVk');
    expect(code).toBe(0);
  });

  it('leaves the text of reasoning out when asked to', async () => {
    const { io } = await wholeturn(['events', '-', '--reasoning=status'], { stdin: toolStream });
    expect(io.out()).toContain('"kind":"reasoning"');
    expect(io.out()).not.toContain('Let me look');
  });

  it('gives exit code 1 for a turn that failed', async () => {
    const error = sse({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
    const { code, io } = await wholeturn(['events', '-'], { stdin: helloStream.slice(0, 600) + error });
    expect(io.out()).toContain('"status":"failed"');
    expect(code).toBe(1);
  });
});

describe('run: message', () => {
  it('prints one JSON document with a line for each block, and tool input as its original text', async () => {
    const { code, io } = await wholeturn(['message', '-'], { stdin: toolStream });
    expect(io.out()).toBe(`[
  {
    "role": "assistant",
    "content": [
      {"type":"thinking","thinking":"Let me look.","signature":"c2lnbmVk"},
      {"type":"tool_use","id":"toolu_1","name":"look","input":{ "price": 1.0, "id": 12345678901234567890 }}
    ]
  }
]
`);
    expect({ code, err: io.err() }).toEqual({ code: 0, err: '' });
  });

  it('tells repairs and warnings on stderr', async () => {
    const unsigned = toolStream
      .replace('c2lnbmVk', '')
      .replace('event: message_delta', 'data: {"type":"new_kind"}\n\n$&');
    const { code, io } = await wholeturn(['message', '-'], { stdin: unsigned });
    expect(io.err()).toMatch(/^wholeturn: repair unsigned: Block 0 .+\nwholeturn: warning unknown_event: .+\n$/);
    expect(io.out()).not.toContain('thinking');
    expect(code).toBe(0);
  });

  it('prints nothing but the reason for a turn that is not complete, with exit code 1', async () => {
    const { code, io } = await wholeturn(['message', '-'], { stdin: helloStream.slice(0, 600) });
    expect(io.out()).toBe('');
    expect(io.err()).toBe(
      'wholeturn: The turn is truncated after 1 block: the stream ended before it said that the turn was over. Nothing of it goes back.\n',
    );
    expect(code).toBe(1);
  });

  it('tells what the provider said of a turn that failed', async () => {
    const error = sse({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
    const { io } = await wholeturn(['message', '-'], { stdin: helloStream.slice(0, 600) + error });
    expect(io.err()).toMatch(
      /^wholeturn: The turn is failed after 1 block: .*Overloaded\..* Nothing of it goes back\.\n$/,
    );
  });

  it('prints an empty list for a complete turn of which nothing goes back', async () => {
    const empty = helloStream.replace('Hello, ', '').replace('world', '');
    const { code, io } = await wholeturn(['message', '-'], { stdin: empty });
    expect(JSON.parse(io.out())).toEqual([]);
    expect(io.err()).toContain('wholeturn: repair empty_text: Block 0');
    expect(code).toBe(0);
  });
});

describe('run: bench', () => {
  it('prints a line of figures for each file', async () => {
    const paths = [file('a.sse', helloStream), file('b.sse', toolStream)];
    const io = { ...createFakeIo(), now: () => performance.now() };
    expect(await run(['bench', '--runs', '1', ...paths], io)).toBe(0);
    const lines = io.out().trimEnd().split('\n');
    expect(io.out()).toContain('floor: the same bytes');
    expect(lines.at(-2)).toMatch(/^a\.sse +7( +[\d.]+){7}$/);
    expect(lines.at(-1)).toMatch(/^b\.sse +11( +[\d.]+){7}$/);
  });

  it('measures nothing before it knows that it can read all', async () => {
    const paths = [file('first.sse', helloStream), join(folder, 'absent.sse')];
    const { code, io } = await wholeturn(['bench', ...paths]);
    expect(io.err()).toMatch(/^wholeturn: Cannot read ".*absent\.sse": ENOENT.*\n$/);
    expect({ code, out: io.out() }).toEqual({ code: 3, out: '' });
  });

  it('prints a ratio of two columns, and long names with both their ends', async () => {
    const io = { ...createFakeIo(), now: () => performance.now() };
    await run(['bench', '--runs', '1', file(`start-${'x'.repeat(60)}-end.sse`, helloStream)], io);
    const [titles = '', row = ''] = io.out().trimEnd().split('\n').slice(-2);
    expect(titles).toMatch(/best µs +floor µs +ratio$/);
    expect(row).toMatch(/^start-x+…x+-end\.sse /);
    const [best = 0, floor = 0, ratio] = row.trim().split(/ +/).slice(-3).map(Number);
    expect(ratio).toBeCloseTo(best / floor, 1);
  });

  it('wants files', async () => {
    expect((await wholeturn(['bench'])).code).toBe(2);
  });
});

describe('run: help and version', () => {
  it('prints help with commands and exit codes', async () => {
    const { code, io } = await wholeturn(['--help']);
    expect(io.out()).toMatch(/show <file\|->[\s\S]+Exit codes:/);
    expect(code).toBe(0);
  });

  it.each(['show', 'events', 'message', 'bench'])('prints help of %s in lines of 80 columns', async (name) => {
    const { code, io } = await wholeturn([name, '--help']);
    expect(io.out()).toMatch(new RegExp(`^Usage: wholeturn ${name} `));
    expect(
      Math.max(
        ...io
          .out()
          .split('\n')
          .map(({ length }) => length),
      ),
    ).toBeLessThanOrEqual(80);
    expect(code).toBe(0);
  });

  it.each([['--version'], ['show', '--version']])('prints the version for %s', async (...argv) => {
    expect((await wholeturn(argv)).io.out()).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('run: wrong calls', () => {
  it.each([
    [[], /A command is missing.*show, events, message, check, bench/],
    [['shwo'], /There is no command "shwo"/],
    [['show'], /A file is missing/],
    [['show', 'a', 'b'], /"b" is one too many/],
    [['show', 'bogus', '--bogus-option'], /: Unknown option --bogus-option\. See wholeturn show --help\n$/],
    [['show', '-x', 'a'], /: Unknown option -x\. See wholeturn show --help\n$/],
    [['show', '--toString', 'a'], /: Unknown option --toString\. /],
    [['show', 'a', '--speed'], /: A value is missing for --speed\. See wholeturn show --help\n$/],
    [['show', '--no-color=yes', 'a'], /: No value belongs to --no-color\. See wholeturn show --help\n$/],
    [['show', '--speed', '-1', 'a'], /--speed takes a number from 0 up, not "-1"/],
    [['show', '--speed', 'fast', 'a'], /--speed takes a number from 0 up, not "fast"/],
    [['show', '--speed=', 'a'], /--speed takes a number from 0 up, not ""/],
    [['bench', '--runs', '0', 'a'], /--runs takes a number from 1 up, not "0"/],
    [['show', '--reasoning', 'no', 'a'], /--reasoning takes show or status, not "no"/],
    [
      ['events', '--dialect', 'klingon', 'a'],
      new RegExp(`Unknown dialect "klingon"\\. Known dialects: ${dialectNames()}`),
    ],
    [['message', '--speed', '1', 'a'], /Unknown option --speed/],
  ])('tells what is wrong with %j', async (argv, problem) => {
    const { code, io } = await wholeturn(argv);
    expect(io.err()).toMatch(problem);
    expect(io.err().match(/\n/g)).toHaveLength(1);
    expect({ code, out: io.out() }).toEqual({ code: 2, out: '' });
  });
});

describe('run: input that cannot be read', () => {
  it.each([
    ['a file that is not there', () => join(folder, 'absent.sse'), /ENOENT/],
    ['a directory', () => folder, /it is a directory/],
    ['an empty file', () => file('empty.sse', ''), /it is empty/],
    [
      'a file of comments',
      () => file('idle.sse', ': connected\n\n'),
      /an event stream of comments, with no event in it/,
    ],
    ['a file of another kind', () => file('page.html', '<html>'), /it is no event stream; it begins with "<html>"/],
    [
      'a JSON answer',
      () => file('answer.json', '{\n  "type": "message",\n  "content": []\n}\n'),
      /it is JSON and no event stream\. Was the request made with `stream: true`\?/,
    ],
    [
      'a stream of an unknown dialect',
      () => file('other.sse', `data: {"a":"${'x'.repeat(200)}"}\n\n`),
      new RegExp(`dialects known here \\(${dialectNames()}\\): "\\{\\\\"a\\\\":\\\\"x{91}…"\\. Name its dialect`),
    ],
    [
      'a stream that is no JSON',
      () => file('text.sse', 'data: hello\n\n'),
      new RegExp(`dialects known here \\(${dialectNames()}\\): "hello"`),
    ],
    [
      'a stream that begins with an error that tells no dialect',
      () => file('error.sse', 'data: {"error":{"message":"There is no such model"}}\n\n'),
      /: it is an error: There is no such model\n$/,
    ],
    [
      'a stream that begins with an error of one string',
      () => file('error-text.sse', 'data: {"error":"There is no such model"}\n\n'),
      /: it is an error: There is no such model\n$/,
    ],
  ])('tells what is wrong with %s', async (_, path, problem) => {
    const { code, io } = await wholeturn(['show', path()]);
    expect(io.err()).toMatch(problem);
    expect({ code, out: io.out() }).toEqual({ code: 3, out: '' });
  });

  it.each([
    '{"type":"error","error":{"type":"not_found_error","message":"There is no such model"}}',
    '{\n  "error": {\n    "message": "There is no such model"\n  }\n}\n',
  ])('shows the message of an error in JSON: %j', async (body) => {
    const { code, io } = await wholeturn(['show', '-'], { stdin: body });
    expect(io.out()).toMatch(/error provider_error: .*There is no such model\nfailed/);
    expect(code).toBe(1);
  });

  it('leaves a terminal as it was', async () => {
    const { io } = await wholeturn(['show', folder], { isTTY: true });
    const terminal = createVirtualTerminal(80);
    terminal.write(io.out());
    expect(terminal.rows()).toEqual([]);
    expect(terminal.isCursorShown).toBe(true);
  });

  it('keeps control characters of the input out of the message', async () => {
    const { io } = await wholeturn(['show', file('evil.sse', `${escapeChar}[2J\u009b`)]);
    expect(io.err()).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('reads a stream as the dialect that it is told', async () => {
    const path = file('odd.sse', `data: {"type":"new_kind"}\n\n${helloStream}`);
    expect((await wholeturn(['show', path])).code).toBe(3);
    expect((await wholeturn(['show', '--dialect', 'anthropic', path])).code).toBe(0);
  });

  it.each(['chatCompletions', 'chat-completions'])('knows chat completions by the name %s', async (name) => {
    const stdin = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
    const { code, io } = await wholeturn(['show', '--dialect', name, '-'], { stdin });
    expect(io.out()).toMatch(/^Hi\n\ncomplete · stop/);
    expect(code).toBe(0);
  });

  it('finds the dialect behind keep-alives, and of events that are named in their event line only', async () => {
    const nameless = helloStream.replaceAll(/"type":"(message|content_block)_\w+",?/g, '');
    const { io } = await wholeturn(['show', '-'], { stdin: `: hello\n\ndata:\n\n${nameless}` });
    expect(io.out()).toMatch(/^Hello, world\n/);
  });
});
