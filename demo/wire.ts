import type { ToolCall, Transcript, Turn } from '../src/index.ts';
import type { ToolResult } from '../src/responses.ts';
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

/** An official client, and how its wire writes a history. */
export interface Client<Entry> {
  /** Sends a history, and reads the answer. */
  send(history: readonly Entry[], signal: AbortSignal): Turn<Entry>;
  /** Begins the history of a conversation, as this wire writes it. */
  begin(): Transcript<Entry, Entry>;
  /** Runs a call of a turn that {@link send} gave. */
  run(call: ToolCall): ToolResult;
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
