import { isJsonObject } from '../../core/json-object.ts';
import { safeView } from '../../core/safe-view.ts';
import type { BlockContent, ContentContext } from './content-block.ts';

/** A text, with its citations. */
export function createTextContent({ record, block, native }: ContentContext): BlockContent {
  const citations: unknown[] = Array.isArray(native['citations']) ? [...native['citations']] : [];

  function settle(): void {
    native['text'] = block.text;
    if (citations.length > 0) native['citations'] = citations;
  }

  function showCitation(citation: unknown): void {
    record.show(block, 'citation', safeView(citation));
  }

  return {
    begin() {
      if (typeof native['text'] === 'string') record.grow(block, native['text']);
      for (const citation of citations) showCitation(citation);
    },
    grow(type, delta, length) {
      if (type === 'text_delta') return growText(delta['text']);
      if (type !== 'citations_delta' || !isJsonObject(delta['citation'])) return false;
      record.count(length);
      citations.push(delta['citation']);
      showCitation(delta['citation']);
      return true;
    },
    lose: () => false,
    finish() {
      settle();
      return 'finished';
    },
    cut: settle,
  };

  function growText(text: unknown): boolean {
    if (typeof text === 'string') record.grow(block, text);
    return typeof text === 'string' || text === undefined || text === null;
  }
}
