import type { TurnWriter } from '../../core/turn-record.ts';

/** Warns of a value of the wrong type, in whose place nothing is read. */
export function warnMalformed(record: TurnWriter, what: string): void {
  record.warn('malformed_event', `${what} is of a type that cannot be; it is ignored`);
}
