import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const files = readdirSync(`${root}examples`).filter((file) => file.endsWith('.ts'));

describe('examples', () => {
  test('are listed in their README, and no other', () => {
    const readme = readFileSync(`${root}examples/README.md`, 'utf8');
    const listed = [...readme.matchAll(/^\| `([\w-]+\.ts)`/gm)].map(([, file]) => file);
    expect(listed.sort()).toEqual(files.sort());
  });

  test.each(files)('%s runs to its end, without a key', async (file) => {
    const { stdout, stderr } = await promisify(execFile)(`${root}node_modules/.bin/tsx`, [`examples/${file}`], {
      cwd: root,
    });
    expect(stderr).toBe('');
    expect(stdout.trim()).not.toBe('');
  });
});
