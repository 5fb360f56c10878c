/** A block of which it is not decided yet how it ended. */
export interface UndecidedBlock {
  /** Whether all of it came, as far as the wire says. */
  readonly isOver: boolean;
  /** Whether that leaves open if it is whole: providers close calls and reasoning that a limit has cut like others. */
  readonly needsConfirmation: boolean;
  /** How many blocks had begun when it began; its place in the order of arrival. */
  begun: number;
  /** How many blocks had begun when the last of it came; one that begins later confirms it. */
  begunAtLast: number;
  /** Ends it as what it is, or as cut. */
  close(isCut: boolean): void;
}

/** The blocks of one message that are not decided, and what decides them. */
export interface UndecidedBlocks<Block extends UndecidedBlock> {
  /** Says that a block begins: those that are over are confirmed by it, and end before it does. */
  confirm(): void;
  /** Adds the block that began. */
  add(block: Block): void;
  /** Says that something of a block came. */
  touch(block: Block): void;
  /** Says that a block is over: it ends now, or when it is confirmed. */
  finish(block: Block): void;
  /** Ends all that is left, in order of arrival. `isConfirmed` says whether what came last is whole. */
  settle(isConfirmed: boolean): void;
}

/** Makes the list of undecided blocks of one message. Its steps cost the same however many blocks are open at once. */
export function createUndecidedBlocks<Block extends UndecidedBlock>(): UndecidedBlocks<Block> {
  /** In order of arrival. */
  const undecided = new Set<Block>();
  /** Those of them that are over, and wait for what confirms them. */
  let waiting: Block[] = [];
  let begun = 0;

  return {
    confirm() {
      const confirmed = waiting.length > 1 ? waiting.sort((a, b) => a.begun - b.begun) : waiting;
      waiting = [];
      closeAll(confirmed, () => false);
    },
    add(block) {
      begun += 1;
      block.begun = begun;
      block.begunAtLast = begun;
      undecided.add(block);
    },
    touch(block) {
      block.begunAtLast = begun;
    },
    finish(block) {
      if (block.needsConfirmation) waiting.push(block);
      else closeAll([block], () => false);
    },
    settle(isConfirmed) {
      waiting = [];
      closeAll([...undecided], (block) => {
        const isSure = isConfirmed || begun > block.begunAtLast || !block.needsConfirmation;
        return !block.isOver || !isSure;
      });
    },
  };

  /** One that breaks a limit is over all the same, and so are those behind it. */
  function closeAll(blocks: readonly Block[], isCut: (block: Block) => boolean): void {
    const failures: unknown[] = [];
    for (const block of blocks) {
      if (!undecided.delete(block)) continue;
      try {
        block.close(isCut(block));
      } catch (cause) {
        failures.push(cause);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
