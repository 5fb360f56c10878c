import type { CliIo } from './cli-io.ts';

/** One option of a command, for parsing and for help. */
export interface CommandOption {
  readonly type: 'boolean' | 'string';
  /** The letter that stands for it behind one dash. */
  readonly short?: string;
  /** What its value is called in help; only where the type is `string`. */
  readonly valueName?: string;
  /** What it does, in a line. */
  readonly help: string;
}

/** The options of a command by their names, without the dashes. */
export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** What stood behind a command's name. */
export interface CommandArguments {
  /** What is no option, in order. */
  readonly operands: readonly string[];
  /** The options that were given, by their names. */
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
}

/** One command of the command line. */
export interface Command {
  readonly name: string;
  /** Its operands, as help shows them. */
  readonly operands: string;
  /** What it does, in a line. */
  readonly summary: string;
  /** What else is to be known, in lines of 80 columns at most; may be empty. */
  readonly details: string;
  readonly options: CommandOptions;
  /**
   * Does it.
   *
   * @returns The exit code.
   * @throws CliError
   */
  run(given: CommandArguments, io: CliIo): Promise<number>;
}
