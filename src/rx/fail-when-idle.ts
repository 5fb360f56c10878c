import { identity, type MonoTypeOperatorFunction, throwError, timeout } from 'rxjs';
import { IdleTimeoutError } from '../core/errors.ts';

/**
 * Fails with an {@link IdleTimeoutError}, and stops the source, when nothing comes for some time.
 *
 * @param milliseconds How long it may be silent, at the start as between two values; undefined for ever.
 */
export function failWhenIdle<Value>(milliseconds: number | undefined): MonoTypeOperatorFunction<Value> {
  if (milliseconds === undefined) return identity;
  return timeout({ each: milliseconds, with: () => throwError(() => new IdleTimeoutError(milliseconds)) });
}
