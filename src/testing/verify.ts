import { type Chain, createChain } from './chain.ts';
import { type Conversation, type Message, openCycleStart, type Unit } from './conversation.ts';
import { type Difference, findDifference, type GivenTurn, type GivenTurns } from './given-turns.ts';
import type { Mismatch, Seal, Sealer } from './sealer.ts';

/** Why a request does not continue what was said. */
export type Problem = {
  readonly message: Message /** Whether it is the model's latest. */;
  readonly isLatest: boolean;
} & (
  | Difference
  /** A seal that was never made; or for another item, or content, or not behind what stands before it now. */
  | { readonly type: 'forged' | 'item_id' | Mismatch; readonly unit: Unit }
);

/** With what a conversation is verified. */
export interface Verifier {
  readonly sealer: Sealer;
  readonly given: GivenTurns;
  /** Whether the reasoning that led to something must stand before it; `isOpen` says that its tool cycle is. */
  needsReasoning(unit: Unit, isOpen: boolean): boolean;
}

/** A conversation that was gone through: why it is refused, or what knows its end. */
export interface Verdict {
  readonly problem: Problem | undefined;
  readonly chain: Chain;
}

/**
 * Verifies that all that is signed in a conversation is what was signed, where it was signed.
 *
 * Linear in the size of the request.
 */
export function verifyConversation({ head, messages }: Conversation, verifier: Verifier): Verdict {
  const chain = createChain(head);
  const seen = new Set<string>();
  const cycleStart = openCycleStart(messages);
  const latest = messages.findLastIndex(({ by }) => by === 'model');
  for (const [at, message] of messages.entries()) {
    chain.begin();
    const problem =
      message.by === 'client' ? pass(message, chain) : verify(message, chain, verifier, seen, at >= cycleStart);
    if (problem) return { problem: { ...problem, message, isLatest: at === latest } as Problem, chain };
  }
  return { problem: undefined, chain };
}

function pass({ units }: Message, chain: Chain): undefined {
  for (const { content } of units) chain.add('client', content);
}

type Found = Difference | { readonly type: 'forged' | 'item_id' | Mismatch; readonly unit: Unit };

function verify(
  message: Message,
  chain: Chain,
  { sealer, given, needsReasoning }: Verifier,
  seen: Set<string>,
  isOpen: boolean,
): Found | undefined {
  let own: string | undefined;
  let problem: Found | undefined;
  for (const unit of message.units) {
    const known = given.byId(unit.id) ?? given.byId(unit.itemId);
    const text = unit.seal ?? storedSeal(unit, known);
    const seal = text === undefined ? undefined : sealer.open(text);
    const turn = seal?.turn ?? known?.turn;
    const isNamed = unit.kind === 'reasoning' && unit.itemId !== undefined;
    if (text !== undefined || isNamed) problem ??= findWrongSeal(unit, seal, chain, sealer);
    // Each turn comes back once, in one message, and with nothing of another one in it.
    if (turn !== undefined && (own === undefined ? seen.has(turn) : own !== turn)) problem ??= { type: 'order', unit };
    own ??= turn;
    chain.add('model', unit.content);
  }
  if (own === undefined) return problem;
  seen.add(own);
  const turn: GivenTurn | undefined = given.byTurn(own);
  const difference = turn && findDifference(message, turn, (unit) => needsReasoning(unit, isOpen));
  // That something is missing says more than that what stands behind it moved.
  if (difference?.type === 'reasoning_missing') return difference;
  return problem ?? difference;
}

/** What came with a ciphertext may go back without, where the provider keeps what it said under an id. */
function storedSeal({ itemId }: Unit, known: GivenTurn | undefined): string | undefined {
  return itemId === undefined ? undefined : known?.units.find((unit) => unit.itemId === itemId)?.seal;
}

function findWrongSeal(unit: Unit, seal: Seal | undefined, { place }: Chain, sealer: Sealer): Found | undefined {
  if (!seal) return { type: 'forged', unit };
  const { id } = seal.hidden;
  if (id !== undefined && unit.itemId !== undefined && id !== unit.itemId) return { type: 'item_id', unit };
  const type = sealer.mismatch(seal, unit.content, place);
  return type && { type, unit };
}
