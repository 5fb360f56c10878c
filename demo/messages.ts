import type { JsonObject } from '../src/core/json-object.ts';

/** A part of a message that is compared by itself. */
export interface Block {
  /** As the model's own service sees it, whatever stands between: `thinking`, `redacted_thinking`, `text`, `tool_use`. */
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
  readonly role: string;
  readonly content: readonly Block[];
}

/** What a request is refused with. */
export interface Refusal {
  /** The HTTP status. */
  readonly status: number;
  /** The provider's word for the kind of error. */
  readonly type: string;
  /** The provider's sentence. */
  readonly message: string;
}

/** Makes the refusal of a request that is wrong in itself. */
export function invalidRequest(message: string): Refusal {
  return { status: 400, type: 'invalid_request_error', message };
}
