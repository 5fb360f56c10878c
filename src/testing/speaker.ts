import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import type { Chain } from './chain.ts';
import type { Unit } from './conversation.ts';
import type { Sealer } from './sealer.ts';

/** Something that is said, before it has its place in a request. */
export type Said = Omit<Unit, 'path' | 'seal'>;

/** Says the units of one turn in order, signs them, and remembers them as they must come back. */
export interface Speaker {
  /** The turn, as its seals name it. */
  readonly turn: string;
  readonly units: readonly Unit[];
  say(said: Said): void;
  /** Says something signed, and returns its signature. */
  sign(said: Said): string;
  /** Says something of which a part is hidden, and returns the ciphertext of that. */
  encrypt(said: Said, hidden: JsonObject): string;
}

/** Makes the speaker of the turn that comes at the end of a conversation. */
export function createSpeaker(turn: string, chain: Chain, sealer: Sealer): Speaker {
  const units: Unit[] = [];
  chain.begin();
  return {
    turn,
    units,
    say: (said) => add(said),
    sign: (said) => add(said, sealer.sign(turn, said.content, chain.place)),
    encrypt: (said, hidden) => add(said, sealer.encrypt(turn, said.content, chain.place, hidden)),
  };

  function add(said: Said, seal = ''): string {
    chain.add('model', said.content);
    units.push({ ...said, path: '', ...(seal !== '' && { seal }) });
    return seal;
  }
}

/** The input of a call as it comes back: what is no JSON object comes back wrapped. */
export function inputOf(text: string): JsonObject {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Wrapped like any other value that is no object.
  }
  return { INVALID_JSON: text };
}

/** The input of a call as it comes back where it is a text. */
export function inputTextOf(text: string): string {
  const input = inputOf(text);
  const isOwn = text.trim() !== '' && input['INVALID_JSON'] !== text;
  return isOwn ? text : JSON.stringify(input);
}
