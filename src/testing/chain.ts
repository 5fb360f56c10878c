import { createHash } from 'node:crypto';
import { canonical } from './canonical.ts';

/** Where in a conversation something is said: all that stands before it. */
export interface Place {
  /** Before it in its turn. */
  readonly turn: string;
  /** Before it in the request: instructions, tools, and all that was said. */
  readonly prefix: string;
}

/** Follows a conversation, and knows at each moment what was said so far. Linear: each element is read once. */
export interface Chain {
  readonly place: Place;
  /** Says that another message begins. */
  begin(): void;
  /** Says what comes next, and who says it. */
  add(by: 'model' | 'client', content: unknown): void;
}

/**
 * Makes the chain of a conversation.
 *
 * @param head What stands before all messages.
 */
export function createChain(head: unknown): Chain {
  let prefix = hash(canonical(head));
  let turn = '';
  return {
    get place() {
      return { turn, prefix };
    },
    begin() {
      turn = '';
    },
    add(by, content) {
      const text = `${by}\n${canonical(content)}`;
      prefix = hash(`${prefix}\n${text}`);
      turn = hash(`${turn}\n${text}`);
    },
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
