import type { Command } from './command.ts';
import { dialectOption, reasoningOption } from './options.ts';
import { playTurn } from './play-turn.ts';
import { visibleJson } from './visible.ts';

/** `wholeturn events`: prints the UI events of a recording as JSON lines. */
export const events: Command = {
  name: 'events',
  operands: '<file|->',
  summary: 'Print its UI events, one JSON object a line',
  details: 'They are what a chat page would get: without signatures and ciphertext.',
  options: { ...reasoningOption, ...dialectOption },
  run(given, io) {
    return playTurn(given, io, { push: (event) => `${visibleJson(JSON.stringify(event))}\n`, end: () => '' });
  },
};
