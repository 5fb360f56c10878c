import type { AssembledTurn, UiEvent } from '../src/index.ts';
import type { Client } from './wire.ts';

/** A conversation's two ends, and its watcher. */
export interface Conversation<Entry> {
  readonly client: Client<Entry>;
  /** Stops the conversation in the middle of an answer. */
  readonly signal: AbortSignal;
  /** Shows one answer while it streams; settles when it is over. */
  show(events: AsyncIterable<UiEvent>): Promise<void>;
  /** Told of each request's history before it is sent. */
  onSend?(history: readonly Entry[]): void;
}

/** How a conversation ended. */
export interface Outcome<Entry> {
  /** The last answer: an incomplete one, or one without calls. */
  readonly turn: AssembledTurn;
  /** The history of the first request that sent an answer back; undefined if none did. */
  readonly firstReplay: readonly Entry[] | undefined;
}

/** More turns than any answer to the demo's question needs. */
const maxTurns = 8;

/**
 * Asks, runs the tools, sends everything back, until an answer has no calls.
 *
 * This is the whole tool loop by hand: a transcript keeps what goes back, and says what waits for a result.
 */
export async function converse<Entry>(conversation: Conversation<Entry>, question: string): Promise<Outcome<Entry>> {
  const { client } = conversation;
  const transcript = client.begin();
  transcript.user(question);
  let firstReplay: readonly Entry[] | undefined;
  let turn = await ask(conversation, transcript.entries);
  for (let turns = 1; turn.status === 'complete' && turns < maxTurns; turns += 1) {
    transcript.commit(turn);
    if (!transcript.isCycleOpen) break;
    transcript.answer(transcript.pending.map((call) => client.run(call)));
    firstReplay ??= transcript.entries;
    turn = await ask(conversation, transcript.entries);
  }
  return { turn, firstReplay };
}

/** Sends one request and shows its answer. Never rejects for what the provider says: look at `status`. */
export async function ask<Entry>(
  { client, signal, show, onSend }: Conversation<Entry>,
  history: readonly Entry[],
): Promise<AssembledTurn<Entry>> {
  onSend?.(history);
  const turn = client.send(history, signal);
  await show(turn);
  return turn.settled();
}
