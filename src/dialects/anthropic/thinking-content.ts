import type { BlockContent, ContentContext } from './content-block.ts';

/**
 * Thinking, and the signature that makes it worth sending back.
 *
 * The service sends the signature in one delta; gateways were seen to send it in fragments, and twice. Fragments are
 * put together, an exact repeat is kept once.
 */
export function createThinkingContent({ record, block, native, options }: ContentContext): BlockContent {
  let signature = typeof native['signature'] === 'string' ? native['signature'] : '';
  let isFaithful = true;

  function sign(fragment: string): void {
    if (fragment === '') return;
    if (fragment === signature) {
      record.warn('repeated_signature', 'A signature came twice; it is kept once', block.index);
      return;
    }
    record.count(fragment.length);
    signature += fragment;
  }

  /** Deltas may lack their text: some only say how many tokens were thought. */
  function take(text: unknown, step: (text: string) => void): boolean {
    if (typeof text === 'string') step(text);
    return typeof text === 'string' || text === undefined || text === null || lose();
  }

  function lose(): false {
    isFaithful = false;
    return false;
  }

  function settle(): void {
    native['thinking'] = block.text;
    if (signature !== '') native['signature'] = signature;
  }

  return {
    begin() {
      if (typeof native['thinking'] === 'string') record.grow(block, native['thinking']);
    },
    grow(type, delta) {
      if (type === 'thinking_delta') return take(delta['thinking'], (text) => record.grow(block, text));
      return type === 'signature_delta' ? take(delta['signature'], sign) : lose();
    },
    lose,
    finish() {
      settle();
      if (!isFaithful) return 'unfaithful';
      return signature !== '' || options.unsignedThinking === 'keep' ? 'finished' : 'unsigned';
    },
    cut: settle,
  };
}
