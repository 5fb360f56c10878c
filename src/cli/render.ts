import type { Repair } from '../core/turn.ts';
import type { UiEvent } from '../core/turn-event.ts';
import { describeRepair } from './describe-content.ts';
import { createLiveScreen } from './live-screen.ts';
import { createProgress } from './progress.ts';
import { createPlainScreen } from './screen.ts';
import { createStory } from './story.ts';
import { visibleLine } from './visible.ts';

/** What a renderer is made with. */
export interface RendererOptions {
  /**
   * Whether the output is a terminal whose cursor can be moved: then there is a status line, and lines are broken to
   * the terminal's width. Otherwise text comes plain, line after line, without colour.
   */
  readonly isLive: boolean;
  /** Whether a live renderer may use colour. */
  readonly color: boolean;
  /** The terminal's width at this moment, in columns; 0 where it is not known. */
  columns(): number;
  /** A clock in milliseconds. */
  now(): number;
  /** Whether the summary tells how long the turn took, as it does by default; not where a recording is read at once. */
  readonly isTimed?: boolean;
}

/** Makes terminal output of a turn's UI events. Each method returns what is to be written now, often nothing. */
export interface Renderer {
  /** Takes the next event. */
  push(event: UiEvent): string;
  /** Brings the screen up to date; to be called about ten times a second while nothing else happens. */
  tick(): string;
  /**
   * Leaves the terminal as it was found, at any moment; to be called once more than thought necessary.
   *
   * @param repairs What of the turn does not go back as it came, and why; told below the summary.
   */
  end(repairs?: readonly Repair[]): string;
}

/** A terminal is painted no more often than this, in milliseconds: nobody reads faster. */
const framePeriod = 33;

/**
 * Makes a renderer that shows one turn as a chat would: thinking dim under its head, text as it is, a tool's name and
 * its input as it grows, a line for each server tool's call and result, and a summary at the end.
 *
 * 1. It is pure: it writes nothing, and asks nothing but the clock and the width that it is given.
 * 2. No control character of the turn is ever in its output; they show as symbols.
 * 3. The output is linear in the events; a live one repeats a line and a status line thirty times a second at most.
 *
 * @example
 * ```ts
 * const renderer = createRenderer({ isLive: true, color: true, columns: () => stdout.columns, now: Date.now });
 * const timer = setInterval(() => stdout.write(renderer.tick()), 100);
 * try {
 *   for await (const event of turn) stdout.write(renderer.push(event));
 * } finally {
 *   clearInterval(timer);
 *   stdout.write(renderer.end());
 * }
 * ```
 */
export function createRenderer({ isLive, color, columns, now, isTimed = true }: RendererOptions): Renderer {
  const screen = isLive ? createLiveScreen({ color, columns }) : createPlainScreen();
  const progress = createProgress(now, isTimed);
  // Where no terminal sets a limit the summary is one line, for programs that read it.
  const summary = (): string => progress.summary(isLive ? screen.lineLength : Number.POSITIVE_INFINITY);
  const story = createStory({ screen, summary });
  let paintedAt = Number.NEGATIVE_INFINITY;
  let isOver = false;

  return {
    push(event) {
      progress.push(event);
      story.push(event);
      const isDue = !isLive || now() - paintedAt >= framePeriod || event.type === 'turn_stop';
      return isDue ? paint() : '';
    },
    tick: paint,
    end(repairs = []) {
      for (const repair of repairs) screen.append(`${visibleLine(describeRepair(repair))}\n`, 'dim');
      isOver = true;
      return screen.close();
    },
  };

  function paint(): string {
    if (isOver) return '';
    paintedAt = now();
    return screen.paint(progress.status(screen.lineLength));
  }
}
