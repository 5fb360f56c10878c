import type { OperatorFunction } from 'rxjs';
import type { BytesLike } from '../core/bytes.ts';
import type { Limits } from '../core/limits.ts';
import type { SseMessage } from '../core/sse-message.ts';
import { createSseReader } from '../text/sse-reader.ts';
import { lift } from './lift.ts';

/** Options of {@link sseMessages}. */
export interface SseMessagesOptions {
  /** Limits that differ from the defaults: `messageLength`. */
  readonly limits?: Partial<Limits> | undefined;
}

/**
 * Reads a `text/event-stream` body: chunks in, messages out.
 *
 * The same bytes in any chunks give the same messages. A last message without its blank line is given too, marked
 * `unterminated`. A message longer than `limits.messageLength` fails the stream with a `LimitExceededError`.
 *
 * @example
 * ```ts
 * fromResponse(response).pipe(sseMessages()).subscribe(({ event, data }) => log(event, data));
 * ```
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export function sseMessages({ limits }: SseMessagesOptions = {}): OperatorFunction<BytesLike | string, SseMessage> {
  return lift(() => createSseReader(limits));
}
