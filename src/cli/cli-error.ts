import { exitCode } from './exit-code.ts';

/** A failure that ends the command line with a message of one line and an exit code of its own. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;

  private constructor(message: string, code: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = code;
  }

  /** The command was called in a way that means nothing. */
  static usage(message: string): CliError {
    return new CliError(message, exitCode.usageError);
  }

  /** The input cannot be read, or holds no stream of a known dialect. */
  static input(message: string, options?: ErrorOptions): CliError {
    return new CliError(message, exitCode.cannotRead, options);
  }
}
