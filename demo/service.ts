import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../src/core/json-object.ts';
import type { SentAnswer } from './compare.ts';
import type { Frame, FrameOptions } from './frames.ts';
import type { Block, Message, Refusal } from './messages.ts';

/** A wire format from the side of the service: how its requests are read, its answers cut, and its errors written. */
export interface Service {
  /** The path of the client's `baseURL`. */
  readonly basePath: string;
  /** Matches where below it requests go. */
  readonly endpoint: RegExp;
  /** The header that numbers the answers, if the service has one. */
  readonly requestIdHeader?: string;
  /** What it answers, in order. */
  readonly answers: readonly Answer[];
  /** Says why it would not read a request with these headers; null if it would. */
  findWrongHeader(headers: IncomingHttpHeaders): Refusal | null;
  /** Reads what a request says outside its history. */
  readHead(address: URL, body: JsonObject): RequestHead;
  /** How the history of a request is written. */
  readonly history: HistoryShape;
  /** Whether an element of the history has the shape that {@link HistoryShape.shape} names. */
  isMessage(value: unknown): boolean;
  /** Reads elements that have that shape, as the model is given them. */
  readMessages(sources: readonly string[]): Message[];
  /**
   * Says why the service refuses messages that continue its own answers; null if it accepts them.
   *
   * @param sent The answers that were given, in order; the n-th assistant message replays the n-th of them.
   */
  verify(messages: readonly Message[], sent: readonly SentAnswer[]): Refusal | null;
  /** The body of a refusal. */
  errorBody(refusal: Refusal, requestId: string): object;
}

/** What a request says outside its history; a member that it lacks is undefined. */
export interface RequestHead {
  readonly model: unknown;
  readonly isStreaming: boolean;
}

/** How a wire writes a history. */
export interface HistoryShape {
  /** The member of a request that holds it: `messages`. */
  readonly field: string;
  /** What one of its elements is called: `message`. */
  readonly unit: string;
  /** What such an element has to be, as the end of a sentence: `a message with role and content`. */
  readonly shape: string;
}

/** Reads the head of a request that has model and stream in its body. */
export function headInBody(_address: URL, { model, stream }: JsonObject): RequestHead {
  return { model, isStreaming: stream === true };
}

/** The history of a wire that has messages. */
export const messageHistory: HistoryShape = {
  field: 'messages',
  unit: 'message',
  shape: 'a message with role and content',
};

/** One answer of a service. */
export interface Answer {
  /** The blocks that must come back, as {@link Service.readMessages} reads them. */
  readonly blocks: readonly Block[];
  /** The event stream, message by message. */
  frames(options: FrameOptions): Frame[];
}
