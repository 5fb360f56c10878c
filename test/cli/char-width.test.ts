import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advance, charWidth, fitLine, fitMiddle, textWidth } from '../../src/cli/char-width.ts';

describe('charWidth', () => {
  it.each([
    ['a', 1],
    ['é', 1],
    ['ж', 1],
    ['→', 1],
    ['漢', 2],
    ['한', 2],
    ['カ', 2],
    ['！', 2],
    ['😀', 2],
    ['\u0301', 0],
    ['\u200d', 0],
    ['\ufe0f', 0],
    ['\u00ad', 1],
  ] as const)('of %j is %i', (char, width) => {
    expect(charWidth(char)).toBe(width);
  });
});

describe('advance', () => {
  it('goes on to the next multiple of eight for a tab', () => {
    expect([0, 7, 8].map((column) => advance(column, '\t'))).toEqual([8, 8, 16]);
  });

  it('goes on by the width of any other character', () => {
    expect(advance(3, '漢')).toBe(5);
  });
});

describe('fitLine', () => {
  it('keeps a line that fits', () => {
    expect(fitLine('abc', 3)).toBe('abc');
  });

  it('cuts a longer one and says so', () => {
    expect(fitLine('abcd', 3)).toBe('ab…');
    expect(fitLine('漢字', 3)).toBe('漢…');
    expect(fitLine('abc', 0)).toBe('');
  });

  it('never needs more columns than it may', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (line, columns) => {
        expect(textWidth(fitLine(line, columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

describe('fitMiddle', () => {
  it('keeps a line that fits', () => {
    expect(fitMiddle('abc', 3)).toBe('abc');
  });

  it('cuts a longer one in the middle, so that both ends can be told from others', () => {
    expect(fitMiddle('abcdefgh', 6)).toBe('abc…gh');
    expect(fitMiddle('漢字漢字', 6)).toBe('漢…字');
  });

  it('never needs more columns than it may', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (line, columns) => {
        expect(textWidth(fitMiddle(line, columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
