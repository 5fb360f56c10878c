import { LimitExceededError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject, setMember } from '../../core/json-object.ts';
import type { TurnWriter } from '../../core/turn-record.ts';

/** One entry of `reasoning_details`, as it goes back. */
export interface ReasoningDetail {
  /** The entry; changed while the stream lasts. */
  readonly native: JsonObject;
  /** What it is for merging: its `type`, or what its members say where it has none. */
  readonly type: string;
  /** True as soon as a whole object came after it: then it takes no more text. */
  isClosed: boolean;
}

/** The text that a fragment adds to what is shown, and the entry it belongs to. */
export interface ShownDetail {
  readonly detail: ReasoningDetail;
  readonly text: string;
}

/** The `reasoning_details` of one message, put together from their fragments. */
export interface ReasoningDetails {
  /** True once the field came, even as an empty array: that is not the same as no field. */
  readonly isPresent: boolean;
  /** In order of arrival; without the openers and keep-alives that never got anything. */
  readonly details: readonly ReasoningDetail[];
  /** Takes the fragments of one delta; returns what of them can be shown. */
  push(fragments: readonly unknown[]): readonly ShownDetail[];
}

/** The member that holds the text of a detail that comes in fragments. */
const textMembers: Readonly<Record<string, string>> = {
  'reasoning.text': 'text',
  'reasoning.summary': 'summary',
};

function textMemberOf(type: string): string | undefined {
  return Object.hasOwn(textMembers, type) ? textMembers[type] : undefined;
}

/** Members that veto a merge when both sides have one and they differ. */
const identity = ['id', 'format', 'index'] as const;

/**
 * Makes the merger of one message.
 *
 * Fragments of text and of summaries join by type and index, with id and format as vetoes; encrypted and unknown ones
 * are whole; a signature that comes alone belongs to the newest text that fits, whatever came in between. Nothing is
 * sorted, renumbered or invented.
 *
 * @param isCumulative For servers that send the whole text so far in each fragment.
 * @see https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks
 */
export function createReasoningDetails(record: TurnWriter, isCumulative: boolean): ReasoningDetails {
  const entries: ReasoningDetail[] = [];
  /** What came whole, as text: a retransmission is told from a second one. */
  const wholeTexts = new Set<string>();
  let isPresent = false;

  return {
    get isPresent() {
      return isPresent;
    },
    get details() {
      return entries.filter(hasContent);
    },
    push(fragments) {
      isPresent = true;
      const shown: ShownDetail[] = [];
      for (const fragment of fragments) {
        if (isJsonObject(fragment)) take(fragment, shown);
        else record.warn('malformed_event', 'A reasoning detail is no object; it is ignored');
      }
      return shown;
    },
  };

  function take(fragment: JsonObject, shown: ShownDetail[]): void {
    const type = typeOf(fragment);
    const member = textMemberOf(type);
    if (member === undefined) return takeWhole(fragment, type);
    if (isSignatureAlone(fragment, type)) return takeSignature(fragment);
    const detail =
      findOpen(fragment, type) ?? append({ ...fragment, ...(member in fragment && { [member]: '' }) }, type);
    const text = growText(detail, fragment, member);
    if (text !== '') shown.push({ detail, text });
  }

  /** Appends a fragment's text to its entry, fills what the entry lacked, and returns what is new of the text. */
  function growText({ native }: ReasoningDetail, fragment: JsonObject, member: string): string {
    const before = stringOf(native[member]);
    if (isSet(fragment[member]) && typeof fragment[member] !== 'string') {
      record.warn('malformed_event', 'A reasoning detail has a text that is none; it is ignored');
    }
    const piece = stringOf(fragment[member]);
    const text = isCumulative && piece.startsWith(before) ? piece.slice(before.length) : piece;
    fill(native, fragment, member);
    if (member in fragment) native[member] = before + text;
    return text;
  }

  /** An encrypted entry, or one of a type nobody knows: never joined with another. */
  function takeWhole(fragment: JsonObject, type: string): void {
    const text = canonicalText(fragment);
    if (wholeTexts.has(text)) return;
    wholeTexts.add(text);
    record.count(text.length);
    const superseded = type === 'reasoning.encrypted' ? findItem(fragment) : undefined;
    if (superseded) {
      wholeTexts.delete(canonicalText(superseded.native));
      entries.splice(entries.indexOf(superseded), 1);
    }
    for (let place = entries.length - 1; place >= 0 && !entries[place]?.isClosed; place -= 1) close(entries[place]);
    append({ ...fragment }, type);
  }

  function findItem(fragment: JsonObject): ReasoningDetail | undefined {
    return entries.find(({ type, native }) => type === 'reasoning.encrypted' && isSameItem(native, fragment));
  }

  function takeSignature(fragment: JsonObject): void {
    record.count(stringOf(fragment['signature']).length);
    const newest = entries.findLast(({ type, native }) => type === 'reasoning.text' && isCompatible(native, fragment));
    const signature = newest && stringOf(newest.native['signature']);
    if (newest && signature === '') return fill(newest.native, fragment, 'text');
    if (signature !== fragment['signature']) append({ ...fragment }, 'reasoning.text');
  }

  /** The entry that a text fragment goes on with. */
  function findOpen(fragment: JsonObject, type: string): ReasoningDetail | undefined {
    const newest = entries.findLast((entry) => entry.type === type && isCompatible(entry.native, fragment));
    if (!newest || newest.isClosed || stringOf(newest.native['signature']) !== '') return undefined;
    const isKeyed = [newest.native, fragment].some(({ id, index }) => isSet(id) || isSet(index));
    return isKeyed || newest === entries.at(-1) ? newest : undefined;
  }

  function append(native: JsonObject, type: string): ReasoningDetail {
    if (entries.length >= record.limits.blocks) throw new LimitExceededError('blocks', record.limits.blocks);
    const entry: ReasoningDetail = { native, type, isClosed: false };
    entries.push(entry);
    return entry;
  }
}

function close(entry: ReasoningDetail | undefined): void {
  if (entry) entry.isClosed = true;
}

/** Takes over what an entry has not: the first value of its identity, the last one of everything else. */
function fill(native: JsonObject, fragment: JsonObject, textMember: string): void {
  for (const name in fragment) {
    const value = fragment[name];
    if (name === textMember || name === 'type' || value === native[name]) continue;
    const isFirstOnly = name === 'id' || name === 'format' || name === 'index';
    if (isSet(value) && value !== '' && !(isFirstOnly && isSet(native[name]))) setMember(native, name, value);
  }
}

function typeOf({ type, data, summary }: JsonObject): string {
  if (typeof type === 'string') return type;
  // MiniMax's own servers leave it out; what is stored gets none either.
  if (isSet(data)) return 'reasoning.encrypted';
  return isSet(summary) ? 'reasoning.summary' : 'reasoning.text';
}

function isSignatureAlone({ signature, text }: JsonObject, type: string): boolean {
  return type === 'reasoning.text' && stringOf(signature) !== '' && stringOf(text) === '';
}

/** For each of id, format and index: equal, or one side has none. `"unknown"` is a value. */
function isCompatible(entry: JsonObject, fragment: JsonObject): boolean {
  return identity.every((name) => {
    const [a, b] = [entry[name], fragment[name]];
    return a === b || !isSet(a) || !isSet(b);
  });
}

/** An encrypted item that is sent twice: the later ciphertext is the one that counts. */
function isSameItem(entry: JsonObject, fragment: JsonObject): boolean {
  return isSet(fragment['id']) && identity.every((name) => (entry[name] ?? null) === (fragment[name] ?? null));
}

/** Whether an entry is worth sending: an opener or a keep-alive that never got text or a signature is not. */
function hasContent({ native, type }: ReasoningDetail): boolean {
  const member = textMemberOf(type);
  // Ciphertext without its data is refused.
  if (type === 'reasoning.encrypted') return stringOf(native['data']) !== '';
  return member === undefined || stringOf(native[member]) !== '' || stringOf(native['signature']) !== '';
}

/** The same text for the same members in any order. */
function canonicalText(fragment: JsonObject): string {
  const members = Object.entries(fragment).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(members);
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
