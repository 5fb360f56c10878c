import { type AssembledTurn, stringifyRequest } from '../../src/index.ts';

/** All that must not depend on who parsed the events, which leaves out the clock and the stack of an error. */
export function comparable({ blocks, entries, error, choices, ...turn }: AssembledTurn): object {
  return {
    ...turn,
    entries: stringifyRequest(entries),
    error: error && [error.code, error.message],
    blocks: blocks.map(({ startedAt: _startedAt, stoppedAt: _stoppedAt, ...block }) => block),
    choices: choices?.map(comparable),
  };
}

/** Members that hold JSON text, of which an SDK may keep the value only. */
const textMembers = new Set(['arguments', 'inputText', 'text']);

/** The same without the source text of tool inputs, of which the value is compared; half of one stays a text. */
export function comparableValues(turn: AssembledTurn): object {
  const withoutText = (name: string, value: unknown): unknown =>
    textMembers.has(name) && typeof value === 'string' ? parsed(value) : value;
  return JSON.parse(JSON.stringify({ ...comparable(turn), entries: turn.entries }, withoutText));
}

function parsed(text: string): unknown {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
