import type { BoundBlock, PrefixPrint } from './bound-prefix.ts';
import type { JsonPrint } from './json-print.ts';

/** The entries of one history, which turns share as long as it only grows. */
export interface HistoryLine {
  readonly entries: JsonPrint[];
}

/** What is known of one turn with bound reasoning. */
export interface NotedTurn {
  readonly turnId: string | null;
  readonly model: string | null;
  readonly settings: ReadonlyMap<string, JsonPrint>;
  /** Undefined where the history is at the provider, and was not seen here. */
  readonly line: HistoryLine | undefined;
  /** How many entries of the line there were, those of the turn included. */
  readonly length: number;
  /** Its reasoning, with positions in the line. */
  readonly blocks: readonly BoundBlock[];
}

/** So many histories are remembered: each edit of what was sent begins another. */
const maxLines = 8;

/** What a guard remembers of one conversation. Grows with the conversation, and with nothing else. */
export interface PrefixMemory {
  readonly turns: readonly NotedTurn[];
  /**
   * Notes what a turn was asked with.
   *
   * @param own The entries that the turn adds.
   */
  note(request: PrefixPrint, own: PrefixPrint, turnId: string | null): void;
  /** Forgets turns whose reasoning is not sent any more. */
  forget(isSent: (turn: NotedTurn) => boolean): void;
}

/** Makes an empty memory. */
export function createPrefixMemory(): PrefixMemory {
  let turns: NotedTurn[] = [];

  return {
    get turns() {
      return turns;
    },
    note(request, own, turnId) {
      const line = lineFor(request);
      const before = line?.entries.length ?? 0;
      line?.entries.push(...own.entries);
      turns.push({
        turnId,
        model: request.model,
        settings: sharedSettings(request.settings),
        line,
        length: line?.entries.length ?? 0,
        blocks: own.blocks.map((block) => ({ ...block, position: shifted(block.position, before) })),
      });
      forgetOldLines();
    },
    forget(isSent) {
      turns = turns.filter(isSent);
    },
  };

  /** The line that a request ends in: an old one that it goes on, or a new one. */
  function lineFor({ entries, previousId }: PrefixPrint): HistoryLine | undefined {
    const last = turns.at(-1);
    if (previousId !== null) {
      const base = turns.findLast((turn) => turn.turnId === previousId);
      return base?.line && extended(base.line, base.length, entries);
    }
    if (last?.line && goesOn(last.line.entries, entries)) {
      return extended(last.line, last.line.entries.length, entries.slice(last.line.entries.length));
    }
    return { entries: [...entries] };
  }

  /** Prints that did not change are kept once. */
  function sharedSettings(settings: ReadonlyMap<string, JsonPrint>): ReadonlyMap<string, JsonPrint> {
    const last = turns.at(-1)?.settings;
    if (!last) return settings;
    const shared = [...settings].map(([name, print]): [string, JsonPrint] => {
      const old = last.get(name);
      return [name, old?.exact === print.exact ? old : print];
    });
    const isSame = shared.length === last.size && shared.every(([name, print]) => last.get(name) === print);
    return isSame ? last : new Map(shared);
  }

  function forgetOldLines(): void {
    const lines = [...new Set(turns.map(({ line }) => line))].filter((line) => line !== undefined);
    const kept = new Set<HistoryLine | undefined>([undefined, ...lines.slice(-maxLines)]);
    if (lines.length > maxLines) turns = turns.filter(({ line }) => kept.has(line));
  }
}

function goesOn(known: readonly JsonPrint[], entries: readonly JsonPrint[]): boolean {
  return known.length <= entries.length && known.every(({ exact }, at) => exact === entries[at]?.exact);
}

/** A line up to a place, and then these entries: the same line, if it ends there. */
function extended(line: HistoryLine, length: number, more: readonly JsonPrint[]): HistoryLine {
  if (length !== line.entries.length) return { entries: [...line.entries.slice(0, length), ...more] };
  for (const print of more) line.entries.push(print);
  return line;
}

function shifted([first = 0, ...rest]: readonly number[], by: number): readonly number[] {
  return [first + by, ...rest];
}
