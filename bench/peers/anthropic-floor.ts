import type Anthropic from '@anthropic-ai/sdk';
import type { UiEvent } from '../../src/core/turn-event.ts';
import type { FloorReader } from './floor-reader.ts';
import type { Tally } from './tally.ts';

interface FloorBlock {
  text: string;
  input: string;
}

/** Appends each delta to its block. */
export function createAnthropicFloor(tally: Tally): FloorReader {
  const blocks: FloorBlock[] = [];
  return {
    take(data) {
      const wire: Anthropic.RawMessageStreamEvent = JSON.parse(data);
      if (wire.type === 'content_block_start') blocks[wire.index] = { text: '', input: '' };
      if (wire.type !== 'content_block_delta') return;
      const event = append(blocks[wire.index], wire);
      if (event) tally.add(event);
    },
    outcome: () => ({
      textLength: blocks.reduce((length, block) => length + block.text.length, 0),
      inputLength: blocks.reduce((length, block) => length + block.input.length, 0),
      blocks: blocks.length,
    }),
  };
}

function append(
  block: FloorBlock | undefined,
  { index, delta }: Anthropic.RawContentBlockDeltaEvent,
): UiEvent | undefined {
  if (!block) return undefined;
  switch (delta.type) {
    case 'text_delta':
      block.text += delta.text;
      return { type: 'text_delta', index, text: delta.text };
    case 'thinking_delta':
      block.text += delta.thinking;
      return { type: 'reasoning_delta', index, text: delta.thinking };
    case 'input_json_delta':
      block.input += delta.partial_json;
      return { type: 'tool_input_delta', index, json: delta.partial_json };
    default:
      return undefined;
  }
}
