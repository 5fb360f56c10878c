import { delays, type Frame, type FrameOptions, slices, words } from '../frames.ts';
import type { ScriptedAnswer, ScriptedBlock } from '../script.ts';

/** A delta of the message, before the chunk around it. */
interface Delta {
  readonly delay: number;
  readonly delta: object;
}

/** Where a block stands in the lists of the message. */
interface Places {
  /** Of `reasoning_details`. */
  readonly detail: number;
  /** Of `tool_calls`. */
  readonly call: number;
}

/** The `format` of all details: whose they are. */
export const format = 'anthropic-claude-v1';

/** Makes the SSE messages of an answer, cut as a gateway cuts them: comments first, usage last, then `[DONE]`. */
export function framesOf(answer: ScriptedAnswer, { model, inputTokens }: FrameOptions): Frame[] {
  const isToolTurn = answer.stopReason === 'tool_use';
  const head = {
    id: `gen-${answer.id}`,
    provider: 'Anthropic',
    model,
    object: 'chat.completion.chunk',
    created: 1796000000,
  };
  const chunk = (delta: object, end: object = { finish_reason: null, native_finish_reason: null }): object => ({
    ...head,
    choices: [{ index: 0, delta: { role: 'assistant', content: '', ...delta }, ...end, logprobs: null }],
  });
  const deltas = inArrivalOrder(answer);
  const end = { finish_reason: isToolTurn ? 'tool_calls' : 'stop', native_finish_reason: answer.stopReason };
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: deltas.length,
    total_tokens: inputTokens + deltas.length,
  };
  return [
    processing(delays.start),
    processing(delays.start),
    ...deltas.map(({ delay, delta }) => frame(delay, chunk(delta))),
    frame(0, chunk({}, end)),
    frame(0, { ...chunk({}, end), usage }),
    { delay: 0, text: 'data: [DONE]\n\n' },
  ];
}

/** Where a block stands in the lists of its message. */
export function placesOf({ blocks }: ScriptedAnswer, index: number): Places {
  const before = blocks.slice(0, index);
  return {
    detail: before.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking').length,
    call: before.filter(({ type }) => type === 'tool_use').length,
  };
}

function deltasOf(block: ScriptedBlock, places: Places): Delta[] {
  const [first, ...rest] = bareDeltasOf(block, places);
  return [
    ...(first ? [{ delay: delays.block, delta: first }] : []),
    ...rest.map((delta) => ({ delay: delays.delta, delta })),
  ];
}

function bareDeltasOf(block: ScriptedBlock, { detail: index, call }: Places): object[] {
  switch (block.type) {
    case 'thinking': {
      const { signature } = block;
      const texts = words(block.thinking).map((text) => ({
        reasoning: text,
        reasoning_details: [{ type: 'reasoning.text', text, format, index }],
      }));
      return [...texts, { reasoning: null, reasoning_details: [{ type: 'reasoning.text', signature, format, index }] }];
    }
    case 'redacted_thinking':
      return [{ reasoning_details: [{ type: 'reasoning.encrypted', data: block.data, format, index }] }];
    case 'text':
      return words(block.text).map((content) => ({ content }));
    case 'tool_use': {
      const { id, name, inputText } = block;
      const start = { index: call, id, type: 'function', function: { name, arguments: '' } };
      const pieces = slices(inputText).map((piece) => ({ index: call, function: { arguments: piece } }));
      return [start, ...pieces].map((delta) => ({ tool_calls: [delta] }));
    }
  }
}

/** Puts the deltas in a row. A signature whose thinking leads to a call comes behind the call, as with some gateways. */
function inArrivalOrder(answer: ScriptedAnswer): Delta[] {
  const late: Delta[] = [];
  return answer.blocks.flatMap((block, index) => {
    const deltas = deltasOf(block, placesOf(answer, index));
    if (block.type === 'tool_use') return [...deltas, ...late.splice(0)];
    if (block.type === 'thinking' && answer.blocks[index + 1]?.type === 'tool_use') late.push(...deltas.splice(-1));
    return deltas;
  });
}

function processing(delay: number): Frame {
  return { delay, text: ': OPENROUTER PROCESSING\n\n' };
}

function frame(delay: number, chunk: object): Frame {
  return { delay, text: `data: ${JSON.stringify(chunk)}\n\n` };
}
