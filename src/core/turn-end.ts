import type { TurnError } from './errors.ts';
import type { AssembledTurn, Repair, ToolCall, TurnStatus, Usage } from './turn.ts';

/** What a dialect says of a turn when it is over. */
export interface TurnEnd<Entry> {
  readonly status: TurnStatus;
  readonly stopReason: string | null;
  readonly entries: readonly Entry[];
  readonly repairs: readonly Repair[];
  readonly carry: Readonly<Record<string, unknown>>;
  readonly envelope: Readonly<Record<string, unknown>>;
  /** What is whole of a turn that is not complete. One that fails to say it has nothing whole. */
  readonly finished?: (() => { readonly entries: readonly Entry[]; readonly repairs: readonly Repair[] }) | undefined;
  /** The other answers of the same stream. */
  readonly choices?: readonly AssembledTurn<Entry>[] | undefined;
  readonly error?: TurnError | undefined;
  /** The calls that may be executed, where their order is not that of the blocks. */
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** The usage of the whole turn, where it differs from what was told last. */
  readonly usage?: Usage | undefined;
}
