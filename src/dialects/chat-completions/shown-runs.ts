import type { BlockRecord } from '../../core/block-record.ts';
import type { BlockState } from '../../core/turn.ts';
import type { TurnWriter } from '../../core/turn-record.ts';
import type { ReasoningDetail } from './reasoning-details.ts';

/** What a run shows. */
export type RunKind = 'text' | 'reasoning' | 'refusal';

/** A run of shown text: what was written of one kind until something else came. */
export interface Run {
  readonly block: BlockRecord;
  /** The entries of `reasoning_details` that it showed. */
  readonly details: Set<ReasoningDetail>;
  /** How many blocks had begun when the last of it came. */
  begunAtLast: number;
}

/** The runs of one message. The wire has no blocks: they are what a person sees, in the order of arrival. */
export interface ShownRuns {
  /** Shows text: in the run that goes on, or in a new one. */
  show(kind: RunKind, text: string, detail?: ReasoningDetail): void;
  /** Says that something else comes. */
  interrupt(): void;
  /** Runs of reasoning that are over, and whose signature may still come. */
  readonly waiting: readonly Run[];
  /** The run that still grows. */
  readonly current: Run | undefined;
  /** Closes a run. */
  close(run: Run, state: BlockState): void;
}

/** Claude's thinking is worth sending only with its signature, which may come at the very end of the stream. */
export function isUnsigned({ native }: ReasoningDetail): boolean {
  const { type, format, signature } = native;
  return (
    type === 'reasoning.text' && format === 'anthropic-claude-v1' && (typeof signature !== 'string' || signature === '')
  );
}

/** Makes the runs of one message. `begun` says how many blocks have begun. */
export function createShownRuns(record: TurnWriter): ShownRuns {
  let current: Run | undefined;
  const waiting: Run[] = [];

  return {
    show(kind, text, detail) {
      if (text === '') return;
      if (current?.block.kind !== kind) {
        interrupt();
        current = { block: record.openBlock({ kind }, {}), details: new Set(), begunAtLast: 0 };
      }
      if (detail) current.details.add(detail);
      current.begunAtLast = record.nextIndex;
      record.grow(current.block, text);
    },
    interrupt,
    waiting,
    get current() {
      return current;
    },
    close,
  };

  /** What comes next confirms the run; only a signature may still be missing. */
  function interrupt(): void {
    if (!current) return;
    const run = current;
    current = undefined;
    if ([...run.details].some(isUnsigned)) waiting.push(run);
    else close(run, 'finished');
  }

  function close(run: Run, state: BlockState): void {
    run.block.native = nativeOf(run);
    record.closeBlock(run.block, state);
  }
}

/** The message that this run alone would be; its reasoning under the usual name. */
function nativeOf({ block: { kind, text }, details }: Run): object {
  if (kind === 'text') return { content: text };
  if (kind === 'refusal') return { refusal: text };
  return details.size > 0 ? { reasoning_details: [...details].map(({ native }) => native) } : { reasoning: text };
}
