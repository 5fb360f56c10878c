import type { AssembledTurn, Turn } from '../src/index.ts';
import type { Service } from './service.ts';

/**
 * What one wire format brings to the demo.
 *
 * @typeParam Entry A message of its history, as its official client takes it.
 */
export interface Wire<Entry> {
  /** The local provider that speaks it. */
  readonly service: Service;
  /** Where the real service is. */
  readonly live: LiveService;
  /** Makes the official client. */
  connect(access: Access): Client<Entry>;
}

/** The real service of a wire. */
export interface LiveService {
  /** The environment variable that holds the key. */
  readonly keyVariable: string;
  /** The environment variable that says where else the service is. */
  readonly urlVariable: string;
  readonly url: string;
  /** The model that is asked unless another is named. */
  readonly model: string;
}

/** What a client needs to reach a service. */
export interface Access {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
  /** How often a request that failed for a moment is sent again; as the official client likes it by default. */
  readonly maxRetries?: number;
}

/** What of a turn has to be known to answer its calls. */
export type Answered<Entry> = Pick<AssembledTurn<Entry>, 'status' | 'blocks' | 'entries' | 'toolCalls'>;

/** An official client, and how its wire writes a history. */
export interface Client<Entry> {
  /** Sends a history, and reads the answer. */
  send(history: readonly Entry[], signal: AbortSignal): Turn<Entry>;
  /** A message of the person. */
  user(text: string): Entry;
  /** Runs all calls of a turn that {@link send} gave; what they gave, in as many messages as the wire wants. */
  results(turn: Answered<Entry>): readonly Entry[];
  /** What clients usually do to an answer that goes back. */
  readonly mistakes: readonly Mistake<Entry>[];
}

/** One usual mistake. */
export interface Mistake<Entry> {
  /** What is done, as the end of a sentence. */
  readonly title: string;
  /** Makes it in a history that was right. */
  make(history: readonly Entry[]): readonly Entry[];
}
