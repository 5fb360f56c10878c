import type { Client } from '../../demo/wire.ts';
import type { AssembledTurn } from '../../src/index.ts';

/** A message of the person, as a client's wire writes it. */
export function userOf<Entry>(client: Client<Entry>, text: string): Entry {
  const transcript = client.begin();
  transcript.user(text);
  const [message] = transcript.entries;
  if (message === undefined) throw new Error('a message was written');
  return message;
}

/** The results of a turn's calls, as a client's wire writes them. */
export function resultsOf<Entry>(client: Client<Entry>, turn: AssembledTurn<Entry>): readonly Entry[] {
  const transcript = client.begin();
  transcript.commit(turn);
  const before = transcript.entries.length;
  transcript.answer(transcript.pending.map((call) => client.run(call)));
  return transcript.entries.slice(before);
}
