import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The suites of all that the parser of event streams has a part in, with the copy of it that `PARSER` names. */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  resolve: { alias: { 'eventsource-parser': process.env['PARSER'] } },
  test: { include: ['test/{text,rx,laws}/**/*.test.ts'], testTimeout: 60_000 },
});
