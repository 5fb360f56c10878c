import { identity, type MonoTypeOperatorFunction, throwError, timeout } from 'rxjs';
import { IdleTimeoutError } from '../core/errors.ts';

/** The longest time that a timer can wait for. */
const maxDelay = 2 ** 31 - 1;

/**
 * Fails with an {@link IdleTimeoutError}, and stops the source, when nothing comes for some time.
 *
 * @param milliseconds How long it may be silent, at the start as between two values; undefined or infinite for ever.
 * @throws TypeError if it is no number above 0.
 */
export function failWhenIdle<Value>(milliseconds: number | undefined): MonoTypeOperatorFunction<Value> {
  if (milliseconds === undefined || milliseconds === Number.POSITIVE_INFINITY) return identity;
  if (!(typeof milliseconds === 'number' && milliseconds > 0)) {
    throw new TypeError(`idleTimeout must be a number of milliseconds above 0, got ${String(milliseconds)}`);
  }
  return timeout({
    each: Math.min(milliseconds, maxDelay),
    with: () => throwError(() => new IdleTimeoutError(milliseconds)),
  });
}
