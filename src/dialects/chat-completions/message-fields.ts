import { isJsonObject, type JsonObject, setMember } from '../../core/json-object.ts';

/**
 * Fields of a delta that are the stream's own bookkeeping and stay out of the message: servers refuse them there.
 *
 * Groq and Mistral answer 400 to unknown members of a message; no accepted replay was ever seen to hold one of these.
 */
const bookkeeping = new Set(['role', 'index', 'token_id', 'channel', 'executed_tools', 'provider_metadata']);

/** Fields that are read elsewhere. */
const known = new Set([
  'content',
  'refusal',
  'reasoning',
  'reasoning_content',
  'reasoning_text',
  'reasoning_opaque',
  'reasoning_details',
  'tool_calls',
  'audio',
]);

/** Fields that are lists which come in parts. */
const lists = new Set(['annotations', 'images']);

/**
 * Takes over the fields of a delta that nothing else reads: lists grow, objects are merged, of all else the last value
 * counts. Empty strings and null never overwrite.
 */
export function mergeOtherFields(message: JsonObject, delta: JsonObject): void {
  for (const [name, value] of Object.entries(delta)) {
    if (known.has(name) || bookkeeping.has(name)) continue;
    const before = message[name];
    if (lists.has(name) && Array.isArray(value) && Array.isArray(before)) appendNew(before, value);
    else if (Array.isArray(value)) message[name] = [...value];
    else mergeKnown(message, { [name]: value });
  }
}

/** Takes over members that say something, and merges objects member by member: a signature in one is never lost. */
export function mergeKnown(target: JsonObject, source: JsonObject): void {
  for (const [name, value] of Object.entries(source)) {
    if (value === null || value === undefined || value === '') continue;
    const before = Object.hasOwn(target, name) ? target[name] : undefined;
    const merged = isJsonObject(before) && isJsonObject(value) ? mergedObject(before, value) : value;
    setMember(target, name, merged);
  }
}

function mergedObject(before: JsonObject, value: JsonObject): JsonObject {
  const merged = { ...before };
  mergeKnown(merged, value);
  return merged;
}

/** Appends what is not there yet: some servers send the list so far each time. */
function appendNew(list: unknown[], more: readonly unknown[]): void {
  const present = new Set(list.map((item) => JSON.stringify(item)));
  for (const item of more) if (!present.has(JSON.stringify(item))) list.push(item);
}
