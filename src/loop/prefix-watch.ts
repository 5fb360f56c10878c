import type { AssembledTurn } from '../core/turn.ts';
import type { PrefixFinding } from '../replay/prefix-finding.ts';
import type { PrefixGuard } from '../replay/prefix-guard.ts';

/** Watches over the request of one turn of a loop. */
export interface PrefixWatch {
  /** Checks a body that is about to be sent; the last one is the request of the turn. */
  check(body: object): readonly PrefixFinding[];
  /** Remembers the request with the turn that it gave; nothing if none was shown. */
  remember(turn: AssembledTurn): void;
}

/**
 * Makes the watch for one turn.
 *
 * @param guard Undefined finds nothing.
 * @param onFinding Told of what is found before the request, and of what the provider reports after it.
 */
export function createPrefixWatch(
  guard: PrefixGuard | undefined,
  onFinding: (finding: PrefixFinding) => void,
): PrefixWatch {
  let sent: object | undefined;
  return {
    check(body) {
      sent = body;
      const found = guard?.check(body) ?? [];
      for (const finding of found) onFinding(finding);
      return found;
    },
    remember(turn) {
      if (!guard || !sent) return;
      const known = guard.findings.length;
      guard.remember(sent, turn);
      for (const finding of guard.findings.slice(known)) onFinding(finding);
    },
  };
}
