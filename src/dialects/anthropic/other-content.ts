import { isJsonObject, type JsonObject, setMember } from '../../core/json-object.ts';
import { safeView } from '../../core/safe-view.ts';
import { readToolInput } from '../../text/tool-input.ts';
import { rememberSource } from '../../text/verbatim-json.ts';
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
 * It is kept verbatim, to the source text of its numbers, and known deltas do to it what they do elsewhere. After a
 * delta of which nothing can be made it is not what the provider sent any more, and says so.
 */
export function createOtherContent({ record, block, native, sourceOf }: ContentContext): BlockContent {
  let isFaithful = true;
  let isWhole = true;
  let inputText = '';
  const citations: unknown[] = Array.isArray(native['citations']) ? [...native['citations']] : [];

  return {
    begin() {
      const source = sourceOf();
      if (source !== undefined) rememberSource(native, source);
    },
    grow(type, delta, length) {
      isWhole = false;
      record.count(length);
      return applyKnown(type, delta) || lose();
    },
    lose,
    finish() {
      if (!isWhole) settle();
      show();
      return isFaithful ? 'finished' : 'unfaithful';
    },
    cut: show,
  };

  function applyKnown(type: unknown, delta: JsonObject): boolean {
    const member = typeof type === 'string' && Object.hasOwn(appended, type) ? appended[type] : undefined;
    if (member !== undefined) return append(member, delta[member]);
    if (type === 'citations_delta') return cite(delta['citation']);
    if (type === 'compaction_delta') return assign(delta);
    if (type !== 'input_json_delta' || typeof delta['partial_json'] !== 'string') return false;
    inputText += delta['partial_json'];
    return true;
  }

  function append(member: string, text: unknown): boolean {
    if (typeof text !== 'string') return false;
    native[member] = typeof native[member] === 'string' ? native[member] + text : text;
    return true;
  }

  function cite(citation: unknown): boolean {
    if (!isJsonObject(citation)) return false;
    citations.push(citation);
    return true;
  }

  /** A compaction comes whole in one delta, which may hold nulls: it assigns. */
  function assign({ type: _type, ...members }: JsonObject): true {
    for (const [name, value] of Object.entries(members)) setMember(native, name, value);
    return true;
  }

  function lose(): false {
    isFaithful = false;
    return false;
  }

  function settle(): void {
    if (citations.length > 0) native['citations'] = citations;
    if (inputText.trim() === '') return;
    const input = readToolInput(inputText, record.limits.inputDepth);
    if (input.isValid) native['input'] = input.value;
    else isFaithful = false;
  }

  function show(): void {
    if (!block.redacted) record.show(block, 'block_content', safeView(native));
  }
}
