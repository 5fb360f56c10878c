import type { Dialect } from '../core/dialect.ts';
import { anthropic } from '../dialects/anthropic/anthropic.ts';
import { CliError } from './cli-error.ts';

/** Every dialect that the command line knows; the first that recognises a stream's first event reads it. */
export const dialects: readonly Dialect[] = [anthropic];

/** The names for `--dialect`, for messages. */
export function dialectNames(): string {
  return dialects.map(({ name }) => name).join(', ');
}

/** Finds a dialect by its name; an unknown one is a usage error that lists the names. */
export function dialectByName(name: string): Dialect {
  const dialect = dialects.find((known) => known.name === name);
  if (!dialect) throw CliError.usage(`Unknown dialect ${JSON.stringify(name)}. Known dialects: ${dialectNames()}`);
  return dialect;
}
