import { CliError } from './cli-error.ts';
import type { CommandArguments, CommandOptions } from './command.ts';

/** The option of all commands that read a recording. */
export const dialectOption: CommandOptions = {
  dialect: {
    type: 'string',
    valueName: 'NAME',
    help: 'Its dialect; the first event tells by default',
  },
};

/** The option of the commands that show a turn to a person. */
export const reasoningOption: CommandOptions = {
  reasoning: { type: 'string', valueName: 'show|status', help: 'Show reasoning (default), or that there is some' },
};

/** The one file that a command is for. */
export function readPath({ operands }: CommandArguments): string {
  const [path, ...more] = operands;
  if (path === undefined) throw CliError.usage('A file is missing; `-` reads from stdin');
  if (more.length > 0) throw CliError.usage(`One file at a time; ${JSON.stringify(more[0])} is one too many`);
  return path;
}

/** The value of an option that takes one; undefined where it was not given. */
export function readString({ values }: CommandArguments, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The value of an option that takes a number; undefined where it was not given. */
export function readNumber(given: CommandArguments, name: string, least: number): number | undefined {
  const text = readString(given, name);
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value) && value >= least) return value;
  throw CliError.usage(`--${name} takes a number from ${least} up, not ${JSON.stringify(text)}`);
}

/** Whether reasoning is shown: `--reasoning`. */
export function readReasoning(given: CommandArguments): 'show' | 'status' {
  const value = readString(given, 'reasoning') ?? 'show';
  if (value === 'show' || value === 'status') return value;
  throw CliError.usage(`--reasoning takes show or status, not ${JSON.stringify(value)}`);
}
