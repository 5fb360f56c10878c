import { Observable, type Subscriber } from 'rxjs';

/** One observer, and the first batch it has not seen as part of the story. */
interface Listener<Event> {
  readonly subscriber: Subscriber<Event>;
  readonly from: number;
  /** What came while it was told the story; undefined once it listens live. */
  backlog: (readonly Event[])[] | undefined;
}

/** Tells one story to everybody, whenever they come. */
export interface Broadcast<Event> {
  /** The story so far, then the live rest. */
  readonly events: Observable<Event>;
  /** Tells everybody who listens. Called from within an observer, it waits until the others have heard what came before. */
  send(batch: readonly Event[]): void;
  /** Ends the story, when all has been heard. */
  end(): void;
}

/**
 * Makes a broadcast.
 *
 * 1. Every observer gets the whole story in its order: `story()` for what was before it came, then every batch.
 * 2. An observer may subscribe, unsubscribe or cause further events while it is told one.
 * 3. An observer that throws hurts no other: RxJS reports its error, and goes on.
 *
 * @param story The story up to the last batch that was sent; asked whenever somebody subscribes.
 */
export function createBroadcast<Event>(story: () => readonly Event[]): Broadcast<Event> {
  /** Replaced when one comes or goes, so that a loop over it is not disturbed. */
  let listeners: readonly Listener<Event>[] = [];
  /** What was sent while something is told. */
  const queue: (readonly Event[])[] = [];
  let delivered = 0;
  let isDelivering = false;
  let isEnding = false;

  return {
    events: new Observable((subscriber) => {
      const from = delivered + queue.length + (isDelivering ? 1 : 0);
      const listener: Listener<Event> = { subscriber, from, backlog: [] };
      listeners = [...listeners, listener];
      subscriber.add(() => {
        listeners = listeners.filter((other) => other !== listener);
      });
      tell(subscriber, story());
      catchUp(listener);
      if (isOver()) subscriber.complete();
    }),
    send(batch) {
      if (batch.length === 0) return;
      if (isDelivering) queue.push(batch);
      else deliver(batch);
    },
    end() {
      isEnding = true;
      if (isOver()) complete();
    },
  };

  function isOver(): boolean {
    return isEnding && !isDelivering;
  }

  /** Tells everybody a batch, and then what was sent meanwhile. */
  function deliver(first: readonly Event[]): void {
    isDelivering = true;
    for (let batch: readonly Event[] | undefined = first; batch; batch = queue.shift()) {
      for (const listener of listeners) tellListener(listener, batch);
      delivered += 1;
    }
    isDelivering = false;
    if (isEnding) complete();
  }

  function tellListener({ from, backlog, subscriber }: Listener<Event>, batch: readonly Event[]): void {
    if (from > delivered) return;
    if (backlog) backlog.push(batch);
    else tell(subscriber, batch);
  }

  function catchUp(listener: Listener<Event>): void {
    const { backlog = [], subscriber } = listener;
    for (let batch = backlog.shift(); batch; batch = backlog.shift()) tell(subscriber, batch);
    listener.backlog = undefined;
  }

  function complete(): void {
    for (const { subscriber, backlog } of listeners) if (!backlog) subscriber.complete();
  }
}

function tell<Event>(subscriber: Subscriber<Event>, events: readonly Event[]): void {
  for (const event of events) {
    if (subscriber.closed) return;
    subscriber.next(event);
  }
}
