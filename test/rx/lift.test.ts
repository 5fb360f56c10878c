import { lastValueFrom, Observable, of, Subject, take, throwError, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { ClosingStage, Stage } from '../../src/core/stage.ts';
import { lift } from '../../src/rx/lift.ts';
import { operatorLaws } from '../laws/operator-laws.ts';

/** Repeats each number as often as it says, and says how many there were. */
function createRepeater(): Stage<number, number> {
  let count = 0;
  return {
    push(times) {
      count += 1;
      return Array.from({ length: times }, () => times);
    },
    flush: () => [-count],
  };
}

/** Adds numbers up, and is over with the first negative one. */
function createSum(): ClosingStage<number, string> {
  let sum = 0;
  let isOver = false;
  const close = (why: string): string[] => {
    isOver = true;
    return [`${why} ${sum}`];
  };
  return {
    get isOver() {
      return isOver;
    },
    push(value) {
      if (value < 0) return close('over');
      sum += value;
      return [`sum ${sum}`];
    },
    flush: () => close('flushed'),
    fail: (cause) => close(String(cause)),
  };
}

operatorLaws('lift, by the operator laws', { operator: () => lift(createRepeater), inputs: [2, 1, 3] });
operatorLaws('lift of a closing stage, by the operator laws', { operator: () => lift(createSum), inputs: [1, 2, 3] });

describe('lift', () => {
  test('keeps the order of the inputs, and flushes at the end', async () => {
    await expect(lastValueFrom(of(1, 0, 2).pipe(lift(createRepeater), toArray()))).resolves.toEqual([1, 2, 2, -3]);
  });

  test('emits before next returns', () => {
    const source = new Subject<number>();
    const seen: number[] = [];
    source.pipe(lift(createRepeater)).subscribe((value) => seen.push(value));
    source.next(2);
    expect(seen).toEqual([2, 2]);
  });

  test('does not emit the rest of a step to a subscriber that has left', async () => {
    await expect(lastValueFrom(of(5).pipe(lift(createRepeater), take(2), toArray()))).resolves.toEqual([5, 5]);
  });

  test('passes an error of the source on, and flushes nothing', async () => {
    const seen: unknown[] = [];
    const failing = new Observable<number>((subscriber) => {
      subscriber.next(1);
      subscriber.error(new Error('reset'));
    });
    failing
      .pipe(lift(createRepeater))
      .subscribe({ next: (value) => seen.push(value), error: (e) => seen.push(`${e}`) });
    expect(seen).toEqual([1, 'Error: reset']);
  });

  test('makes an error of what the stage throws, and stops the source', () => {
    const source = new Subject<number>();
    const errors: unknown[] = [];
    const throwing = lift<number, number>(() => ({
      push() {
        throw new RangeError('too much');
      },
      flush: () => [],
    }));
    source.pipe(throwing).subscribe({ error: (cause) => errors.push(cause) });
    source.next(1);
    expect(errors).toEqual([new RangeError('too much')]);
    expect(source.observed).toBe(false);
  });

  test('gives the outputs of the step in which the stage failed, then the failure', () => {
    const seen: unknown[] = [];
    const failing = lift<number, number>(() => ({
      push: (value) => [value],
      flush: () => [],
      failure: new Error('full'),
    }));
    of(1, 2)
      .pipe(failing)
      .subscribe({ next: (value) => seen.push(value), error: (cause) => seen.push(cause) });
    expect(seen).toEqual([1, new Error('full')]);
  });

  test('completes, and stops the source, when a closing stage is over', () => {
    const source = new Subject<number>();
    const seen: string[] = [];
    source
      .pipe(lift(createSum))
      .subscribe({ next: (value) => seen.push(value), complete: () => seen.push('complete') });
    for (const value of [1, 2, -1, 4]) source.next(value);
    expect(seen).toEqual(['sum 1', 'sum 3', 'over 3', 'complete']);
    expect(source.observed).toBe(false);
  });

  test('makes the last outputs of a failure, if the stage can', async () => {
    const failing = throwError(() => new Error('reset'));
    await expect(lastValueFrom(failing.pipe(lift(createSum), toArray()))).resolves.toEqual(['Error: reset 0']);
  });
});
