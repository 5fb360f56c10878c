import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Runs the suites of the source itself with another version of the parser: what a packed smoke test meets is less than
 * how two versions differ.
 *
 * @param root The checkout.
 * @param node The executable to run them with.
 * @param parser The folder of the parser.
 */
export async function runSuites(root, node, parser) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = ['run', '--config', join(root, 'runtime/vitest.config.mjs'), '--reporter=agent'];
  const env = { ...process.env, PARSER: parser, NO_COLOR: '1' };
  await promisify(execFile)(node, [vitest, ...args], { cwd: root, env, maxBuffer: 64 * 1024 * 1024 });
}
