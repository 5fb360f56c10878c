import type { Repair, RepairCode } from './turn.ts';

/** The reason for each repair, behind "Block 3 …". */
const reasons: Readonly<Record<RepairCode, string>> = {
  cut: 'was cut by the stop reason, or may have been; it is left out',
  unsigned: 'has no signature, which the provider demands; it is left out',
  unfaithful: 'got a delta that could not be kept, so it is not what the provider sent; it is left out',
  invalid_input: 'has an input that is no JSON object; it goes back wrapped as {"INVALID_JSON": …}',
  empty_input: 'has an empty input, which providers refuse; it goes back as {}',
  empty_reasoning: 'came without reasoning, which the model wants beside a call; an empty one goes with it',
  duplicate_call: 'is a call with the id of one before it, which the provider refuses; it is left out',
  duplicate_id: 'is a call with the id of one before it; it goes back, and is run, under one of its own',
  nameless_call: 'is a call without a name; it is left out',
  empty_text:
    'is a text that is empty, or blank where nothing else is said; the provider refuses it, so it is left out',
  unpaired: 'goes only together with another block, which is left out; so it is too',
  unsealed: 'is reasoning without ciphertext, which the service cannot read when it did not keep it; it is left out',
  trailing_reasoning: 'is reasoning at the end of the message, which the provider refuses; it is left out',
};

/** Gathers how what goes back differs from what came. */
export function createRepairs(): {
  /** Notes one. */
  repair(code: RepairCode, index: number): void;
  /** All that were noted, in the order of the blocks. */
  repairs(): readonly Repair[];
} {
  const repairs: Repair[] = [];
  return {
    repair(code, index) {
      repairs.push({ code, index, message: `Block ${index} ${reasons[code]}` });
    },
    repairs: () => repairs.sort((a, b) => a.index - b.index),
  };
}
