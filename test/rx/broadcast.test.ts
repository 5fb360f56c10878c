import { config } from 'rxjs';
import { afterEach, describe, expect, test } from 'vitest';
import { createBroadcast } from '../../src/rx/broadcast.ts';

/** A broadcast whose story is all that was sent. */
function recorded(): {
  send(...batch: number[]): void;
  end(): void;
  events: ReturnType<typeof createBroadcast<number>>['events'];
} {
  const story: number[] = [];
  const broadcast = createBroadcast<number>(() => [...story]);
  return {
    events: broadcast.events,
    end: broadcast.end,
    send(...batch) {
      story.push(...batch);
      broadcast.send(batch);
    },
  };
}

describe('createBroadcast', () => {
  afterEach(() => {
    config.onUnhandledError = null;
  });

  test('tells everybody the whole story in order, whenever they come', () => {
    const { events, send, end } = recorded();
    const [early, late, after]: unknown[][] = [[], [], []];
    events.subscribe({ next: (n) => early?.push(n), complete: () => early?.push('end') });
    send(1, 2);
    events.subscribe({ next: (n) => late?.push(n), complete: () => late?.push('end') });
    send(3);
    end();
    events.subscribe({ next: (n) => after?.push(n), complete: () => after?.push('end') });
    for (const seen of [early, late, after]) expect(seen).toEqual([1, 2, 3, 'end']);
  });

  test('tells one who comes during an event everything exactly once', () => {
    const { events, send } = recorded();
    const late: number[] = [];
    events.subscribe((n) => {
      if (n === 1) events.subscribe((m) => late.push(m));
    });
    send(1, 2);
    send(3);
    expect(late).toEqual([1, 2, 3]);
  });

  test('keeps the order for everybody when an observer causes further events', () => {
    const { events, send } = recorded();
    const second: number[] = [];
    events.subscribe((n) => {
      if (n === 1) send(9);
    });
    events.subscribe((n) => second.push(n));
    send(1, 2);
    expect(second).toEqual([1, 2, 9]);
  });

  test('gives what is sent while the story is told after the story', () => {
    const { events, send } = recorded();
    send(1, 2);
    const seen: number[] = [];
    events.subscribe((n) => {
      seen.push(n);
      if (n === 1) send(9);
    });
    expect(seen).toEqual([1, 2, 9]);
  });

  test('hurts nobody else when an observer throws', async () => {
    const reported: unknown[] = [];
    config.onUnhandledError = (cause) => reported.push(cause);
    const { events, send, end } = recorded();
    const seen: unknown[] = [];
    events.subscribe(() => {
      throw new Error('render failed');
    });
    events.subscribe({ next: (n) => seen.push(n), complete: () => seen.push('end') });
    send(1, 2);
    end();
    expect(seen).toEqual([1, 2, 'end']);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(reported).toEqual([new Error('render failed'), new Error('render failed')]);
  });

  test('tells nothing to one who has left in the middle of a batch', () => {
    const { events, send } = recorded();
    const seen: number[] = [];
    const subscription = events.subscribe((n) => {
      seen.push(n);
      subscription.unsubscribe();
    });
    send(1, 2);
    send(3);
    expect(seen).toEqual([1]);
  });

  test('completes one who ends the story from within', () => {
    const { events, send, end } = recorded();
    const seen: unknown[] = [];
    events.subscribe({
      next(n) {
        seen.push(n);
        if (n === 1) end();
      },
      complete: () => seen.push('end'),
    });
    send(1, 2);
    expect(seen).toEqual([1, 2, 'end']);
  });
});
