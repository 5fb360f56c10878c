import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const exec = promisify(execFile);

/**
 * Packs the package, and installs it into a folder of its own, as a user would: nothing of the checkout is in reach.
 *
 * @param root The checkout.
 * @param files The user's own files, a folder.
 */
export async function createPackedApp(root, files) {
  const folder = await mkdtemp(join(tmpdir(), 'wholeturn-app-'));
  await cp(files, folder, { recursive: true });
  await exec('npm', ['pack', '--pack-destination', folder], { cwd: root });
  const tarball = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  await install(join(folder, tarball));

  return { folder, install, run, remove: () => rm(folder, { recursive: true, force: true }) };

  /** Installs packages beside those that are there. */
  async function install(...packages) {
    await exec('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], { cwd: folder });
  }

  /**
   * Runs a program in the folder.
   *
   * @param options `node`: the executable that scripts starting with `#!/usr/bin/env node` are run with.
   * @returns What it printed to stdout.
   */
  async function run(command, args, { node = process.execPath } = {}) {
    const env = { PATH: `${dirname(node)}:/usr/bin:/bin`, HOME: folder, NO_COLOR: '1' };
    return (await exec(command, args, { cwd: folder, timeout: 60_000, env })).stdout;
  }
}
