import { createParser, type EventSourceMessage, type ParseError } from 'eventsource-parser';
import { LimitExceededError } from '../core/errors.ts';
import { defaultLimits, type Limits } from '../core/limits.ts';
import type { SseMessage } from '../core/sse-message.ts';
import type { Stage } from '../core/stage.ts';
import { createStrayErrorReader } from './stray-error-reader.ts';

/** Characters that are decoded at once: version 3 of the parser is quadratic in a piece whose lines end in CR alone. */
const sliceLength = 16 * 1024;

/** How much longer than its data a line may be: `data: ` and a byte order mark. */
const fieldSlack = 8;

const streaming = { stream: true } as const;
const nothing: readonly never[] = [];

/**
 * Makes the stage that reads a `text/event-stream` body: bytes or strings in, messages out.
 *
 * 1. The same bytes in any pieces give the same messages: code points, line ends and lines may be split anywhere.
 * 2. A last message without its blank line is given too, marked `unterminated`.
 * 3. An error that a server writes without `data:` – a bare JSON body, or a line `error: {…}` – becomes a message of
 *    the event `error`.
 * 4. A message longer than `limits.messageLength` is the stage's `failure`, a {@link LimitExceededError}; the messages
 *    before it are given.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export function createSseReader(limits: Partial<Limits> = {}): Stage<Uint8Array | string, SseMessage> {
  const maxLength = limits.messageLength ?? defaultLimits.messageLength;
  const decoder = new TextDecoder();
  const strayErrors = createStrayErrorReader();
  const parser = createParser({ onEvent, onError, maxBufferSize: maxLength });
  let messages: SseMessage[] = [];
  let atStart = true;
  let atEnd = false;
  /** A line that is not complete yet. Whole lines only go to the parser: version 4 drops what it cannot use of a part. */
  let pending = '';
  let failure: LimitExceededError | undefined;

  return {
    get failure() {
      return failure;
    },
    push(chunk) {
      if (typeof chunk === 'string') readString(chunk);
      else readBytes(chunk);
      return take();
    },
    flush() {
      readText(decoder.decode());
      // A carriage return at the very end is a line end; anything else there is half a line, and ends with the bytes.
      const isLine = pending.endsWith('\r');
      if (isLine) feed(`${pending}\n`);
      atEnd = true;
      feed(isLine ? '\n\n' : `${pending}\n\n`);
      return take();
    },
  };

  function take(): readonly SseMessage[] {
    if (messages.length === 0) return nothing;
    const taken = messages;
    messages = [];
    return taken;
  }

  function readBytes(bytes: Uint8Array): void {
    // A view for each of many small chunks would cost more than to decode them.
    if (bytes.length <= sliceLength) return readText(decoder.decode(bytes, streaming));
    for (let start = 0; start < bytes.length && !failure; start += sliceLength) {
      readText(decoder.decode(bytes.subarray(start, start + sliceLength), streaming));
    }
  }

  function readString(text: string): void {
    readText(decoder.decode());
    for (let start = 0; start < text.length && !failure; start += sliceLength) {
      readText(text.slice(start, start + sliceLength));
    }
  }

  function readText(text: string): void {
    if (text === '') return;
    const skipped = atStart && text.charCodeAt(0) === 0xfeff ? 1 : 0;
    atStart = false;
    const end = endOfLastLine(text);
    if (end === 0) pending += text.slice(skipped);
    else if (end === text.length) readLines(text.slice(skipped));
    else {
      readLines(text.slice(skipped, end));
      pending = text.slice(end);
    }
    if (pending.length > maxLength + fieldSlack) exceed();
  }

  function readLines(lines: string): void {
    const complete = pending === '' ? lines : pending + lines;
    pending = '';
    feed(complete);
  }

  function feed(text: string): void {
    if (!failure) parser.feed(text);
  }

  function exceed(): void {
    failure ??= new LimitExceededError('messageLength', maxLength);
  }

  function onEvent(message: EventSourceMessage): void {
    if (message.data.length > maxLength) exceed();
    if (!failure) messages.push(atEnd ? { ...message, unterminated: true } : message);
  }

  function onError(error: ParseError): void {
    if (error.type === 'max-buffer-size-exceeded') exceed();
    if (failure || error.type !== 'unknown-field') return;
    const data = strayErrors.read(error.line ?? '');
    if (data !== undefined) messages.push({ event: 'error', data });
  }
}

/**
 * The index behind the last line end, 0 if there is none. A carriage return at the very end is none yet: a line feed
 * may follow.
 */
function endOfLastLine(text: string): number {
  if (text.endsWith('\n')) return text.length;
  const lineFeed = text.lastIndexOf('\n');
  // Searched forward from there: `lastIndexOf` would walk the whole text, which hardly ever has one.
  if (text.indexOf('\r', lineFeed + 1) === -1) return lineFeed + 1;
  // A negative start would be taken for 0.
  const carriageReturn = text.length === 1 ? -1 : text.lastIndexOf('\r', text.length - 2);
  return Math.max(lineFeed, carriageReturn) + 1;
}
