#!/usr/bin/env node
import { addAbortSignal } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { TextOutput } from './cli-io.ts';
import { run } from './run.ts';

/** Wires the command line to the process that it runs in. */
async function main(): Promise<void> {
  const stop = new AbortController();
  let signalCode: number | undefined;
  // Once: a second signal ends the process as it would any other.
  process.once('SIGINT', () => interrupt(130));
  process.once('SIGTERM', () => interrupt(143));

  const code = await run(process.argv.slice(2), {
    get stdin() {
      return addAbortSignal(stop.signal, process.stdin);
    },
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    isTTY: process.stdout.isTTY === true,
    get columns() {
      return process.stdout.columns ?? 0;
    },
    env: process.env,
    signal: stop.signal,
    now: () => performance.now(),
    sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }).catch(() => undefined),
  });
  process.exitCode = signalCode ?? code;
  // What still waits for stdin, if anything does, is not waited for.
  process.stdin.destroy();

  function interrupt(exitCode: number): void {
    signalCode = exitCode;
    stop.abort();
  }
}

function outputOf(stream: NodeJS.WriteStream): TextOutput {
  // A failed write rejects below; without a listener the stream would end the process as well.
  stream.on('error', () => {});
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(error) : resolve()));
      }),
  };
}

await main();
