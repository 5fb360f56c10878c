import type { JsonObject } from '../core/json-object.ts';

/** The smallest thing that is compared by itself: a block, an item, a part. */
export interface Unit {
  /** Where it stands in the request, as the provider writes it. */
  readonly path: string;
  readonly kind: 'reasoning' | 'text' | 'call' | 'other';
  /** All of it but its seal. */
  readonly content: JsonObject;
  /** Its signature or ciphertext. */
  readonly seal?: string | undefined;
  /** The name by which it is known: of a call, its id. */
  readonly id?: string | undefined;
  /** Its own id, beside that of a call, on a wire that has both. */
  readonly itemId?: string | undefined;
}

/** What the model says in one turn, or the client between two. */
export interface Message {
  readonly by: 'model' | 'client';
  readonly path: string;
  readonly units: readonly Unit[];
  /** Whether the client only answers calls, so that a tool cycle goes on. */
  readonly isResults: boolean;
}

/** What of a request is signed for. */
export interface Conversation {
  /** What stands before all messages: instructions, tools. */
  readonly head: unknown;
  readonly messages: readonly Message[];
}

/** The place among the messages where the tool cycle begins that the request goes on with; their number if none is. */
export function openCycleStart(messages: readonly Message[]): number {
  const last = messages.at(-1);
  if (!last || (last.by === 'client' && !last.isResults)) return messages.length;
  return messages.findLastIndex(({ by, isResults }) => by === 'client' && !isResults) + 1;
}
