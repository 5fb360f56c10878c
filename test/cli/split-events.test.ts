import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitEvents } from '../../src/cli/split-events.ts';
import { bytesOf, inPieces } from './byte-sources.ts';

async function split(...pieces: readonly string[]): Promise<string[]> {
  const events: string[] = [];
  for await (const event of splitEvents(inPieces(pieces.map(bytesOf)))) events.push(new TextDecoder().decode(event));
  return events;
}

describe('splitEvents', () => {
  it('splits behind each blank line', async () => {
    expect(await split('data: 1\n\ndata: 2\n\n')).toEqual(['data: 1\n\n', 'data: 2\n\n', '']);
  });

  it('knows all three line ends', async () => {
    expect(await split('data: 1\r\rdata: 2\r\r')).toEqual(['data: 1\r\r', 'data: 2\r\r', '']);
    expect(await split('data: 1\r\n\r\ndata: 2\r\n\r\n')).toEqual(['data: 1\r\n\r', '\ndata: 2\r\n\r', '\n']);
  });

  it('holds back half an event until the rest of it is there', async () => {
    expect(await split('da', 'ta: 1', '\n', '\nda', 'ta: 2')).toEqual(['data: 1\n\n', 'data: 2']);
  });

  it('loses no byte, whatever the pieces', async () => {
    const piece = fc.string({ unit: fc.constantFrom('a', '\n', '\r', ':') });
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (pieces) => {
        const events = await split(...pieces);
        expect(events.join('')).toBe(pieces.join(''));
        expect(events).toEqual(await split(pieces.join('')));
      }),
    );
  });
});
