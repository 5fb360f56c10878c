import { namedEvent } from '../pieces.ts';
import { invalidRequest, type Refusal } from '../refusal.ts';
import type { ScriptedBlock } from '../script.ts';
import type { StrictService } from '../service.ts';
import { inputOf, type Speaker } from '../speaker.ts';
import { conversationOf } from './conversation.ts';
import { callBlock, framesOf, type StreamedBlock, textBlock, thinkingBlock } from './frames.ts';
import { refusalOf } from './refusals.ts';

const splitResults =
  '`tool_use` ids were found without `tool_result` blocks immediately after. Each `tool_use` block must have a ' +
  'corresponding `tool_result` block in the next message.';

/** Anthropic's Messages from the side of the provider. */
export const anthropicService: StrictService = {
  endpoint: /\/v1\/messages$/,
  requestIdHeader: 'request-id',
  required: ['max_tokens', 'messages'],
  alsoRefused: new Map([['tool_results_split', splitResults]]),
  hasStart: true,
  needsReasoning: ({ kind }, isOpen) => kind === 'call' && isOpen,
  findWrongHeader,
  headOf: (_url, { model, stream }) => ({ model, isStreaming: stream === true }),
  conversationOf,
  answer({ blocks, stopReason, hasCalls }, speaker, context) {
    const streamed = blocks.map((block, at) => speak(block, speaker, `toolu_${context.id}${at}`));
    return framesOf(streamed, stopReason ?? (hasCalls ? 'tool_use' : 'end_turn'), context);
  },
  refusalOf,
  refusalOfFinding: ({ path, message }) => invalidRequest(`${path.replaceAll(/\[(\d+)\]/g, '.$1')}: ${message}`),
  errorBody: ({ type, message }, requestId) => ({ type: 'error', error: { type, message }, request_id: requestId }),
  errorEvent: (request_id) =>
    namedEvent({
      type: 'error',
      error: { details: null, type: 'overloaded_error', message: 'Overloaded' },
      request_id,
    }),
};

function speak(block: ScriptedBlock, speaker: Speaker, id: string): StreamedBlock {
  if ('reasoning' in block) {
    const content = { type: 'thinking', thinking: block.reasoning };
    return thinkingBlock(block.reasoning, speaker.sign({ kind: 'reasoning', content }));
  }
  if ('redacted' in block) {
    const content = { type: 'redacted_thinking' };
    const data = speaker.encrypt({ kind: 'reasoning', content }, { text: block.redacted });
    return { start: { ...content, data }, deltas: [] };
  }
  if ('text' in block) {
    if (block.text !== '') speaker.say({ kind: 'text', content: { type: 'text', text: block.text } });
    return textBlock(block.text);
  }
  const { call: name, input } = block;
  speaker.say({ kind: 'call', id, content: { type: 'tool_use', id, name, input: inputOf(input) } });
  return callBlock(id, name, input);
}

function findWrongHeader(headers: Headers): Refusal | undefined {
  const hasKey = headers.get('x-api-key') || headers.get('authorization');
  if (!hasKey) return { status: 401, type: 'authentication_error', message: 'x-api-key header is required' };
  if (!headers.get('anthropic-version')) return invalidRequest('anthropic-version: header is required');
  return undefined;
}
