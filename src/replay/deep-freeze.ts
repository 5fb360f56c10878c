/** What is frozen to its depth; a frozen object alone says nothing of what is in it. */
const frozen = new WeakSet<object>();

/** Freezes values and all that is in them; without recursion, for they may nest as they like. */
export function deepFreeze(...values: readonly unknown[]): void {
  const rest: unknown[] = [...values];
  while (rest.length > 0) {
    const value = rest.pop();
    // Bytes cannot be frozen, and are no JSON.
    if (typeof value !== 'object' || value === null || frozen.has(value) || ArrayBuffer.isView(value)) continue;
    frozen.add(Object.freeze(value));
    for (const member of Object.values(value)) rest.push(member);
  }
}
