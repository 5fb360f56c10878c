import type { TurnStatus } from '../core/turn.ts';

/** The exit codes of the command line; `--help` prints what each means. */
export const exitCode = {
  ok: 0,
  turnNotComplete: 1,
  usageError: 2,
  cannotRead: 3,
} as const;

/** The exit code that tells how a turn ended. */
export function exitCodeOf(status: TurnStatus): number {
  return status === 'complete' ? exitCode.ok : exitCode.turnNotComplete;
}
