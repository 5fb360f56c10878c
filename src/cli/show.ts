import type { CliIo } from './cli-io.ts';
import type { Command, CommandArguments } from './command.ts';
import { dialectOption, readNumber, readPath, reasoningOption } from './options.ts';
import { usualPace } from './pace.ts';
import { playTurn } from './play-turn.ts';
import { createRenderer } from './render.ts';

/** `wholeturn show`: plays a recording in the terminal as a chat would. */
export const show: Command = {
  name: 'show',
  operands: '<file|->',
  summary: 'Show a recorded stream as a chat would',
  details: `Thinking is dim, a tool's input grows as it came, and a status line tells what
goes on. Where stdout is no terminal, the same comes as plain text. Control
characters of the stream show as symbols; none reaches the terminal.
A recording has no times of its own: --speed gives it some.`,
  options: {
    speed: { type: 'string', valueName: 'N', help: `N times ${usualPace} events a second; 0 (default): no pauses` },
    'no-color': { type: 'boolean', help: 'No colour, like NO_COLOR=1 in the environment' },
    ...reasoningOption,
    ...dialectOption,
  },
  run(given, io) {
    const isLive = io.isTTY && io.env['TERM'] !== 'dumb';
    const { push, tick, end } = createRenderer({
      isLive,
      color: isColorful(given, io),
      columns: () => io.columns,
      now: io.now,
      isTimed: readPath(given) === '-' || (readNumber(given, 'speed', 0) ?? 0) > 0,
    });
    return playTurn(given, io, { push, end, ...(isLive && { tick }) });
  },
};

/** @see https://no-color.org */
function isColorful({ values }: CommandArguments, { env }: CliIo): boolean {
  return values['no-color'] !== true && (env['NO_COLOR'] ?? '') === '';
}
