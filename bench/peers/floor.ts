import type Anthropic from '@anthropic-ai/sdk';
import { createParser } from 'eventsource-parser';
import type { UiEvent } from '../../src/core/turn-event.ts';
import { responseOf } from '../chunkings.ts';
import type { Peer } from '../peer.ts';
import { createTally } from './tally.ts';

interface FloorBlock {
  text: string;
  input: string;
}

/**
 * The least that any reader of such a stream has to do: decode, split, `JSON.parse` each event, append, and tell a
 * callback. No checks, no finished blocks, no end of the turn.
 */
export const floor: Peer = async ({ chunks }) => {
  const tally = createTally();
  const blocks: FloorBlock[] = [];
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent(message) {
      const wire: Anthropic.RawMessageStreamEvent = JSON.parse(message.data);
      if (wire.type === 'content_block_start') blocks[wire.index] = { text: '', input: '' };
      if (wire.type !== 'content_block_delta') return;
      const event = append(blocks[wire.index], wire);
      if (event) tally.add(event);
    },
  });
  const reader = responseOf(chunks).body?.getReader();
  for (;;) {
    const read = await reader?.read();
    if (!read?.value) break;
    parser.feed(decoder.decode(read.value, { stream: true }));
  }
  return () => ({
    textLength: blocks.reduce((length, block) => length + block.text.length, 0),
    inputLength: blocks.reduce((length, block) => length + block.input.length, 0),
    blocks: blocks.length,
    shownLength: tally.shownLength(),
  });
};

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
