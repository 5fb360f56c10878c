import { describe, expect, test } from 'vitest';
import { createUndecidedBlocks, type UndecidedBlock } from '../../src/core/undecided-blocks.ts';

/** A block that notes how it ended. */
function blockIn(log: string[], name: string, needsConfirmation = true): UndecidedBlock & { isOver: boolean } {
  return {
    isOver: false,
    needsConfirmation,
    begun: 0,
    begunAtLast: 0,
    close(isCut) {
      log.push(`${name} ${isCut ? 'cut' : 'finished'}`);
      if (name === 'broken') throw new Error('over the limit');
    },
  };
}

describe('createUndecidedBlocks', () => {
  test('confirms, when a block begins, what is over, in the order of arrival', () => {
    const log: string[] = [];
    const blocks = createUndecidedBlocks();
    const [first, second, third] = ['first', 'second', 'third'].map((name) => blockIn(log, name));
    if (!first || !second || !third) throw new Error('three were made');
    for (const block of [first, second, third]) blocks.add(block);
    for (const block of [third, first]) {
      block.isOver = true;
      blocks.touch(block);
      blocks.finish(block);
    }
    expect(log).toEqual([]);
    blocks.confirm();
    expect(log).toEqual(['first finished', 'third finished']);
    blocks.settle(true);
    expect(log).toEqual(['first finished', 'third finished', 'second cut']);
  });

  test('ends at once what nothing needs to confirm', () => {
    const log: string[] = [];
    const blocks = createUndecidedBlocks();
    const text = blockIn(log, 'text', false);
    blocks.add(text);
    text.isOver = true;
    blocks.finish(text);
    expect(log).toEqual(['text finished']);
    blocks.settle(false);
    expect(log).toEqual(['text finished']);
  });

  test('cuts, without a confirmation, only what no later block confirmed', () => {
    const log: string[] = [];
    const blocks = createUndecidedBlocks();
    const early = blockIn(log, 'early');
    const late = blockIn(log, 'late');
    blocks.add(early);
    blocks.add(late);
    // The early one is over when the late one is open already.
    for (const block of [early, late]) block.isOver = true;
    blocks.touch(late);
    blocks.settle(false);
    expect(log).toEqual(['early finished', 'late cut']);
  });

  test('ends what stands behind a block that breaks a limit, and then says so', () => {
    const log: string[] = [];
    const blocks = createUndecidedBlocks();
    for (const name of ['broken', 'next']) blocks.add(blockIn(log, name));
    expect(() => blocks.settle(true)).toThrow('over the limit');
    expect(log).toEqual(['broken cut', 'next cut']);
  });

  test('looks at each open block once, however many begin', () => {
    let looks = 0;
    const blocks = createUndecidedBlocks();
    for (let place = 0; place < 1000; place += 1) {
      blocks.confirm();
      blocks.add({
        get isOver() {
          looks += 1;
          return false;
        },
        needsConfirmation: true,
        begun: 0,
        begunAtLast: 0,
        close() {},
      });
    }
    blocks.settle(true);
    expect(looks).toBe(1000);
  });
});
