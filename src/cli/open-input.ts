import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { CliIo } from './cli-io.ts';

/**
 * Opens what a command reads.
 *
 * @param path A file's path, or `-` for what comes in on stdin.
 * @throws Error if there is no such file, or it is a directory.
 */
export async function openInput(
  path: string,
  { stdin, signal }: Pick<CliIo, 'stdin' | 'signal'>,
): Promise<AsyncIterable<Uint8Array>> {
  if (path === '-') return stdin;
  if ((await stat(path)).isDirectory()) throw new Error('it is a directory; name a file in it');
  return createReadStream(path, { signal });
}
