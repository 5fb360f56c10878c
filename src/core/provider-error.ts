import { isJsonObject, type JsonObject } from './json-object.ts';
import { excerpt, sentence, WholeturnError } from './wholeturn-error.ts';

/** What a provider said in an error event. */
export interface ProviderErrorDetails {
  /** The provider's own word for the kind of error, such as `overloaded_error`. */
  readonly type: string | null;
  /** The provider's own sentence; null if it gave none. */
  readonly message: string | null;
  readonly requestId?: string | undefined;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The error event, as it came. */
  readonly wire: unknown;
}

/** The provider reported an error inside the stream; the HTTP status was 200. */
export class ProviderError extends WholeturnError {
  override readonly name = 'ProviderError';
  readonly code = 'provider_error';
  /** The provider's own word for the kind of error, such as `overloaded_error`, or null. */
  readonly type: string | null;
  /** The provider's own sentence, or null. */
  readonly said: string | null;
  /** The provider's id of the request, for its support. */
  readonly requestId: string | undefined;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The error event, as it came. */
  readonly wire: unknown;

  constructor(details: ProviderErrorDetails, options?: ErrorOptions) {
    const advice = details.retryable ? 'Send the request again later.' : 'Sending it again as it is will not help.';
    const said = details.message ?? excerpt(JSON.stringify(details.wire), 500);
    super(`The provider reported ${details.type ?? 'an error'} in the stream: ${sentence(said)} ${advice}`, options);
    this.said = details.message;
    this.type = details.type;
    this.requestId = details.requestId;
    this.retryable = details.retryable;
    this.wire = details.wire;
  }
}

const retryableTypes: ReadonlySet<unknown> = new Set([
  'overloaded_error',
  'rate_limit_error',
  'rate_limit_exceeded',
  'api_error',
  'timeout_error',
  'server_error',
]);

/**
 * Reads an error event in any of its shapes: `{error: {type, message}}`, `{error: "…"}` or flat `{type, message}`.
 *
 * @param wire The event, as it came.
 */
export function providerError(wire: JsonObject, options?: ErrorOptions): ProviderError {
  return new ProviderError(readProviderError(wire), options);
}

/** Reads what an error event says, in any of its shapes. */
export function readProviderError(wire: JsonObject): ProviderErrorDetails {
  const inner = isJsonObject(wire['error']) ? wire['error'] : wire;
  // A flat error event says `error` there, and its kind elsewhere.
  const kind = inner['type'] === 'error' ? undefined : inner['type'];
  const type = firstString(kind, inner['status'], inner['code']);
  const message = firstString(inner['message'], inner['detail'], wire['error'], wire['message']);
  const status = firstNumber(inner['code'], inner['status'], wire['status']);
  const words = [type, inner['code'], inner['type']];
  return {
    type,
    message,
    requestId: firstString(wire['request_id'], inner['request_id']) ?? undefined,
    retryable: words.some((word) => retryableTypes.has(word)) || status === 429 || (status ?? 0) >= 500,
    wire,
  };
}

function firstString(...values: unknown[]): string | null {
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? null;
}

/** A number, or a text that is one. */
function firstNumber(...values: unknown[]): number | null {
  const found = values.find((value) => typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value)));
  return found === undefined ? null : Number(found);
}
