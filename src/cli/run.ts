import { parseArgs } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { bench } from './bench.ts';
import { CliError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import type { Command, CommandArguments } from './command.ts';
import { events } from './events.ts';
import { exitCode } from './exit-code.ts';
import { commandHelp, commonOptions, generalHelp } from './help.ts';
import { message } from './message.ts';
import { show } from './show.ts';
import { visibleLine } from './visible.ts';

const commands: readonly Command[] = [show, events, message, bench];

/**
 * Runs the command line.
 *
 * Output that nobody reads any more (`| head`) ends it quietly, and so does an abort of `io.signal`.
 *
 * @param argv What stood behind the program's name.
 * @param io The world around it.
 * @returns The exit code, see {@link exitCode}. What is wrong with the call or the input is told on stderr.
 */
export async function run(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    return await runCommand(argv, io);
  } catch (error) {
    if (isBrokenPipe(error)) return exitCode.ok;
    if (io.signal.aborted) return exitCode.turnNotComplete;
    if (!(error instanceof CliError)) throw error;
    await io.stderr.write(`wholeturn: ${visibleLine(error.message)}\n`);
    return error.exitCode;
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
  throw CliError.usage(`${problem}. Commands: ${names}; see \`wholeturn --help\``);
}

function readArguments({ name, options }: Command, args: readonly string[]): CommandArguments {
  const known = { ...options, ...commonOptions };
  const config = Object.fromEntries(
    Object.entries(known).map(([option, { type, short }]) => [option, { type, ...(short && { short }) }]),
  );
  try {
    const { positionals, values } = parseArgs({ args: [...args], options: config, allowPositionals: true });
    return { operands: positionals, values };
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw CliError.usage(`${problem}; see \`wholeturn ${name} --help\``);
  }
}

async function print(text: string, io: CliIo): Promise<number> {
  await io.stdout.write(text);
  return exitCode.ok;
}

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
