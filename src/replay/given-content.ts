/**
 * A copy of what the caller gave, which says what its JSON says: the value itself may be in use elsewhere, and must not
 * be frozen with the history.
 */
export function ownCopy<Value>(value: Value): Value {
  const copy: Value = JSON.parse(JSON.stringify(value));
  return copy;
}

/**
 * Refuses what is nothing that a user can say: once it is in a history, every request would be refused.
 *
 * @throws TypeError
 */
export function requireSpeech(content: unknown): void {
  const said = typeof content === 'string' ? content.trim() : content;
  if (typeof said !== 'string' && !Array.isArray(said)) {
    throw new TypeError(`The user says a text or a list of parts, got ${typeof content}.`);
  }
  if (said.length === 0) throw new TypeError('The user says nothing, which providers refuse.');
}
