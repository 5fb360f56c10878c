import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLiveScreen } from '../../src/cli/live-screen.ts';
import { visible } from '../../src/cli/visible.ts';
import { createVirtualTerminal } from './virtual-terminal.ts';

function liveScreen(columns: number, color = false): ReturnType<typeof createLiveScreen> {
  return createLiveScreen({ color, columns: () => columns });
}

describe('createLiveScreen', () => {
  it('keeps the status line below the text that grows', () => {
    const terminal = createVirtualTerminal(40);
    const screen = liveScreen(40);
    for (const piece of ['Hello', ' there', '\nnext', ' line']) {
      screen.append(piece, 'plain');
      terminal.write(screen.paint('status'));
    }
    expect(terminal.rows()).toEqual(['Hello there', 'next line', 'status']);
  });

  it('breaks long lines between words, and words that are longer than a line', () => {
    const terminal = createVirtualTerminal(20);
    const screen = liveScreen(20);
    screen.append(`one two three four five ${'x'.repeat(30)}`, 'plain');
    terminal.write(screen.close());
    expect(terminal.rows()).toEqual(['one two three four ', 'five ', 'x'.repeat(18), 'x'.repeat(12)]);
  });

  it('counts wide characters as two columns', () => {
    const terminal = createVirtualTerminal(20);
    const screen = liveScreen(20);
    screen.append('漢'.repeat(12), 'plain');
    terminal.write(screen.paint('status'));
    expect(terminal.rows()).toEqual(['漢'.repeat(9), '漢'.repeat(3), 'status']);
  });

  it('cuts a status that is wider than the terminal', () => {
    const terminal = createVirtualTerminal(20);
    terminal.write(liveScreen(20).paint('漢'.repeat(50)));
    expect(terminal.rows()).toEqual(['', `${'漢'.repeat(8)}…`]);
  });

  it('leaves room behind the status for the echo of an interrupt', () => {
    const terminal = createVirtualTerminal(40);
    const screen = liveScreen(40);
    screen.append('text', 'plain');
    terminal.write(screen.paint('s'.repeat(100)));
    terminal.write('^C');
    terminal.write(screen.close());
    expect(terminal.rows()).toEqual(['text']);
    expect(terminal.cursor()).toEqual({ row: 1, column: 0 });
  });

  it('writes nothing when nothing has changed', () => {
    const screen = liveScreen(40);
    screen.append('text', 'plain');
    screen.paint('status');
    expect(screen.paint('status')).toBe('');
  });

  it('takes the status line away at the end and shows the cursor again', () => {
    const terminal = createVirtualTerminal(40);
    const screen = liveScreen(40);
    screen.append('text', 'plain');
    terminal.write(screen.paint('status'));
    expect(terminal.isCursorShown).toBe(false);
    terminal.write(screen.close());
    expect(terminal.isCursorShown).toBe(true);
    expect(terminal.rows()).toEqual(['text']);
    expect(terminal.cursor()).toEqual({ row: 1, column: 0 });
    expect(screen.close()).toBe('');
  });

  it('leaves an untouched terminal alone', () => {
    expect(liveScreen(40).close()).toBe('');
  });

  it('finds its line again when the terminal was made narrower', () => {
    let columns = 40;
    const screen = createLiveScreen({ color: false, columns: () => columns });
    screen.append('x'.repeat(38), 'plain');
    screen.paint('s'.repeat(30));
    columns = 20;
    expect(screen.paint('status').startsWith(`\r\x1b[2K${'\x1b[1A\x1b[2K'.repeat(3)}`)).toBe(true);
  });

  it('switches styles where they change, and none without colour', () => {
    const colorful = liveScreen(40, true);
    const plain = liveScreen(40);
    for (const screen of [colorful, plain]) {
      screen.append('dim', 'dim');
      screen.append('mer', 'dim');
      screen.append(' plain', 'plain');
    }
    expect(colorful.close()).toContain('\u001b[2mdimmer\u001b[0m plain');
    expect(plain.close()).not.toContain('\u001b[2m');
  });

  it('ends a line of marks that have no width', () => {
    const screen = liveScreen(40);
    screen.append(`a${'\u0301'.repeat(10_000)}`, 'plain');
    expect(screen.close().length).toBeLessThan(100);
  });

  it('shows the same text whatever pieces it came in and whenever it was painted', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '漢', '\u0301', '\t', '-') });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.boolean())), fc.integer({ min: 20, max: 60 }), (pieces, columns) => {
        const whole = createVirtualTerminal(columns);
        const atOnce = liveScreen(columns);
        atOnce.append(visible(pieces.map(([piece]) => piece).join('')), 'plain');
        whole.write(atOnce.close());
        const terminal = createVirtualTerminal(columns);
        const screen = liveScreen(columns);
        for (const [piece, isPainted] of pieces) {
          screen.append(visible(piece), 'plain');
          if (isPainted) terminal.write(screen.paint('status'));
        }
        terminal.write(screen.close());
        expect(terminal.rows()).toEqual(whole.rows());
      }),
    );
  });
});
