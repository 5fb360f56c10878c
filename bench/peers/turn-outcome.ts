import type { AssembledTurn } from '../../src/core/turn.ts';
import type { Outcome } from '../peer.ts';

/** Measures the finished blocks of a turn; a turn that is not complete has none. */
export function turnOutcome({ blocks, status }: AssembledTurn): Outcome {
  const finished = status === 'complete' ? blocks.filter((block) => block.state === 'finished') : [];
  const shown = finished.filter((block) => block.kind !== 'tool_call');
  return {
    textLength: shown.reduce((length, block) => length + block.text.length, 0),
    inputLength: finished.reduce((length, block) => length + (block.toolCall?.inputText.length ?? 0), 0),
    blocks: finished.length,
  };
}
