import { isJsonObject, type JsonObject } from './json-object.ts';
import { defaultLimits } from './limits.ts';
import { plainHeaders } from './plain-headers.ts';
import { type ProviderError, providerError, readProviderError } from './provider-error.ts';
import { excerpt, WholeturnError } from './wholeturn-error.ts';

/**
 * The provider refused the request: its answer has a status outside 200–299.
 *
 * The message holds the status and what the provider said, as far as its body is the usual JSON.
 */
export class HttpStatusError extends WholeturnError {
  override readonly name = 'HttpStatusError';
  readonly code = 'http_status';
  /** The HTTP status, such as 529. */
  readonly status: number;
  /** The answer's headers, with names in lower case: `retry-after`, `request-id`, … */
  readonly headers: Readonly<Record<string, string>>;
  /** The start of the answer's body, at most `limits.errorBodyBytes`. */
  readonly body: string;
  /** Whether the same request may succeed later: 408, 409, 429 and 5xx. */
  readonly retryable: boolean;

  constructor(status: number, headers: Readonly<Record<string, string>>, body: string, options?: ErrorOptions) {
    super(`The provider answered with HTTP status ${status}${describeBody(body)}`, options);
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.retryable = status === 408 || status === 409 || status === 429 || status >= 500;
  }
}

/** What came is no event stream, so it was not read: its `content-type` says something else, or it is no response. */
export class NotEventStreamError extends WholeturnError {
  override readonly name = 'NotEventStreamError';
  readonly code = 'not_event_stream';
  /** The `content-type` header as it came; empty for what is no response. */
  readonly contentType: string;
  /** The start of the body, at most `limits.errorBodyBytes`. */
  readonly body: string;

  /**
   * @param met What came instead, such as `content type text/html`.
   * @param answer Its content type and the start of its body, if it is an answer.
   */
  constructor(met: string, { contentType = '', body = '' }: { contentType?: string; body?: string } = {}) {
    const wayOut = contentType === '' ? '' : ' If its body is an event stream all the same, pass `response.body`.';
    super(`Expected an event stream, got ${met}${describeBody(body)}. ${askForStream(body)}${wayOut}`);
    this.contentType = contentType;
    this.body = body;
  }
}

/** The source broke: a reset connection, a body that failed while it was read, a request that never got an answer. */
export class TransportError extends WholeturnError {
  override readonly name = 'TransportError';
  readonly code = 'transport';
  /** Whether the same request may succeed later; not where the cause says that it was wrong in itself. */
  readonly retryable: boolean;

  constructor(cause: unknown) {
    const retryable = attempt(() => !isMisuse(cause), true);
    const advice = retryable ? ' Send the request again.' : '';
    super(`The connection failed before the turn was over: ${messageOf(cause)}.${advice}`, { cause });
    this.retryable = retryable;
  }
}

/** Codes of failures that another try does not mend: a wrong address, a body that was read already, a missing file. */
const misuseCodes = new Set([
  'ERR_INVALID_URL',
  'ERR_INVALID_STATE',
  'ERR_INVALID_ARG_TYPE',
  'ENOENT',
  'EACCES',
  'EISDIR',
]);

/** Failures of `fetch` that have no code, and that another try does not mend either. */
const misuseMessage = /invalid (header|url)|parse url/i;

function isMisuse(cause: unknown): boolean {
  const { code, cause: inner } = Object(cause) as { code?: unknown; cause?: unknown };
  const { code: innerCode } = Object(inner) as { code?: unknown };
  return [code, innerCode].some((known) => misuseCodes.has(String(known))) || misuseMessage.test(messageOf(cause));
}

/** Something on the wire cannot be read, so a piece of the turn is lost. */
export class WireFormatError extends WholeturnError {
  override readonly name = 'WireFormatError';
  readonly code = 'wire_format';
  /** The start of what could not be read. */
  readonly data: string;

  constructor(problem: string, data: string, options?: ErrorOptions) {
    super(`${problem}: ${JSON.stringify(excerpt(data, 200))}. Keep the stream's bytes and report it.`, options);
    this.data = excerpt(data, 2000);
  }
}

/** Something grew past its limit, so the turn was stopped. */
export class LimitExceededError extends WholeturnError {
  override readonly name = 'LimitExceededError';
  readonly code = 'limit_exceeded';
  /** Which limit, by its name in {@link Limits}. */
  readonly limit: string;
  /** The limit's value. */
  readonly value: number;

  constructor(limit: string, value: number) {
    super(`The stream exceeds the limit ${limit} of ${value}. Raise it with \`limits: { ${limit}: … }\`.`);
    this.limit = limit;
    this.value = value;
  }
}

/** No byte came for as long as the caller was willing to wait. */
export class IdleTimeoutError extends WholeturnError {
  override readonly name = 'IdleTimeoutError';
  readonly code = 'idle_timeout';
  /** How long it was waited for, in milliseconds. */
  readonly milliseconds: number;
  /** Always true: the next attempt may answer. */
  readonly retryable = true;

  constructor(milliseconds: number) {
    super(`The stream was silent for ${milliseconds} ms. Send the request again, or raise \`idleTimeout\`.`);
    this.milliseconds = milliseconds;
  }
}

/** All that a turn can fail with; `error.code` tells them apart, for TypeScript too. */
export type TurnError =
  | HttpStatusError
  | NotEventStreamError
  | TransportError
  | WireFormatError
  | ProviderError
  | LimitExceededError
  | IdleTimeoutError;

/** Tells whether a failure is the caller's own abort, as `fetch` and the SDKs report it. */
export function isAbort(cause: unknown): boolean {
  return cause instanceof Error && (cause.name === 'AbortError' || cause.name === 'APIUserAbortError');
}

/** Tells whether an error is one of those that a turn can fail with. */
export function isTurnError(cause: unknown): cause is TurnError {
  return cause instanceof WholeturnError && cause.code !== 'turn_interrupted';
}

/**
 * Makes one of this library's errors of whatever a source failed with. Never throws, whatever the failure is made of.
 *
 * An official SDK throws its own `APIError` for a refused request (it has a status) and for an error event in the
 * stream (it has none); both become what they would have been without the SDK, as far as it tells: that of Google keeps
 * no headers. The original is kept as `cause`.
 */
export function toTurnError(cause: unknown): TurnError {
  return isTurnError(cause) ? cause : (attempt(() => fromSdkError(cause), undefined) ?? new TransportError(cause));
}

function fromSdkError(cause: unknown): TurnError | undefined {
  const { status, error, headers } = Object(cause) as { status?: unknown; error?: unknown; headers?: unknown };
  const body = error === undefined ? bodyInMessage(cause) : JSON.stringify(error);
  const event = eventInMessage(body);
  if (event) return providerError(event, { cause });
  if (typeof status === 'number' && status >= 100) {
    return new HttpStatusError(status, headers instanceof Headers ? plainHeaders(headers) : {}, body, { cause });
  }
  if (isJsonObject(error) && !(error instanceof Error)) return providerError(error, { cause });
  if (typeof error === 'string') return providerError({ error }, { cause });
  // What an SDK throws for an event that it cannot parse.
  return cause instanceof SyntaxError
    ? new WireFormatError('An event of the stream is not JSON', body, { cause })
    : undefined;
}

/** An SDK that keeps the body of an answer nowhere else has it as its error's message. */
function bodyInMessage(cause: unknown): string {
  const isSaid = cause instanceof Error && cause.message !== '';
  return isSaid ? excerpt(cause.message, defaultLimits.errorBodyBytes) : messageOf(cause);
}

/** `@google/genai` puts an error event into the message of its error, and its code where the HTTP status belongs. */
function eventInMessage(message: string): JsonObject | undefined {
  const [, json] = /^got status: \w+\. (\{.*\})$/s.exec(message) ?? [];
  if (json === undefined) return undefined;
  const event: unknown = attempt(() => JSON.parse(json), undefined);
  return isJsonObject(event) && isJsonObject(event['error']) ? event : undefined;
}

/** What a step gives, or something else if it throws: a failure may be made of anything. */
function attempt<Value>(step: () => Value, otherwise: Value): Value {
  try {
    return step();
  } catch {
    return otherwise;
  }
}

function messageOf(cause: unknown): string {
  return attempt(() => {
    if (!(cause instanceof Error)) return excerpt(String(cause), 500);
    const inner = cause.cause instanceof Error ? ` (${cause.cause.message})` : '';
    return excerpt(`${(cause.message || cause.name).replace(/\.$/, '')}${inner}`, 500);
  }, 'for a reason that cannot be printed');
}

/** The provider's own sentence where the body is the usual JSON, else the body's first characters. */
function describeBody(body: string): string {
  if (body.trim() === '') return '';
  try {
    const parsed: unknown = JSON.parse(body);
    if (isJsonObject(parsed)) {
      const { type, message } = readProviderError(parsed);
      if (message !== null) return `: ${type === null ? '' : `${type}: `}${message}`;
    }
  } catch {
    // Not JSON: shown as it is.
  }
  return `: ${excerpt(body.trim(), 200)}`;
}

/**
 * Asks whether the request was for a stream at all, in the words of its provider: a JSON list is what Gemini answers with
 * otherwise.
 */
export function askForStream(body: string): string {
  return `Was the request made with \`${/^\s*\[/.test(body) ? '?alt=sse' : 'stream: true'}\`?`;
}
