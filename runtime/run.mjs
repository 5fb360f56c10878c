// Proves the packed package on each runtime, as its users install it: `npm ci --prefix runtime` brings the runtimes.
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { entriesText, inputText, recording } from './app/smoke.mjs';
import { createPackedApp } from './packed-app.mjs';
import { runSuites } from './suites.mjs';
import { typeChecks } from './types.mjs';
import { askWorker } from './workerd.mjs';

const here = import.meta.dirname;
const root = join(here, '..');
const runtime = (path) => join(here, 'node_modules', path);
const nodeHere = { name: `node ${process.versions.node}`, path: process.execPath };
const laterNodes = [22, 24].map((major) => ({ name: `node ${major}`, path: runtime(`node${major}/bin/node`) }));
const { version, devDependencies } = readJson(join(root, 'package.json'));
const counts = { passed: 0, failed: 0 };

const app = await createPackedApp(root, join(here, 'app'));
try {
  await writeFile(join(app.folder, 'turn.sse'), recording);
  // What the package asks for, and nothing else. Node 20 gets version 3 of the parser.
  await app.install(`rxjs@${devDependencies['rxjs']}`);
  console.log(`with eventsource-parser ${parserVersion()}, without an SDK`);
  await checkAll([nodeHere, ...laterNodes].flatMap(nodeChecks));
  await checkAll([...otherChecks(), ...typeChecks(app, root, 'uses-root')]);

  // The version that later runtimes get.
  await app.install('eventsource-parser@4.1.3', `@anthropic-ai/sdk@${devDependencies['@anthropic-ai/sdk']}`);
  console.log(`with eventsource-parser ${parserVersion()}, with the SDK`);
  await checkAll(laterNodes.flatMap(nodeChecks));
  await checkAll([
    ...otherChecks(),
    ...typeChecks(app, root, 'uses-anthropic'),
    ...laterNodes.slice(-1).map(suiteCheck),
  ]);
} finally {
  await app.remove();
}
console.log(`runtimes: ${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;

/** The version that the package meets, read where it would look for it first and next. */
function parserVersion() {
  const places = ['wholeturn/node_modules', '.'].map((place) => join(app.folder, 'node_modules', place));
  const files = places.map((place) => join(place, 'eventsource-parser/package.json'));
  return readJson(files.find((file) => existsSync(file))).version;
}

function nodeChecks({ name, path }) {
  const bin = (...args) => app.run('node_modules/.bin/wholeturn', args, { node: path });
  return [
    { name: `${name} esm`, path, run: async () => equal(await app.run(path, ['main.mjs']), 'ok\n') },
    { name: `${name} cjs`, path, run: async () => equal(await app.run(path, ['main.cjs']), 'ok\n') },
    {
      name: `${name} bin`,
      path,
      async run() {
        equal(await bin('--version'), `${version}\n`);
        const message = await bin('message', 'turn.sse');
        // The command spreads entries over lines; what no JSON.parse may touch is the tool input.
        equal(JSON.stringify(JSON.parse(message)), JSON.stringify(JSON.parse(entriesText)));
        equal(message.includes(inputText), true);
      },
    },
  ];
}

function otherChecks() {
  const [bun, deno, workerd] = [runtime('bun/bin/bun'), runtime('deno/deno'), runtime('workerd/bin/workerd')];
  const denoArgs = ['run', '--no-remote', '--node-modules-dir=manual', 'main.mjs'];
  return [
    { name: 'bun esm', path: bun, run: async () => equal(await app.run(bun, ['main.mjs']), 'ok\n') },
    { name: 'bun cjs', path: bun, run: async () => equal(await app.run(bun, ['main.cjs']), 'ok\n') },
    { name: 'deno esm', path: deno, run: async () => equal(await app.run(deno, denoArgs), 'ok\n') },
    { name: 'workerd esm', path: workerd, run: async () => equal(await askWorker(workerd, app.folder), 'ok') },
  ];
}

function suiteCheck({ name, path }) {
  const parser = join(app.folder, 'node_modules/eventsource-parser');
  return { name: `${name} suites of src`, path, run: () => runSuites(root, path, parser) };
}

/** Runs checks one after another. Away from CI, those whose runtime is not installed are skipped. */
async function checkAll(checks) {
  for (const { name, path, run } of checks) {
    if (path && !existsSync(path) && !process.env['CI']) {
      console.log(`skipped  ${name}: not installed (npm ci --prefix runtime; they are for Linux on x64)`);
      continue;
    }
    const from = performance.now();
    const problem = await run().then(
      () => undefined,
      (error) => [error.stdout, error.stderr, error].filter(Boolean).join('\n'),
    );
    counts[problem === undefined ? 'passed' : 'failed'] += 1;
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    const verdict = problem === undefined ? 'ok      ' : 'FAILED  ';
    console.log(`${verdict} ${name} (${seconds} s)${problem === undefined ? '' : `: ${problem.slice(-4000)}`}`);
  }
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function equal(actual, expected) {
  if (actual !== expected) throw new Error(`${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
}
