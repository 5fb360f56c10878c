/** Freezes values and all that is in them; without recursion, for they may nest as they like. */
export function deepFreeze(...values: readonly unknown[]): void {
  const rest: unknown[] = [...values];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) continue;
    Object.freeze(value);
    rest.push(...Object.values(value));
  }
}
