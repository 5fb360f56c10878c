import { delays, type Frame, type FrameOptions, slices, words } from '../frames.ts';
import type { ScriptedAnswer, ScriptedBlock } from '../script.ts';

/** Makes the SSE messages of an answer, cut as the provider cuts them. */
export function framesOf(answer: ScriptedAnswer, { model, inputTokens }: FrameOptions): Frame[] {
  const { id, stopReason, blocks } = answer;
  const usage = { input_tokens: inputTokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const message = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null };
  const output_tokens = blocks.reduce((sum, block) => sum + deltasOf(block).length, 0);
  return [
    frame(delays.start, {
      type: 'message_start',
      message: { ...message, stop_sequence: null, usage: { ...usage, output_tokens: 1 } },
    }),
    frame(0, { type: 'ping' }),
    ...blocks.flatMap(blockFrames),
    frame(0, {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { ...usage, output_tokens },
    }),
    frame(0, { type: 'message_stop' }),
  ];
}

function blockFrames(block: ScriptedBlock, index: number): Frame[] {
  return [
    frame(delays.block, { type: 'content_block_start', index, content_block: startOf(block) }),
    ...deltasOf(block).map((delta) => frame(delays.delta, { type: 'content_block_delta', index, delta })),
    frame(0, { type: 'content_block_stop', index }),
  ];
}

function startOf(block: ScriptedBlock): object {
  switch (block.type) {
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'redacted_thinking':
      return block;
    case 'text':
      return { type: 'text', text: '' };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: {} };
  }
}

function deltasOf(block: ScriptedBlock): readonly object[] {
  switch (block.type) {
    case 'thinking': {
      const { signature } = block;
      const texts = words(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking }));
      return [...texts, { type: 'signature_delta', signature }];
    }
    case 'redacted_thinking':
      return [];
    case 'text':
      return words(block.text).map((text) => ({ type: 'text_delta', text }));
    case 'tool_use':
      return ['', ...slices(block.inputText)].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
  }
}

function frame(delay: number, event: { readonly type: string; readonly [field: string]: unknown }): Frame {
  return { delay, text: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n` };
}
