import { defineConfig } from 'tsup';

const shared = {
  target: 'es2022',
  dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
  sourcemap: true,
  splitting: true,
  // Only `wholeturn/testing` imports any; its chunks stay apart from those of the other entries.
  external: [/^node:/] as RegExp[],
  removeNodeProtocol: false,
} as const;

const entry = [
  'src/index.ts',
  'src/anthropic.ts',
  'src/chat-completions.ts',
  'src/responses.ts',
  'src/gemini.ts',
  'src/testing.ts',
];

const config: ReturnType<typeof defineConfig> = defineConfig([
  { ...shared, entry, format: ['esm'], platform: 'neutral' },
  // Rollup writes CommonJS as it is; without it syntax would be lowered and classes lose their names.
  { ...shared, entry, format: ['cjs'], platform: 'neutral', treeshake: true },
  {
    ...shared,
    entry: { cli: 'src/cli/main.ts' },
    format: ['esm'],
    platform: 'node',
    dts: false,
    // Nobody imports it, and its map would be a third of the package.
    sourcemap: false,
  },
]);
export default config;
