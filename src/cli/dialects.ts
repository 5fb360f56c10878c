import type { Dialect } from '../core/dialect.ts';
import { anthropic } from '../dialects/anthropic/anthropic.ts';
import { chatCompletions } from '../dialects/chat-completions/chat-completions.ts';
import { gemini } from '../dialects/gemini/gemini.ts';
import { responses } from '../dialects/responses/responses.ts';
import { CliError } from './cli-error.ts';

/** Every dialect that the command line knows; the first that recognises a stream's first event reads it. */
export const dialects: readonly Dialect[] = [responses, anthropic, chatCompletions, gemini];

/** The names for `--dialect`, for messages. */
export function dialectNames(): string {
  return dialects.map(({ name }) => name).join(', ');
}

/** Finds a dialect by its name, `chat-completions` as well as `chatCompletions`; an unknown one is a usage error. */
export function dialectByName(name: string): Dialect {
  const dialect = dialects.find((known) => plain(known.name) === plain(name));
  if (!dialect) throw CliError.usage(`Unknown dialect ${JSON.stringify(name)}. Known dialects: ${dialectNames()}`);
  return dialect;
}

function plain(name: string): string {
  return name.replaceAll('-', '').toLowerCase();
}
