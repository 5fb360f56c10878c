import { lastValueFrom, Observable, type OperatorFunction, of, Subject, take, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';

/** An operator under the laws, and inputs of which the first already makes it emit. */
export interface OperatorSample<In, Out> {
  readonly operator: () => OperatorFunction<In, Out>;
  readonly inputs: readonly In[];
}

/** A source that counts what is done with it, and objects to being misused. */
function countedSource<In>(inputs: readonly In[]): {
  source: Observable<In>;
  sent: () => number;
  cancels: () => number;
} {
  let sent = 0;
  let cancels = 0;
  const source = new Observable<In>((subscriber) => {
    subscriber.add(() => {
      cancels += 1;
    });
    for (const input of inputs) {
      if (subscriber.closed) return;
      sent += 1;
      subscriber.next(input);
    }
  });
  return { source, sent: () => sent, cancels: () => cancels };
}

/** The laws that hold for every operator of the library. */
export function operatorLaws<In, Out>(title: string, { operator, inputs }: OperatorSample<In, Out>): void {
  describe(title, () => {
    test('gives each subscription a state of its own', async () => {
      const operated = of(...inputs).pipe(operator());
      const first = await lastValueFrom(operated.pipe(toArray()));
      const second = await lastValueFrom(operated.pipe(toArray()));
      expect(first.length).toBeGreaterThan(0);
      expect(second).toEqual(first);
    });

    test('stops a synchronous source as soon as the subscriber has enough', () => {
      const { source, sent, cancels } = countedSource([...inputs, ...inputs, ...inputs]);
      source.pipe(operator(), take(1)).subscribe();
      expect(sent()).toBe(1);
      expect(cancels()).toBe(1);
    });

    test('cancels an idle source once when it is unsubscribed', () => {
      const { source, cancels } = countedSource(inputs.slice(0, 1));
      const subscription = source.pipe(operator()).subscribe();
      expect(cancels()).toBe(0);
      subscription.unsubscribe();
      subscription.unsubscribe();
      expect(cancels()).toBe(1);
    });

    test('emits nothing after it was unsubscribed', () => {
      const source = new Subject<In>();
      const seen: Out[] = [];
      const subscription = source.pipe(operator()).subscribe((output) => seen.push(output));
      for (const input of inputs.slice(0, 1)) source.next(input);
      const before = seen.length;
      subscription.unsubscribe();
      for (const input of inputs) source.next(input);
      source.complete();
      expect(before).toBeGreaterThan(0);
      expect(seen.length).toBe(before);
      expect(source.observed).toBe(false);
    });

    test('emits nothing after its end', () => {
      const source = new Subject<In>();
      const seen: string[] = [];
      source.pipe(operator()).subscribe({
        next: () => seen.push('next'),
        error: () => seen.push('end'),
        complete: () => seen.push('end'),
      });
      for (const input of inputs.slice(0, 1)) source.next(input);
      source.error(new Error('reset'));
      expect(seen.filter((what) => what === 'end')).toEqual(['end']);
      expect(seen.at(-1)).toBe('end');
    });
  });
}
