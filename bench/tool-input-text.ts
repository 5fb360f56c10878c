import type { Random } from './random.ts';

/**
 * Makes the JSON text of a tool input: half of it rows (numbers, short strings with escapes, arrays), half one long
 * string, as a tool that writes files gets it.
 *
 * @param length The length of the text in characters, all of them ASCII; at least 500.
 * @returns Compact JSON: parsed and written again it is the same text.
 */
export function toolInputText(random: Random, length: number): string {
  const rows: object[] = [];
  for (let written = 0; written < length / 2 - 200; ) {
    const next = row(random, rows.length);
    written += JSON.stringify(next).length;
    rows.push(next);
  }
  const write = (content: string): string => JSON.stringify({ path: 'src/data.txt', rows, content });
  const lines: string[] = [];
  for (let left = length - write('').length; ; ) {
    const line = `${random.pick(notes)}\n`;
    left -= JSON.stringify(line).length - 2;
    if (left < 0) break;
    lines.push(line);
  }
  const content = lines.join('');
  return write(content + '.'.repeat(length - write(content).length));
}

function row(random: Random, id: number): object {
  return {
    id,
    name: `row ${random.integer(100, 999)}`,
    score: random.integer(1, 9999) / 100,
    isOpen: random.fraction() < 0.5,
    tags: Array.from({ length: random.integer(0, 3) }, () => random.pick(tags)),
    note: random.pick(notes),
    parent: null,
  };
}

const tags = ['red', 'green', 'blue', 'draft', 'final'];
const notes = [
  'He said "no".',
  'first line\nsecond line',
  'C:\\temp\\new',
  'A plain sentence without anything to escape.',
];
