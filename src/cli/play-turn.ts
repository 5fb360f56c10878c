import type { Repair } from '../core/turn.ts';
import type { UiEvent } from '../core/turn-event.ts';
import { assembleTurn } from '../rx/assemble-turn.ts';
import { uiEvents } from '../rx/ui-events.ts';
import { exitCodeOf } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import type { CommandArguments } from './command.ts';
import { openRecording } from './open-recording.ts';
import { readNumber, readPath, readReasoning, readString } from './options.ts';
import { pace } from './pace.ts';

/** Makes text of a turn's UI events. */
export interface Player {
  push(event: UiEvent): string;
  /** Called every tenth of a second, whatever happens; left out by a player for whom time changes nothing. */
  readonly tick?: (() => string) | undefined;
  /** Called last, also after a failure; with the turn's repairs, if it came so far. */
  end(repairs: readonly Repair[]): string;
}

const tickPeriod = 100;

/**
 * Plays the recording that a command was given: its UI events go through the player to stdout.
 *
 * Reads the options `speed`, `reasoning` and `dialect`, where they were given. When nobody reads the output any more,
 * the turn is aborted and the recording let go.
 *
 * @returns The exit code that tells how the turn ended.
 * @throws CliError if the recording cannot be read; what writing failed with, if it did.
 */
export async function playTurn(given: CommandArguments, io: CliIo, player: Player): Promise<number> {
  const source = { path: readPath(given), dialect: readString(given, 'dialect') };
  const speed = readNumber(given, 'speed', 0) ?? 0;
  const reasoning = readReasoning(given);
  const stop = new AbortController();
  const signal = AbortSignal.any([io.signal, stop.signal]);
  const over = new AbortController();
  const ticking = keepTicking(over.signal);
  let repairs: readonly Repair[] = [];
  let written: Promise<unknown> = Promise.resolve();
  try {
    const { dialect, chunks } = await openRecording(source, io);
    const paced = speed === 0 ? chunks : pace(chunks, speed, { now: io.now, sleep: io.sleep, signal });
    const turn = assembleTurn(paced, dialect, { signal });
    await turn.events.pipe(uiEvents({ reasoning })).forEach((event) => {
      write(player.push(event));
    });
    const assembled = await turn.settled();
    repairs = assembled.repairs;
    return exitCodeOf(assembled.status);
  } finally {
    over.abort();
    await ticking;
    write(player.end(repairs));
    await written;
  }

  function write(text: string): void {
    if (text === '' || stop.signal.aborted) return;
    written = Promise.all([written, io.stdout.write(text)]);
    written.catch(() => stop.abort());
  }

  async function keepTicking(until: AbortSignal): Promise<void> {
    while (player.tick && !until.aborted) {
      await io.sleep(tickPeriod, until);
      if (!until.aborted) write(player.tick());
    }
  }
}
