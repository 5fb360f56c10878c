import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';

/**
 * Bundles a worker, serves it with workerd on loopback and asks it once.
 *
 * @param workerd The executable.
 * @param folder Where the worker and its packages are.
 * @returns The body of its answer.
 */
export async function askWorker(workerd, folder) {
  await build({
    entryPoints: [join(folder, 'worker.mjs')],
    bundle: true,
    format: 'esm',
    // No platform of its own, so an import of a `node:` module fails here.
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser'],
    outfile: join(folder, 'bundle.mjs'),
    logLevel: 'silent',
  });
  const port = await freePort();
  await writeFile(join(folder, 'config.capnp'), configuration(port));
  const server = spawn(workerd, ['serve', 'config.capnp'], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    return await ask(`http://127.0.0.1:${port}/`);
  } finally {
    server.kill();
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

function configuration(port) {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "bundle.mjs", esModule = embed "bundle.mjs")],
    compatibilityDate = "2026-01-01"
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
`;
}

/** Asks until the server is up, ten seconds at most. */
async function ask(url) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
      return await response.text();
    } catch (cause) {
      if (attempt === 200) throw cause;
      await sleep(50);
    }
  }
}
