import type { TurnError } from './errors.ts';
import type { UiError } from './turn-event.ts';

/**
 * What a person may be told of an error: what happened, and whether another try may help.
 *
 * Never an excerpt of the stream, of the request or of a failure's own text: a signature may stand in the first, a key
 * in the others. What the provider itself says of its error is for people to read, and is told.
 */
export function describeError(error: TurnError): UiError {
  const retryable = 'retryable' in error ? error.retryable : undefined;
  return { code: error.code, message: messageFor(error), ...(retryable !== undefined && { retryable }) };
}

function messageFor(error: TurnError): string {
  switch (error.code) {
    case 'http_status':
      return `The provider answered with HTTP status ${error.status}.`;
    case 'not_event_stream':
      return 'The answer is no event stream.';
    case 'transport':
      return 'The connection failed before the turn was over.';
    case 'wire_format':
      return 'The stream cannot be read.';
    case 'provider_error':
      return `The provider reported ${error.type ?? 'an error'}${error.said === null ? '' : `: ${error.said}`}`;
    case 'limit_exceeded':
    case 'idle_timeout':
      return error.message;
  }
}
