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

/** What names a version of a model, behind its name: a date, a number of three or four digits, `latest`. */
const version = /[-@](\d{4}-\d\d-\d\d|\d\d-\d{4}|\d{8}|\d{6}|\d{3,4}|latest)$/;

/**
 * Whether two names mean one model: answers name a version of what the request called by a shorter name.
 *
 * Only what looks like a version counts as one: `gpt-5-mini` is not a `gpt-5`, nor `claude-opus-4-5` a `claude-opus-4`.
 */
export function isSameModel(one: string | null, other: string): boolean {
  if (one === null) return false;
  const [a, b] = [readName(one), readName(other)];
  return a.model === b.model && (a.version === b.version || a.version === undefined || b.version === undefined);
}

/** A model and its version; undefined for whatever is the latest. */
function readName(name: string): { readonly model: string; readonly version: string | undefined } {
  const plain = name.replace(/^models\//, '');
  const [suffix, found] = version.exec(plain) ?? ['', undefined];
  return {
    model: plain.slice(0, plain.length - suffix.length),
    version: found === 'latest' ? undefined : found,
  };
}
