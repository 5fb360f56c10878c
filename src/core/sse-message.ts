/**
 * One message of a `text/event-stream` body: the fields that stood between two blank lines.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export interface SseMessage {
  /** The value of the `data` lines, joined by line feeds. */
  readonly data: string;
  /** The value of the `event` line, if there was one. */
  readonly event?: string | undefined;
  /** The value of the `id` line, if there was one. */
  readonly id?: string | undefined;
  /**
   * True for a message whose closing blank line never came, because the bytes ended. Its data may be half of what was
   * meant.
   */
  readonly unterminated?: true;
}
