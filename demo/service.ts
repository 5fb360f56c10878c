import type { IncomingHttpHeaders } from 'node:http';
import type { Frame, FrameOptions } from './frames.ts';
import type { Block, Message, Refusal } from './messages.ts';

/** A wire format from the side of the service: how its requests are read, its answers cut, and its errors written. */
export interface Service {
  /** The path of the client's `baseURL`. */
  readonly basePath: string;
  /** Where below it requests go. */
  readonly endpoint: string;
  /** The header that numbers the answers. */
  readonly requestIdHeader: string;
  /** What it answers, in order. */
  readonly answers: readonly Answer[];
  /** Says why it would not read a request with these headers; null if it would. */
  findWrongHeader(headers: IncomingHttpHeaders): Refusal | null;
  /** Whether an element of a request's `messages` has the shape of a message. */
  isMessage(value: unknown): boolean;
  /** Reads messages that have that shape, as the model is given them. */
  readMessages(sources: readonly string[]): Message[];
  /** Says what in the messages the service itself would not accept, whatever it answered before; null if nothing. */
  findMisuse(messages: readonly Message[]): string | null;
  /** The body of a refusal. */
  errorBody(refusal: Refusal, requestId: string): object;
}

/** One answer of a service. */
export interface Answer {
  /** The blocks that must come back, as {@link Service.readMessages} reads them. */
  readonly blocks: readonly Block[];
  /** The event stream, message by message. */
  frames(options: FrameOptions): Frame[];
}
