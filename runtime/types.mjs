import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How users resolve types, and where their globals come from. */
const resolutions = {
  'node16, dom': ['--module', 'node16', '--moduleResolution', 'node16', '--lib', 'es2022,dom,dom.iterable'],
  'bundler, dom': ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable'],
  'node16, @types/node': ['--module', 'node16', '--moduleResolution', 'node16', '--lib', 'es2022', '--types', 'node'],
};

/**
 * The checks that a user's file type-checks against the installed package, one for each way to resolve types: as an
 * ES module and as CommonJS, the package's own declarations included.
 *
 * @param app The installed package.
 * @param root The checkout, which has the compiler.
 * @param file The user's file, without its ending.
 */
export function typeChecks(app, root, file) {
  const modules = join(root, 'node_modules');
  const common = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--skipLibCheck',
    'false',
    '--target',
    'es2022',
  ];
  const compiler = [join(modules, 'typescript/bin/tsc'), ...common, '--typeRoots', join(modules, '@types')];

  return Object.entries(resolutions).map(([name, resolution]) => ({
    name: `types of ${file} (${name})`,
    async run() {
      await copyFile(join(app.folder, `${file}.ts`), join(app.folder, `${file}.cts`));
      const files = [`${file}.ts`, `${file}.cts`];
      const out = await app.run(process.execPath, [...compiler, ...resolution, ...files]);
      if (out !== '') throw new Error(out);
    },
  }));
}
