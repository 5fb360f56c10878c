import type { Random } from './random.ts';

/**
 * Makes so many words, each with the blank before it, as models send them.
 *
 * @param foreign Which part of them is not ASCII: 0.02 for 2 %.
 */
export function someWords(random: Random, count: number, foreign: number): string[] {
  return Array.from({ length: count }, () => word(random, foreign));
}

/** What looks like a signature: characters of base64. */
export function signature(random: Random, length = 400): string {
  return Array.from({ length }, () => random.pick(base64)).join('');
}

/** Cuts a tool input as models send it: into pieces of 8 to 20 characters. */
export function inputPieces(random: Random, text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + random.integer(8, 20);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

/** The first of each list, the second of each, and so on. */
export function inTurns<Value>(lists: readonly (readonly Value[])[]): Value[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}

function word(random: Random, foreign: number): string {
  return ` ${random.pick(random.fraction() < foreign ? foreignWords : words)}`;
}

const base64 = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'];
const words = 'a the of stream block turn parser because however, event number returns "quoted" done.\n is not'.split(
  ' ',
);
const foreignWords = ['Größe', '日本語', '🙂', 'naïve', 'Привет'];
