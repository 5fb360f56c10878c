import fc from 'fast-check';
import {
  type AssembledTurn,
  assembleTurn,
  createTranscript,
  type SealPolicy,
  type Transcript,
} from '../../src/index.ts';
import { type ScriptedBlock, type ScriptedTurn, type StrictProvider, strictProvider } from '../../src/testing.ts';
import { post, type Side } from './sides.ts';

/** One request, and what becomes of its answer and of the history. */
export interface Step {
  readonly turn: ScriptedTurn;
  readonly end: 'complete' | 'cut' | 'aborted';
  /** How much of the answer comes, where not all of it does. */
  readonly share: number;
  readonly policy: SealPolicy;
  readonly cutText: 'drop' | 'keep';
  /** What is done to the history behind a closed cycle, where signatures are not bound to it. */
  readonly shorten: 'no' | 'trim' | 'without_reasoning';
}

const word = fc.constantFrom('tide', 'rain ', ' a', '\n', 'ü', '🌊', 'road"', '\\', 'x');
const text = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(''));
const input = fc.constantFrom('{}', '{"city": "Harlow"}', '{"n":1.0,"b":[true,null]}', '{"2":"x","1":{"a":"🌊"}}');
const tool = fc.constantFrom('weather', 'tides', 'roads');
const block: fc.Arbitrary<ScriptedBlock> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ reasoning: text }) },
  { weight: 1, arbitrary: fc.record({ redacted: text }) },
  { weight: 2, arbitrary: fc.record({ text }) },
  { weight: 3, arbitrary: fc.record({ call: tool, input }) },
);

/** Conversations: parallel calls, interleaved reasoning, answers that are cut or stopped, histories that are shortened. */
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record<Step>({
    turn: fc.array(block, { minLength: 1, maxLength: 6 }),
    end: fc.constantFrom('complete', 'complete', 'complete', 'cut', 'aborted'),
    share: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
    policy: fc.constantFrom('drop', 'keep_text', 'keep_finished'),
    cutText: fc.constantFrom('drop', 'keep'),
    shorten: fc.constantFrom('no', 'no', 'trim', 'without_reasoning'),
  }),
  { minLength: 1, maxLength: 8 },
);

/** A conversation that was had. */
export interface Had<Entry, Item> {
  readonly provider: StrictProvider;
  readonly transcript: Transcript<Entry, Item>;
  readonly turns: readonly AssembledTurn<Entry>[];
}

/** Has a conversation through a transcript. Throws what the provider says as soon as it refuses. */
export async function have<Entry, Item>(
  side: Side<Entry, Item>,
  plan: readonly Step[],
  bindPrefix: boolean,
): Promise<Had<Entry, Item>> {
  let script: ScriptedTurn = [{ text: 'Goodbye.' }];
  const provider = strictProvider(side.dialect, { secret: 'random', bindPrefix, script: () => script });
  const turns: AssembledTurn<Entry>[] = [];
  let transcript = createTranscript(side.dialect);
  for (const step of plan) {
    script = step.turn;
    if (!transcript.isCycleOpen) transcript.user('And now?');
    const turn = await oneTurn(side, provider, transcript.entries, step);
    turns.push(turn);
    transcript.commit(turn, { ifInterrupted: step.policy, cutText: step.cutText });
    const results = transcript.pending.map(({ id, name }, at) => ({ id, content: `${name} ${at}`, isError: at > 1 }));
    if (results.length > 0) transcript.answer(results);
    else if (!transcript.isCycleOpen && !bindPrefix) transcript = shortened(transcript, step);
  }
  if (!transcript.isCycleOpen) transcript.user('And now?');
  return { provider, transcript, turns };
}

async function oneTurn<Entry, Item>(
  side: Side<Entry, Item>,
  provider: StrictProvider,
  history: readonly Item[],
  { end, share }: Step,
): Promise<AssembledTurn<Entry>> {
  const response = await post(provider, side, side.bodyOf(history));
  const answer = await response.text();
  if (!response.ok) throw new Error(`Refused: ${answer} ${JSON.stringify(history)}`);
  if (end === 'complete') return assembleTurn(bodyOf(answer), side.dialect).settled();
  const part = answer.slice(0, Math.floor(answer.length * share));
  if (end === 'cut') return assembleTurn(bodyOf(part), side.dialect).settled();
  const stop = new AbortController();
  const turn = assembleTurn(thenSilence(part), side.dialect, { signal: stop.signal });
  setTimeout(() => stop.abort(), 1);
  return turn.settled();
}

function bodyOf(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}

async function* thenSilence(text: string): AsyncGenerator<string> {
  yield text;
  await new Promise((resolve) => setTimeout(resolve, 20));
}

function shortened<Entry, Item>(transcript: Transcript<Entry, Item>, { shorten }: Step): Transcript<Entry, Item> {
  if (shorten === 'trim') return transcript.trim({ keepCycles: 1 });
  return shorten === 'without_reasoning' ? transcript.withoutReasoning() : transcript;
}
