import { isJsonObject, type JsonObject, setMember } from '../../core/json-object.ts';
import type { TurnWriter } from '../../core/turn-record.ts';

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
  'function_call',
  'audio',
]);

/** Fields that are lists which come in parts. */
const lists = new Set(['annotations', 'images']);

/** The fields of one message that nothing else reads. */
export interface OtherFields {
  readonly native: JsonObject;
  /**
   * Takes over those of a delta: lists grow, objects are merged, of all else the last value counts. Empty strings and
   * null never overwrite.
   */
  merge(delta: JsonObject): void;
}

/** Makes the other fields of one message. */
export function createOtherFields(record: TurnWriter): OtherFields {
  const native: JsonObject = {};
  /** What each list holds, as texts: some servers send the list so far each time. */
  const texts = new Map<string, string[]>();

  return {
    native,
    merge(delta) {
      for (const name in delta) {
        const value = delta[name];
        if (value === null || value === undefined || value === '' || known.has(name) || bookkeeping.has(name)) continue;
        if (lists.has(name) && Array.isArray(value)) append(name, value);
        else {
          if (value !== native[name]) record.count(lengthOf(value));
          mergeKnown(native, { [name]: value });
        }
      }
    },
  };

  /** Appends a list, or what is new of one that repeats the list so far. */
  function append(name: string, more: readonly unknown[]): void {
    const before = texts.get(name) ?? [];
    const all = more.map((item) => JSON.stringify(item));
    const known = before.length > 0 && before.every((text, at) => text === all[at]) ? before.length : 0;
    const list = Array.isArray(native[name]) ? native[name] : [];
    for (const [at, text] of all.entries()) {
      if (at < known) continue;
      record.count(text.length);
      before.push(text);
      list.push(more[at]);
    }
    native[name] = list;
    texts.set(name, before);
  }
}

/**
 * Takes over members that say something, and merges objects member by member: a signature in one is never lost.
 *
 * @param target An object of one's own: it and the objects in it are changed.
 */
export function mergeKnown(target: JsonObject, source: JsonObject): void {
  for (const name in source) {
    const value = source[name];
    if (value === null || value === undefined || value === '') continue;
    const before = Object.hasOwn(target, name) ? target[name] : undefined;
    if (isJsonObject(before) && isJsonObject(value)) mergeKnown(before, value);
    else setMember(target, name, typeof value === 'object' ? structuredClone(value) : value);
  }
}

function lengthOf(value: unknown): number {
  return typeof value === 'object' ? JSON.stringify(value).length : String(value).length;
}
