import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { createFakeIo, type FakeIo, type FakeWorld } from './fake-io.ts';

const escapeChar = String.fromCharCode(0x1b);
const ask = { role: 'user', content: 'When?' };
const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} };
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: '9' };
const sound = {
  model: 'claude-sonnet-5',
  max_tokens: 4096,
  messages: [ask, { role: 'assistant', content: [call] }, { role: 'user', content: [result] }],
};
const unanswered = { ...sound, messages: [ask, { role: 'assistant', content: [call] }, ask] };

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wholeturn-check-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function check(argv: readonly string[], world: FakeWorld = {}): Promise<{ code: number; io: FakeIo }> {
  const io = createFakeIo(world);
  return { code: await run(['check', ...argv], io), io };
}

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('run: check', () => {
  it('says that nothing was found', async () => {
    const { code, io } = await check([file('sound.json', sound)]);
    expect({ code, out: io.out(), err: io.err() }).toEqual({ code: 0, out: '0 errors, 0 warnings\n', err: '' });
  });

  it('tells errors in a line each, and counts them', async () => {
    const { code, io } = await check(['-'], { stdin: JSON.stringify(unanswered) });
    expect(io.out()).toMatch(
      /^messages\[1\]\.content\[0\]: error tool_result_missing: `tool_use` ids were found .*\n1 error, 0 warnings\n$/,
    );
    expect(code).toBe(1);
  });

  it('does not fail for warnings', async () => {
    const { code, io } = await check(['-'], { stdin: JSON.stringify({ ...sound, max_tokens: 64_000 }) });
    expect(io.out()).toMatch(/^stream: warning streaming_needed: .*\n0 errors, 1 warning\n$/);
    expect(code).toBe(0);
  });

  it('prints JSON', async () => {
    const { code, io } = await check(['--json', '-'], { stdin: JSON.stringify(unanswered) });
    expect(JSON.parse(io.out())).toEqual([
      { severity: 'error', code: 'tool_result_missing', path: 'messages[1].content[0]', message: expect.any(String) },
    ]);
    expect(code).toBe(1);
    expect((await check(['--json', '-'], { stdin: JSON.stringify(sound) })).io.out()).toBe('[]\n');
  });

  it('compares with the request before', async () => {
    const previous = file('previous.json', { ...sound, output_config: { effort: 'high' } });
    const { code, io } = await check(['--previous', previous, file('next.json', sound)]);
    expect(io.out()).toMatch(/warning thinking_changed_in_cycle.*\n.*warning thinking_change_loses_cache.*\n0 errors/);
    expect(code).toBe(0);
  });

  it('reads a request as the dialect that it is told', async () => {
    const path = file('short.json', { messages: [ask, { role: 'tool', content: '9' }] });
    expect((await check([path])).io.out()).toContain('tool_result_unexpected');
    expect((await check(['--dialect', 'anthropic', path])).io.out()).toContain('unknown_role');
  });

  it('lets no control character of the request reach the terminal', async () => {
    const evil = { ...sound, messages: [{ role: `${escapeChar}[2J\n`, content: 'x' }], [`${escapeChar}x`]: 1 };
    for (const options of [[], ['--json']]) {
      const { io } = await check([...options, '-'], { stdin: JSON.stringify(evil), isTTY: true });
      expect(io.out()).not.toMatch(/(?!\n)\p{Cc}/u);
    }
  });

  it.each([
    [[], /A file is missing/],
    [['a', 'b'], /"b" is one too many/],
    [['-', '--previous', '-'], /Only one request can come in on stdin/],
    [['--previous'], /A value is missing for --previous/],
    [['--dialect', 'klingon', 'a'], /Unknown dialect "klingon"/],
    [['--json=yes', 'a'], /No value belongs to --json/],
  ])('tells what is wrong with %j', async (argv, problem) => {
    const { code, io } = await check(argv);
    expect(io.err()).toMatch(problem);
    expect({ code, out: io.out() }).toEqual({ code: 2, out: '' });
  });

  it.each([
    ['a file that is not there', () => join(folder, 'absent.json'), /ENOENT/],
    ['a directory', () => folder, /it is a directory/],
    ['an empty file', () => file('empty.json', ' \n'), /it is empty/],
    ['a file that is no JSON', () => file('text.json', 'hello'), /it is no JSON: /],
    ['a list', () => file('list.json', []), /it is no JSON object/],
    ['an answer', () => file('answer.json', { choices: [] }), /This is an answer, not a request/],
    ['something else', () => file('other.json', { a: 1 }), /This is no request of a dialect known here/],
  ])('tells what is wrong with %s', async (_, path, problem) => {
    const { code, io } = await check([path()]);
    expect(io.err()).toMatch(problem);
    expect({ code, out: io.out() }).toEqual({ code: 3, out: '' });
  });
});
