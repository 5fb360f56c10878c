import { createParser, type EventSourceMessage, type ParseError } from 'eventsource-parser';
import { type BytesLike, toBytes } from '../core/bytes.ts';
import { LimitExceededError } from '../core/errors.ts';
import { type Limits, limitsWith } from '../core/limits.ts';
import type { SseMessage } from '../core/sse-message.ts';
import type { Stage } from '../core/stage.ts';
import { createStrayErrorReader } from './stray-error-reader.ts';

/** Characters that are decoded at once: version 3 of the parser is quadratic in a piece whose lines end in CR alone. */
const sliceLength = 16 * 1024;

/** How much longer than its data a line may be: `data: ` and a byte order mark. */
const fieldSlack = 8;

const byteOrderMark = 0xfeff;
const lineFeed = 0x0a;
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
export function createSseReader(limits: Partial<Limits> = {}): Stage<BytesLike | string, SseMessage> {
  const { messageLength: maxLength } = limitsWith(limits);
  const decoder = new TextDecoder();
  const strayErrors = createStrayErrorReader();
  const parser = createParser({ onEvent, onError, maxBufferSize: maxLength });
  let messages: SseMessage[] = [];
  let atStart = true;
  let afterReturn = false;
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
      else readBytes(toBytes(chunk));
      return take();
    },
    flush() {
      readText(decoder.decode());
      atEnd = true;
      feed(`${pending}\n\n`);
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
    if (text !== '') readLineEnds(text.slice(startOf(text)));
  }

  /** Skips a byte order mark, and the line feed of a pair whose carriage return was taken for a line end already. */
  function startOf(text: string): number {
    const skipped =
      (atStart && text.charCodeAt(0) === byteOrderMark) || (afterReturn && text.charCodeAt(0) === lineFeed);
    atStart = false;
    afterReturn = false;
    return skipped ? 1 : 0;
  }

  /** A carriage return at the very end is a line end at once, for nothing may follow for a long time. */
  function readLineEnds(text: string): void {
    if (!text.endsWith('\r')) return readPiece(text);
    afterReturn = true;
    const returns = text.length - text.search(/\r+$/);
    // The parser would wait behind it, so it is given the line end that it need not wait for.
    readPiece(text.slice(0, -returns) + '\n'.repeat(returns));
  }

  function readPiece(text: string): void {
    const end = endOfLastLine(text);
    if (end === 0) pending += text;
    else if (end === text.length) readLines(text);
    else {
      readLines(text.slice(0, end));
      pending = text.slice(end);
    }
    if (pending.length > maxLength + fieldSlack) exceed();
  }

  function readLines(lines: string): void {
    const complete = pending === '' ? lines : pending + lines;
    pending = '';
    // Whether a line is too long must not depend on how it was cut.
    if (complete.length > maxLength + fieldSlack) feedUpToLongLine(complete);
    else feed(complete);
  }

  function feedUpToLongLine(lines: string): void {
    let start = 0;
    for (const { 0: line, index } of lines.matchAll(/[^\r\n]+/g)) {
      if (line.length <= maxLength + fieldSlack) continue;
      feed(lines.slice(start, index));
      start = index;
      exceed();
      break;
    }
    feed(lines.slice(start));
  }

  function feed(text: string): void {
    if (!failure) parser.feed(text);
  }

  function exceed(): void {
    failure ??= new LimitExceededError('messageLength', maxLength);
  }

  function onEvent(message: EventSourceMessage): void {
    strayErrors.reset();
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

/** The index behind the last line end, 0 if there is none. The text does not end in a carriage return. */
function endOfLastLine(text: string): number {
  if (text.endsWith('\n')) return text.length;
  const end = text.lastIndexOf('\n') + 1;
  // Searched forward from there: `lastIndexOf` would walk the whole text, which hardly ever has one.
  return text.indexOf('\r', end) === -1 ? end : text.lastIndexOf('\r') + 1;
}
