import { createTranscript, type JsonObject, stringifyRequest, type Transcript } from '../../src/index.ts';
import type { ScriptedTurn, StrictProvider } from '../../src/testing.ts';
import { ask, post, type Side } from './sides.ts';

/** Two turns with calls, and an answer: interleaved and withheld reasoning, parallel calls. */
export const usualScript: readonly ScriptedTurn[] = [
  [
    { reasoning: 'Both the weather and the tides decide this.' },
    { redacted: 'withheld' },
    { text: 'I will look. ' },
    { call: 'weather', input: '{"city": "Harlow", "radius": 1.0}' },
    { reasoning: 'The tides can be looked up beside it.' },
    { call: 'tides', input: '{"city":"Harlow","days":2}' },
  ],
  [{ reasoning: 'Only the roads are left.' }, { call: 'roads', input: '{"city":"Harlow"}' }],
  [{ reasoning: 'All is known.' }, { text: 'Take the train.' }],
];

/** Talks with a provider for some turns; calls are answered. */
export async function converse<Entry, Item>(
  provider: StrictProvider,
  side: Side<Entry, Item>,
  turns: number,
): Promise<Transcript<Entry, Item>> {
  const transcript = createTranscript(side.dialect);
  transcript.user('How do I get to Harlow?');
  for (let turn = 0; turn < turns; turn += 1) {
    transcript.commit(await ask(provider, side, transcript.entries).finalTurn());
    const results = transcript.pending.map(({ id, name }) => ({ id, content: `${name}: fine` }));
    if (results.length > 0) transcript.answer(results);
  }
  return transcript;
}

/** A body that may be changed. */
export function editable(body: JsonObject): JsonObject {
  return JSON.parse(stringifyRequest(body)) as JsonObject;
}

/** What a provider answers to a body: its status, and what it says, in whichever shape. */
export async function verdictOn<Entry, Item>(
  provider: StrictProvider,
  side: Side<Entry, Item>,
  body: JsonObject,
): Promise<{ readonly status: number; readonly said: string }> {
  const response = await post(provider, side, body);
  if (response.ok) {
    await response.body?.cancel();
    return { status: response.status, said: '' };
  }
  return { status: response.status, said: await response.text() };
}

/** The object at a path of keys and places. */
export function at(value: unknown, ...path: readonly (string | number)[]): JsonObject {
  return path.reduce<unknown>((inner, key) => (inner as JsonObject)[key], value) as JsonObject;
}

/** The list at a path of keys and places. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): JsonObject[] {
  return at(value, ...path) as unknown as JsonObject[];
}

/** Lets two elements of a list change places. */
export function swap(list: JsonObject[], one: number, other: number): void {
  [list[one], list[other]] = [list[other] ?? {}, list[one] ?? {}];
}
