import { canonical } from './canonical.ts';
import type { Message, Unit } from './conversation.ts';

/** A turn that was given, as its units must come back. */
export interface GivenTurn {
  readonly turn: string;
  readonly units: readonly Unit[];
}

/** The turns that a provider has given. */
export interface GivenTurns {
  remember(turn: GivenTurn): void;
  /** The turn in which something with this id was said. */
  byId(id: string | undefined): GivenTurn | undefined;
  byTurn(turn: string): GivenTurn | undefined;
}

/** Makes the memory of a provider. */
export function createGivenTurns(): GivenTurns {
  const turns = new Map<string, GivenTurn>();
  const ids = new Map<string, GivenTurn>();
  return {
    remember(given) {
      turns.set(given.turn, given);
      for (const id of given.units.flatMap(({ id: callId, itemId }) => [callId ?? [], itemId ?? []].flat()))
        ids.set(id, given);
    },
    byId: (id) => (id === undefined ? undefined : ids.get(id)),
    byTurn: (turn) => turns.get(turn),
  };
}

/** What differs between a turn that was given and the message that it came back as. */
export type Difference =
  /** Nothing like it was said there. */
  | { readonly type: 'changed'; readonly unit: Unit }
  /** Reasoning is not there that led to this. */
  | { readonly type: 'reasoning_missing'; readonly unit: Unit; readonly missing: Unit };

/**
 * Compares what came back with what was given: each unit in its order, what needs it behind the reasoning that led to it.
 *
 * What is missing at the end, and texts that are shorter, are no difference: a client that was cut off never saw them.
 */
export function findDifference(
  { units: sent }: Message,
  { units: given }: GivenTurn,
  needsReasoning: (unit: Unit) => boolean,
): Difference | undefined {
  let next = 0;
  let missing: Unit | undefined;
  for (const unit of sent) {
    const at = given.findIndex((candidate, index) => index >= next && isSame(candidate, unit));
    if (at < 0) return { type: 'changed', unit };
    missing ??= given.slice(next, at).find((skipped) => skipped.kind === 'reasoning' && !isAmong(skipped, sent));
    if (missing && needsReasoning(unit)) return { type: 'reasoning_missing', unit, missing };
    next = at + 1;
  }
  return undefined;
}

/** What moved is not missing. */
function isAmong(given: Unit, sent: readonly Unit[]): boolean {
  return sent.some((unit) => isSame(given, unit));
}

function isSame(given: Unit, sent: Unit): boolean {
  if (given.kind !== sent.kind) return false;
  if (given.kind === 'text') return textOf(given).startsWith(textOf(sent));
  return canonical(given.content) === canonical(sent.content);
}

/** A text of several parts is one text. */
function textOf({ content }: Unit): string {
  return String(content['text']);
}
