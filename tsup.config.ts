import { defineConfig } from 'tsup';

const shared = {
  target: 'es2022',
  dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
  sourcemap: true,
  splitting: true,
  treeshake: false,
} as const;

const config: ReturnType<typeof defineConfig> = defineConfig([
  {
    ...shared,
    entry: ['src/index.ts', 'src/anthropic.ts', 'src/chat-completions.ts'],
    format: ['esm', 'cjs'],
    platform: 'neutral',
    // Both builds run at once: what the other one writes is not cleaned away.
    clean: ['!cli.js'],
  },
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
