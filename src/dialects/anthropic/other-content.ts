import type { JsonObject } from '../../core/json-object.ts';
import { safeView } from '../../core/safe-view.ts';
import { readToolInput } from '../../text/tool-input.ts';
import type { BlockContent, ContentContext } from './content-block.ts';

/** Deltas that append a string: their member is the block's member too. */
const appended: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
};

/**
 * A block that comes whole, or whose type nobody knows yet: redacted thinking, results of server tools, compaction, …
 *
 * It is kept verbatim, and known deltas do to it what they do elsewhere. After an unknown delta it is not what the
 * provider sent any more, and says so.
 */
export function createOtherContent({ record, block, native }: ContentContext): BlockContent {
  let isFaithful = true;
  let inputText = '';

  function append(member: string, text: unknown): void {
    if (typeof text !== 'string') return;
    record.count(text.length);
    native[member] = typeof native[member] === 'string' ? native[member] + text : text;
  }

  function cite(citation: unknown): void {
    record.count(JSON.stringify(citation ?? null).length);
    if (Array.isArray(native['citations'])) native['citations'].push(citation);
    else native['citations'] = [citation];
  }

  /** A compaction comes whole in one delta, which may hold nulls: it assigns. */
  function assign({ type: _type, ...members }: JsonObject): void {
    record.count(JSON.stringify(members).length);
    for (const [name, value] of Object.entries(members)) {
      Object.defineProperty(native, name, { value, enumerable: true, configurable: true, writable: true });
    }
  }

  function applyKnown(type: unknown, delta: JsonObject): boolean {
    const member = typeof type === 'string' && Object.hasOwn(appended, type) ? appended[type] : undefined;
    if (member !== undefined) append(member, delta[member]);
    else if (type === 'citations_delta') cite(delta['citation']);
    else if (type === 'compaction_delta') assign(delta);
    else if (type === 'input_json_delta' && typeof delta['partial_json'] === 'string')
      inputText += delta['partial_json'];
    else return false;
    return true;
  }

  function show(): void {
    if (!block.redacted) record.show(block, 'block_content', safeView(native));
  }

  return {
    begin() {},
    grow(type, delta) {
      const isKnown = applyKnown(type, delta);
      if (!isKnown) isFaithful = false;
      return isKnown;
    },
    finish() {
      if (inputText.trim() !== '') native['input'] = readToolInput(inputText, record.limits.inputDepth).value;
      show();
      return isFaithful ? 'finished' : 'unfaithful';
    },
    cut: show,
  };
}
