import type { JsonObject } from '../core/json-object.ts';
import type { AssembledTurn } from '../core/turn.ts';
import type { PrintChange } from './compare-prints.ts';
import type { JsonPrint } from './json-print.ts';

/** A block of reasoning that is bound to what stands before it. */
export interface BoundBlock {
  /** Where it is in the body it was read from. */
  readonly path: string;
  /** The indices that lead to it among the entries. */
  readonly position: readonly number[];
  /** Hashes of what it is known by: its signature, its id, its ciphertext. */
  readonly keys: readonly number[];
  /** The id that the provider knows it by. */
  readonly id?: string;
}

/** The part of a request that reasoning is bound to, as prints. */
export interface PrefixPrint {
  /** What stands outside the entries, by its path: `system`, `tools`, … In the order in which it is told. */
  readonly settings: ReadonlyMap<string, JsonPrint>;
  /** The prints of the entries. */
  readonly entries: readonly JsonPrint[];
  /** Whether the one entry is written as a text in place of a list. */
  readonly isShort: boolean;
  readonly blocks: readonly BoundBlock[];
  /** The entry that stands for all before it, as the provider has compacted it; null if there is none. */
  readonly compaction: number | null;
  readonly model: string | null;
  /** The answer that holds the history before these entries, at the provider. */
  readonly previousId: string | null;
}

/** What a provider does with reasoning whose prefix changed. */
export interface Consequence {
  readonly severity: 'error' | 'warning';
  /** As the rest of "… are bound to it: ". */
  readonly text: string;
}

/** How the prefix of reasoning looks in one wire format. */
export interface PrefixFormat {
  /** The path of the entries. */
  readonly entriesPath: string;
  /** Whether a request can go on from an answer by its id, with the history at the provider. */
  readonly hasChains: boolean;
  isBoundModel(model: string): boolean;
  /** Takes the prints of a request, whatever it is made of. Throws only where `JSON.stringify` would. */
  read(body: JsonObject, model: string | null): PrefixPrint;
  /** What a turn adds to the entries, as the list that a body has. */
  bodyOf(entries: readonly unknown[]): JsonObject;
  consequence(body: JsonObject): Consequence;
  /** The legal way to do what a change does. */
  remedy(change: PrintChange): string;
  /** What the provider says it did with the reasoning of the request that a turn answers. */
  reportsOf(turn: AssembledTurn): readonly TransformationReport[];
}

/** One thing that the provider says it did with reasoning of the request. */
export interface TransformationReport {
  /** Where the block is in the request, if the provider says so. */
  readonly path: string | null;
  /** The id of the block, if the provider says so. */
  readonly id: string | null;
  readonly action: 'dropped' | 'allowed';
  /** The provider's own word. */
  readonly reason: string;
}
