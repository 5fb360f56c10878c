import type { Random } from './random.ts';

/**
 * Makes so many words, each with the blank before it, as models send them.
 *
 * @param foreign Which part of them is not ASCII: 0.02 for 2 %.
 */
export function someWords(random: Random, count: number, foreign: number): string[] {
  return Array.from({ length: count }, () => word(random, foreign));
}

/** What looks like a signature: 400 characters of base64. */
export function signature(random: Random): string {
  return Array.from({ length: 400 }, () => random.pick(base64)).join('');
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

function word(random: Random, foreign: number): string {
  return ` ${random.pick(random.fraction() < foreign ? foreignWords : words)}`;
}

const base64 = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'];
const words = 'a the of stream block turn parser because however, event number returns "quoted" done.\n is not'.split(
  ' ',
);
const foreignWords = ['Größe', '日本語', '🙂', 'naïve', 'Привет'];
