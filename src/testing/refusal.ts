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
  /** The member of the request that it names, if it names one. */
  readonly param?: string;
  /** Who said it, where a gateway passes it on. */
  readonly upstream?: string;
  /** Seconds after which to try again. */
  readonly retryAfter?: number | undefined;
}

/** Makes the refusal of a request that is wrong in itself. */
export function invalidRequest(message: string): Refusal {
  return { status: 400, type: 'invalid_request_error', message };
}
