import type { TurnStatus } from '../core/turn.ts';

/** The exit codes of the command line; `--help` prints what each means. */
export const exitCode = {
  ok: 0,
  turnNotComplete: 1,
  requestHasErrors: 1,
  usageError: 2,
  ioError: 3,
} as const;

/** The exit code that tells how a turn ended. */
export function exitCodeOf(status: TurnStatus): number {
  return status === 'complete' ? exitCode.ok : exitCode.turnNotComplete;
}

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

  /** The input cannot be read, or holds no stream of a known dialect; or the output cannot be written. */
  static io(message: string, options?: ErrorOptions): CliError {
    return new CliError(message, exitCode.ioError, options);
  }
}
