import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Effort, Holding, Measurement, Probe } from './probe.ts';

/** Starts a process for each measurement. */
export interface Processes {
  /** Measures one probe. Rejects if the process fails, or the peer's result is wrong. */
  measure(probe: Probe, effort: Effort): Promise<Measurement>;
  /** Bytes that a finished turn, so held, retains beside its blocks. */
  measureRetained(holding: Holding): Promise<number>;
  /** Removes what was built. */
  close(): Promise<void>;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/**
 * Bundles the bench and the library's source, so that no loader runs beside what is measured. Packages stay outside
 * the bundle and are the ones in `node_modules`, as in a program that uses them.
 */
export async function createProcesses(): Promise<Processes> {
  const cache = join(root, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(cache, 'bench-'));
  const script = join(directory, 'run-one.mjs');
  await build({
    entryPoints: [join(root, 'bench', 'run-one.ts')],
    outdir: directory,
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    target: 'es2022',
    logLevel: 'error',
  });
  const result = async (flags: readonly string[], args: readonly string[]): Promise<unknown> => {
    const { stdout } = await run(process.execPath, [...flags, script, ...args]);
    return JSON.parse(stdout);
  };

  return {
    async measure({ peer, recording, chunking }, { warmUp, minimum, maximum, budget, events }) {
      const numbers = [warmUp, minimum, maximum, budget, events].map(String);
      const found = await result(['--single-threaded-gc'], [peer, recording, chunking, ...numbers]);
      return {
        microseconds: numberIn(found, 'microseconds'),
        events: numberIn(found, 'events'),
        bytes: numberIn(found, 'bytes'),
      };
    },
    async measureRetained(holding) {
      return numberIn(await result(['--expose-gc'], ['retained', holding]), 'bytesPerTurn');
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}

function numberIn(found: unknown, key: string): number {
  const value: unknown = Reflect.get(Object(found), key);
  if (typeof value !== 'number') throw new TypeError(`Expected a number as ${key}, got ${JSON.stringify(found)}`);
  return value;
}
