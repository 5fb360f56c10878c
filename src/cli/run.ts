import { parseArgs } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { bench } from './bench.ts';
import { check } from './check.ts';
import { CliError, exitCode } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import type { Command, CommandArguments, CommandOption } from './command.ts';
import { events } from './events.ts';
import { commandHelp, commonOptions, generalHelp } from './help.ts';
import { message } from './message.ts';
import { show } from './show.ts';
import { visibleLine } from './visible.ts';

const commands: readonly Command[] = [show, events, message, check, bench];

/**
 * Runs the command line.
 *
 * Output that nobody reads any more (`| head`) ends it quietly, and so does an abort of `io.signal`.
 *
 * @param argv What stood behind the program's name.
 * @param io The world around it.
 * @returns The exit code, see {@link exitCode}. What is wrong with the call, input or output goes to stderr.
 */
export async function run(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    return await runCommand(argv, io);
  } catch (error) {
    if (isSystemError(error) && error.code === 'EPIPE') return exitCode.ok;
    if (io.signal.aborted) return exitCode.turnNotComplete;
    const failure = isSystemError(error) ? CliError.io(`Cannot ${error.syscall}: ${error.message}`) : error;
    if (!(failure instanceof CliError)) throw failure;
    // Where stderr fails as well, the exit code tells.
    await io.stderr.write(`wholeturn: ${visibleLine(failure.message)}\n`).catch(() => {});
    return failure.exitCode;
  }
}

async function runCommand(argv: readonly string[], io: CliIo): Promise<number> {
  const [name = '', ...rest] = argv;
  const command = commands.find((known) => known.name === name);
  if (!command) return runWithoutCommand(name, io);
  const given = readArguments(command, rest);
  if (given.values['help']) return print(commandHelp(command), io);
  if (given.values['version']) return print(`${manifest.version}\n`, io);
  return command.run(given, io);
}

function runWithoutCommand(name: string, io: CliIo): Promise<number> {
  if (name === '--help' || name === '-h') return print(generalHelp(commands), io);
  if (name === '--version') return print(`${manifest.version}\n`, io);
  const problem = name === '' ? 'A command is missing' : `There is no command ${JSON.stringify(name)}`;
  const names = commands.map((command) => command.name).join(', ');
  throw CliError.usage(`${problem}. Commands: ${names}. See wholeturn --help`);
}

/** Reads arguments without Node's own checks, whose messages speak to the program's author. */
function readArguments({ name, options }: Command, args: readonly string[]): CommandArguments {
  const known = { ...options, ...commonOptions };
  const config = { args: [...args], options: known, allowPositionals: true, strict: false, tokens: true } as const;
  const { positionals, values, tokens } = parseArgs(config);
  const byName = new Map(Object.entries(known));
  for (const token of tokens) {
    const problem = token.kind === 'option' && problemOf(byName.get(token.name), token.value);
    if (problem) throw CliError.usage(`${problem} ${token.rawName}. See wholeturn ${name} --help`);
  }
  return { operands: positionals, values };
}

function problemOf(option: CommandOption | undefined, value: string | undefined): string | undefined {
  if (!option) return 'Unknown option';
  if (option.type === 'string' && value === undefined) return 'A value is missing for';
  return option.type === 'boolean' && value !== undefined ? 'No value belongs to' : undefined;
}

async function print(text: string, io: CliIo): Promise<number> {
  await io.stdout.write(text);
  return exitCode.ok;
}

/** Whether the system refused something, most likely to write. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
