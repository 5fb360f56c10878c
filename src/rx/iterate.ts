import type { Observable } from 'rxjs';

/**
 * The values of an observable for `for await`.
 *
 * Values that come while nobody asks are kept, so none is lost. Breaking out of the loop unsubscribes. An own adapter,
 * for it makes a promise only when a value is not there yet (rxjs-for-await costs 3–7 times the parsing).
 */
export function iterate<Value>(source: Observable<Value>): AsyncIterableIterator<Value> {
  let values: Value[] = [];
  let read = 0;
  let isOver = false;
  let failure: { readonly cause: unknown } | undefined;
  let waiting: { resolve(result: IteratorResult<Value>): void; reject(cause: unknown): void }[] = [];

  const subscription = source.subscribe({
    next(value) {
      const first = waiting.shift();
      if (first) first.resolve({ done: false, value });
      else values.push(value);
    },
    error(cause) {
      failure = { cause };
      const first = waiting.shift();
      if (first) fail(first);
      finish();
    },
    complete: finish,
  });

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      if (read < values.length) return Promise.resolve({ done: false, value: takeValue() });
      if (isOver && !failure) return Promise.resolve({ done: true, value: undefined });
      return new Promise((resolve, reject) => {
        const request = { resolve, reject };
        if (failure) fail(request);
        else waiting.push(request);
      });
    },
    return() {
      subscription.unsubscribe();
      values = [];
      read = 0;
      finish();
      return Promise.resolve({ done: true, value: undefined });
    },
  };

  /** Reads by position: taking from the front of an array moves all that stands behind. */
  function takeValue(): Value {
    const value = values[read] as Value;
    read += 1;
    if (read === values.length) {
      values = [];
      read = 0;
    }
    return value;
  }

  /** An error is told once; after it the iterator is at its end. */
  function fail(request: { reject(cause: unknown): void }): void {
    const cause = failure?.cause;
    failure = undefined;
    request.reject(cause);
  }

  function finish(): void {
    isOver = true;
    const left = waiting;
    waiting = [];
    for (const { resolve } of left) resolve({ done: true, value: undefined });
  }
}
