import { isJsonObject } from '../core/json-object.ts';
import type { AssembledTurn } from '../core/turn.ts';
import { TurnInterruptedError } from '../core/turn-interrupted-error.ts';
import { assembleTurn } from '../rx/assemble-turn.ts';
import { stringifyRequest } from '../text/verbatim-json.ts';
import { exitCodeOf } from './cli-error.ts';
import type { Command } from './command.ts';
import { describeRepair, describeWarning } from './describe-content.ts';
import { openRecording } from './open-recording.ts';
import { dialectOption, readPath, readString } from './options.ts';
import { visibleJson, visibleLine } from './visible.ts';

/** `wholeturn message`: prints what of a recorded turn goes back to the provider. */
export const message: Command = {
  name: 'message',
  operands: '<file|->',
  summary: 'Print what of it goes back in the next request, as JSON',
  details: `One JSON array of entries in the provider's own shape; tool inputs stand in it
as the model wrote them. What was left out or changed, and warnings, go to
stderr. A turn that is not complete gives nothing but the reason.`,
  options: { ...dialectOption },
  async run(given, io) {
    const source = { path: readPath(given), dialect: readString(given, 'dialect') };
    const { dialect, chunks } = await openRecording(source, io);
    const turn = await assembleTurn(chunks, dialect, { signal: io.signal }).settled();
    if (turn.status === 'complete') {
      const json = entriesJson(turn.entries);
      await io.stdout.write(`${io.isTTY ? visibleJson(json) : json}\n`);
    }
    for (const remark of remarks(turn)) await io.stderr.write(`wholeturn: ${visibleLine(remark)}\n`);
    return exitCodeOf(turn.status);
  },
};

/**
 * Writes entries with a line for each content block: an entry's members have a line each, and the elements of those
 * that are arrays have one, too. Further down all is as compact as in a request, so tool inputs keep their text.
 */
function entriesJson(entries: readonly unknown[]): string {
  return bracketed('[]', entries.map(entryJson), '');
}

function entryJson(entry: unknown): string {
  if (!isJsonObject(entry)) return stringifyRequest(entry);
  const members = Object.entries(entry).filter(([, value]) => value !== undefined);
  const lines = members.map(([name, value]) => `${JSON.stringify(name)}: ${memberJson(value)}`);
  return bracketed('{}', lines, '  ');
}

function memberJson(value: unknown): string {
  if (!Array.isArray(value)) return stringifyRequest(value);
  const elements = value.map((element: unknown) => stringifyRequest(element));
  return bracketed('[]', elements, '    ');
}

/** Puts lines between two brackets, further in than these. */
function bracketed(brackets: '[]' | '{}', lines: readonly string[], indent: string): string {
  if (lines.length === 0) return brackets;
  const inner = lines.map((line) => `${indent}  ${line}`).join(',\n');
  return `${brackets[0]}\n${inner}\n${indent}${brackets[1]}`;
}

/** What is to be said of a turn beside its entries, a line each. */
function remarks(turn: AssembledTurn): readonly string[] {
  const told = [...turn.repairs.map(describeRepair), ...turn.warnings.map(describeWarning)];
  if (turn.status === 'complete') return told;
  // The error's last sentence is for who catches it.
  const reason = new TurnInterruptedError(turn).message.replace(/What arrived is in `error\.turn`\.$/, '');
  return [...told, `${reason}Nothing of it goes back.`];
}
