/** Stop reasons with which a provider says that it will not answer. */
const refusals = new Set([
  'refusal',
  'content_filter',
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
]);

/** Whether a turn ended because the provider would not go on. */
export function isRefused(stopReason: string | null): boolean {
  return stopReason !== null && refusals.has(stopReason);
}

/** Whether two names mean one model: answers name a version of what the request called by a shorter name. */
export function isSameModel(one: string | null, other: string): boolean {
  if (one === null) return false;
  const [a, b] = [one, other].map((name) => name.replace(/^models\//, ''));
  return a === b || `${a}`.startsWith(`${b}-`) || `${b}`.startsWith(`${a}-`);
}
