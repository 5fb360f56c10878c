import type { CliIo } from '../../src/cli/cli-io.ts';
import { bytesOf, inPieces } from './byte-sources.ts';

/** What a test sets of the world around the command line. */
export interface FakeWorld {
  readonly stdin?: AsyncIterable<Uint8Array> | string;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Called with each text for stdout before it is taken; may throw. */
  onWrite?(text: string): void;
}

/** A world of the command line that remembers what was written. */
export interface FakeIo extends CliIo {
  out(): string;
  err(): string;
}

/** Makes a world in which time passes by sleeping, and each sleep lasts one turn of the event loop. */
export function createFakeIo(world: FakeWorld = {}): FakeIo {
  const { stdin = '', isTTY = false, columns = 80, env = {}, signal = new AbortController().signal, onWrite } = world;
  let out = '';
  let err = '';
  let now = 0;

  return {
    stdin: typeof stdin === 'string' ? inPieces([bytesOf(stdin)]) : stdin,
    stdout: {
      async write(text) {
        onWrite?.(text);
        out += text;
      },
    },
    stderr: {
      async write(text) {
        err += text;
      },
    },
    isTTY,
    columns,
    env,
    signal,
    now: () => now,
    async sleep(milliseconds) {
      await new Promise((resolve) => setImmediate(resolve));
      now += milliseconds;
    },
    out: () => out,
    err: () => err,
  };
}
