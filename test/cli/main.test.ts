import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { helloStream, toolStream } from './streams.ts';

const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

// The flag that runs TypeScript is Node's; elsewhere `run.test.ts` covers all but the wiring.
const isNode = !('Bun' in globalThis) && !('Deno' in globalThis);
if (!isNode) console.warn('The tests of the process are skipped: they start Node');

const hasFullDevice = existsSync('/dev/full');
if (!hasFullDevice) console.warn('The test of a full disk is skipped: there is no /dev/full');

/** Starts the command line as a process of its own. */
function start(...argv: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, ['--import', 'tsx', program, ...argv]);
}

/** Gathers what a process writes, until it ends. */
async function ended(child: ChildProcessWithoutNullStreams): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString();
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

describe.skipIf(!isNode)('main', () => {
  it('prints the version of the package', async () => {
    expect(await ended(start('--version'))).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' });
  });

  it('shows stdin as it arrives', async () => {
    const child = start('show', '-');
    const end = ended(child);
    child.stdin.write(helloStream.slice(0, helloStream.indexOf('event: content_block_stop')));
    const [first] = await once(child.stdout, 'data');
    expect(String(first)).toMatch(/^Hello, /);
    child.stdin.end(helloStream.slice(helloStream.indexOf('event: content_block_stop')));
    const { code, out } = await end;
    expect(out).toMatch(/^Hello, world\n\ncomplete · end_turn/);
    expect(code).toBe(0);
  });

  it('ends by itself when the turn is over, although stdin stays open', async () => {
    const child = start('message', '-');
    const end = ended(child);
    child.stdin.write(toolStream);
    expect((await end).code).toBe(0);
  });

  it('ends at once on an interrupt while it waits for the first event', async () => {
    const child = start('show', '-');
    const end = ended(child);
    // More than any pipe holds: when it is gone, the process has started and reads.
    if (!child.stdin.write(': comment\n'.repeat(200_000))) await once(child.stdin, 'drain');
    child.kill('SIGINT');
    const { code, err } = await end;
    expect({ code, err }).toEqual({ code: 130, err: '' });
  });

  it('ends at once on an interrupt in the middle of the stream, and says so', async () => {
    const child = start('show', '-');
    const end = ended(child);
    child.stdin.write(helloStream.slice(0, helloStream.indexOf('event: content_block_stop')));
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    const { code, out, err } = await end;
    expect(out).toMatch(/^Hello, world \[cut\]\n\naborted/);
    expect({ code, err }).toEqual({ code: 130, err: '' });
  });

  it.skipIf(!hasFullDevice)('tells in one line that its output cannot be written', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', program, 'show', '-'], {
      stdio: ['pipe', openSync('/dev/full', 'w'), 'pipe'],
    });
    let err = '';
    child.stderr?.on('data', (data: Buffer) => {
      err += data.toString();
    });
    child.stdin?.end(helloStream);
    const [code] = await once(child, 'close');
    expect({ code, err }).toEqual({ code: 3, err: expect.stringMatching(/^wholeturn: Cannot write: ENOSPC.*\n$/) });
  });

  it('ends quietly when nobody reads its output any more', async () => {
    const child = start('events', '-');
    const end = ended(child);
    child.stdin.on('error', () => {});
    child.stdout.destroy();
    child.stdin.write(helloStream.repeat(2));
    const { code, err } = await end;
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });
});
