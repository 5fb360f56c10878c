import { describe, expect, test } from 'vitest';
import { followSignal } from '../../src/loop/follow-signal.ts';

describe('A controller that follows a signal', () => {
  test('is stopped from the start by one that was stopped before, with its reason', () => {
    const { controller } = followSignal(AbortSignal.abort('gone'));
    expect(controller.signal.aborted).toBe(true);
    expect(controller.signal.reason).toBe('gone');
  });

  test('stops when the other does, and not the other way round', () => {
    const parent = new AbortController();
    const first = followSignal(parent.signal);
    const second = followSignal(parent.signal);
    first.controller.abort('only this');
    expect(parent.signal.aborted).toBe(false);
    parent.abort('all');
    expect(first.controller.signal.reason).toBe('only this');
    expect(second.controller.signal.reason).toBe('all');
  });

  test('does not stop any more once released', () => {
    const parent = new AbortController();
    const { controller, release } = followSignal(parent.signal);
    release();
    parent.abort();
    expect(controller.signal.aborted).toBe(false);
  });
});
