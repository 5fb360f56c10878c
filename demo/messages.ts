import type { JsonObject } from '../src/core/json-object.ts';

/** A part of a message that is compared by itself. */
export interface Block {
  /**
   * As the model's own service sees it, whatever stands between: `thinking`, `redacted_thinking`, `text`, `tool_use`. A
   * member `input` is tool input, and compared by its text.
   */
  readonly value: JsonObject;
  /** The JSON text it was read from. */
  readonly source: string;
  /** Where it stands in its message: `content.0`. */
  readonly place: string;
  /** What the wire calls it. */
  readonly type: string;
  /** Whether the service does without it. */
  readonly isOptional?: boolean;
}

/** A message of a request, as the model is given it. */
export interface Message {
  /** Where it stands in the request: `messages.1`. */
  readonly path: string;
  /** Of a message whose blocks are elements of the history themselves: where among them its first one stands. */
  readonly first?: number;
  readonly role: string;
  readonly content: readonly Block[];
}

/** Where a block stands in the request: `messages.1.content.0`, `input.4`. */
export function pathTo({ path, first }: Pick<Message, 'path' | 'first'>, place: string): string {
  return `${path}.${first === undefined ? place : first + Number(place)}`;
}

/** Whether a block is thinking, open or sealed. */
export function isThinking({ value }: Pick<Block, 'value'>): boolean {
  return value['type'] === 'thinking' || value['type'] === 'redacted_thinking';
}

/** What of a block is compared: the caller may mark one for the cache, except thinking. */
export function unmarked(value: JsonObject): JsonObject {
  if (isThinking({ value })) return value;
  const { cache_control: _mark, ...rest } = value;
  return rest;
}

/** What a request is refused with. */
export interface Refusal {
  /** The HTTP status. */
  readonly status: number;
  /** The provider's word for the kind of error. */
  readonly type: string;
  /** The provider's sentence. */
  readonly message: string;
  /** The provider's name for this very error, if it has one. */
  readonly code?: string;
  /** The part of the request that the provider names beside its sentence, if it names one. */
  readonly param?: string;
}

/** Makes the refusal of a request in which something was found; null if nothing was. */
export function refusalOf(problem: string | null): Refusal | null {
  return problem === null ? null : invalidRequest(problem);
}

/** Makes the refusal of a request that is wrong in itself. */
export function invalidRequest(message: string): Refusal {
  return { status: 400, type: 'invalid_request_error', message };
}
