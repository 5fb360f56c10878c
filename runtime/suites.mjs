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
  // Every offset was tried with the usual parser; a prime step comes to every place of a line.
  const env = { ...process.env, PARSER: parser, CUT_STEP: '7', NO_COLOR: '1' };
  await promisify(execFile)(node, [vitest, ...args], { cwd: root, env, maxBuffer: 64 * 1024 * 1024 });
}
