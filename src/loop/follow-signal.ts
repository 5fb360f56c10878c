/** A controller of its own that stops when another signal does. */
export interface Follower {
  readonly controller: AbortController;
  /** Stops following: the other signal keeps no trace of it. */
  release(): void;
}

/**
 * Makes a controller that follows a signal. What is made for one request, or one call, gets a signal of its own, for
 * clients leave listeners at the one that they are given.
 */
export function followSignal(signal: AbortSignal): Follower {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);
  return { controller, release: () => signal.removeEventListener('abort', onAbort) };
}
