/** A block of which it is not decided yet how it ended. */
export interface UndecidedBlock {
  /** Whether all of it came, as far as the wire says. */
  readonly isOver: boolean;
  /** Whether that leaves open if it is whole: providers close calls and reasoning that a limit has cut like others. */
  readonly needsConfirmation: boolean;
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
  /** Ends a block that is over, if nothing needs to confirm it. */
  finish(block: Block): void;
  /** Ends all that is left, in order of arrival. `isConfirmed` says whether what came last is whole. */
  settle(isConfirmed: boolean): void;
}

/** Makes the list of undecided blocks of one message. */
export function createUndecidedBlocks<Block extends UndecidedBlock>(): UndecidedBlocks<Block> {
  /** In order of arrival. */
  let undecided: Block[] = [];
  let begun = 0;

  return {
    confirm() {
      decide((block) => (block.isOver ? 'finish' : 'wait'));
    },
    add(block) {
      begun += 1;
      block.begunAtLast = begun;
      undecided.push(block);
    },
    touch(block) {
      block.begunAtLast = begun;
    },
    finish(block) {
      if (!block.needsConfirmation) decide((other) => (other === block ? 'finish' : 'wait'));
    },
    settle(isConfirmed) {
      decide((block) => {
        const isSure = isConfirmed || begun > block.begunAtLast || !block.needsConfirmation;
        return block.isOver && isSure ? 'finish' : 'cut';
      });
    },
  };

  /** One that breaks a limit is over all the same, and so are those behind it. */
  function decide(verdictOf: (block: Block) => 'finish' | 'cut' | 'wait'): void {
    const failures: unknown[] = [];
    undecided = undecided.filter((block) => {
      const verdict = verdictOf(block);
      if (verdict === 'wait') return true;
      try {
        block.close(verdict === 'cut');
      } catch (cause) {
        failures.push(cause);
      }
      return false;
    });
    if (failures.length > 0) throw failures[0];
  }
}
