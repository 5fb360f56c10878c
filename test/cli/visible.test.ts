import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdHalfPair, visible, visibleJson, visibleLine } from '../../src/cli/visible.ts';

const escapeChar = String.fromCharCode(0x1b);
const c1 = String.fromCharCode(0x9b);

describe('visible', () => {
  it('shows escape sequences, carriage returns and backspaces as symbols', () => {
    expect(visible(`a${escapeChar}[31mb\rc\bd`)).toBe('a␛[31mb␍c␈d');
  });

  it('shows delete and C1 controls', () => {
    expect(visible(`\x7f${c1}2J`)).toBe('␡⟨U+009B⟩2J');
  });

  it('shows the marks that turn the direction of text around', () => {
    expect(visible('a\u202eb\u2066c')).toBe('a⟨U+202E⟩b⟨U+2066⟩c');
  });

  it('keeps line feeds, tabs, accents, emoji and right-to-left letters', () => {
    const text = 'é\te\u0301\n👩‍🚀 שלום 漢字';
    expect(visible(text)).toBe(text);
  });

  it('shows half a surrogate pair as a replacement character', () => {
    expect(visible('a\ud83db')).toBe('a\ufffdb');
  });

  it('leaves no control character but line feed and tab, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text).replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  it('gives the same for pieces as for the whole', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (pieces) => {
        expect(pieces.map(visible).join('')).toBe(visible(pieces.join('')));
      }),
    );
  });
});

describe('visibleLine', () => {
  it('shows line feeds and tabs as symbols too', () => {
    expect(visibleLine('a\n\tb')).toBe('a␊␉b');
  });
});

describe('visibleJson', () => {
  it('writes unsafe characters of strings as escapes', () => {
    expect(visibleJson(`{"a":"${c1}\x7f"}`)).toBe('{"a":"\\u009b\\u007f"}');
  });

  it('keeps the meaning of any JSON, and leaves no control character but line feed and tab', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.constantFrom('', '\r\n', '\t'), (json, space) => {
        const shown = visibleJson(`${space}${json}${space}`);
        expect(JSON.parse(shown)).toEqual(JSON.parse(json));
        expect(shown.replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe('holdHalfPair', () => {
  it('cuts off a first half at the end', () => {
    expect(holdHalfPair('a\ud83d')).toEqual({ whole: 'a', half: '\ud83d' });
  });

  it('keeps whole pairs and what is no first half', () => {
    expect(holdHalfPair('a😀')).toEqual({ whole: 'a😀', half: '' });
    expect(holdHalfPair('')).toEqual({ whole: '', half: '' });
  });
});
