/**
 * One block of a scripted turn, whatever the wire calls it.
 *
 * - `reasoning`: thinking that is shown; `''` where a service thinks and does not show it.
 * - `redacted`: thinking that is sent encrypted only. No wire shows it.
 * - `text`: what is said.
 * - `call`: the name of a tool; `input` is JSON text, so that its spelling is part of the script.
 */
export type ScriptedBlock =
  | { readonly reasoning: string }
  | { readonly redacted: string }
  | { readonly text: string }
  | { readonly call: string; readonly input: string };

/** One turn of the model: its blocks in order, and, where it is not the usual one, the wire's own stop reason. */
export type ScriptedTurn =
  | readonly ScriptedBlock[]
  | { readonly blocks: readonly ScriptedBlock[]; readonly stopReason?: string | undefined };

/** The turns of a conversation, or what makes them: `turnNumber` counts from 1. */
export type Script =
  | readonly ScriptedTurn[]
  | ((request: Request, turnNumber: number) => ScriptedTurn | Promise<ScriptedTurn>);

/** A scripted turn with nothing left out. */
export interface Scene {
  readonly blocks: readonly ScriptedBlock[];
  /** Undefined for the usual one: of a tool turn where there are calls, else of an answer. */
  readonly stopReason: string | undefined;
  readonly hasCalls: boolean;
}

/**
 * Reads a turn as it may be written.
 *
 * @throws TypeError for blocks that are none.
 */
export function sceneOf(turn: ScriptedTurn): Scene {
  const { blocks, stopReason } = isBlocks(turn) ? { blocks: turn, stopReason: undefined } : turn;
  const wrong = blocks.find((block) => !isBlock(block));
  if (wrong !== undefined) {
    throw new TypeError(
      `Expected { reasoning }, { redacted }, { text } or { call, input } with texts, got ${JSON.stringify(wrong)}.`,
    );
  }
  // Copies, for one block may be written twice.
  return {
    blocks: blocks.map((block) => ({ ...block })),
    stopReason,
    hasCalls: blocks.some((block) => 'call' in block),
  };
}

function isBlocks(turn: ScriptedTurn): turn is readonly ScriptedBlock[] {
  return Array.isArray(turn);
}

function isBlock(block: ScriptedBlock): boolean {
  const members: readonly unknown[] = Object.values(Object(block));
  const kinds = ['reasoning', 'redacted', 'text', 'call'].filter((kind) => Object.hasOwn(Object(block), kind));
  return (
    kinds.length === 1 && members.every((member) => typeof member === 'string') && 'call' in block === 'input' in block
  );
}
