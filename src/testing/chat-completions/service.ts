import { reasoningFamily } from '../../dialects/chat-completions/families.ts';
import { sentenceOf } from '../anthropic/refusals.ts';
import { invalidRequest, type Refusal } from '../refusal.ts';
import type { ScriptedBlock } from '../script.ts';
import type { StrictService } from '../service.ts';
import { inputTextOf, type Speaker } from '../speaker.ts';
import type { Problem } from '../verify.ts';
import { conversationOf } from './conversation.ts';
import {
  callDeltas,
  dataLine,
  format,
  framesOf,
  plainThoughtDeltas,
  sealedDeltas,
  textDeltas,
  thoughtDeltas,
} from './frames.ts';

/**
 * Chat completions from the side of the provider: for Claude a gateway with `reasoning_details`, for models of open
 * weights a server with `reasoning_content`, which nobody signs.
 */
export const chatCompletionsService: StrictService = {
  endpoint: /\/chat\/completions$/,
  requestIdHeader: 'x-request-id',
  required: ['messages'],
  alsoRefused: new Map(),
  hasStart: false,
  needsReasoning: ({ kind }, isOpen, model) => {
    return kind === 'call' && (isOpen || reasoningFamily(model).afterClose === 'must');
  },
  findWrongHeader,
  findUnserved,
  headOf: (_url, { model, stream }) => ({ model, isStreaming: stream === true }),
  conversationOf,
  answer({ blocks, stopReason, hasCalls }, speaker, context) {
    const isGateway = isClaude(context.model);
    const deltas = speak(blocks, speaker, context.id, isGateway);
    return framesOf(deltas, stopReason ?? (hasCalls ? 'tool_calls' : 'stop'), isGateway, context);
  },
  refusalOf,
  refusalOfFinding: ({ message }) => invalidRequest(message),
  errorBody(refusal, requestId) {
    const { status, type, message, upstream } = refusal;
    if (upstream === undefined) return { error: { message, type, param: null, code: status } };
    const raw = JSON.stringify({ type: 'error', error: { type, message }, request_id: requestId });
    return { error: { message: 'Provider returned error', code: status, metadata: { raw, provider_name: upstream } } };
  },
  errorEvent: (id) =>
    dataLine({
      id,
      object: 'chat.completion.chunk',
      error: { code: 502, message: 'Provider disconnected unexpectedly' },
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
    }),
};

/** Says the blocks in the order in which they come back: thoughts, the text, calls. They are streamed as scripted. */
function speak(blocks: readonly ScriptedBlock[], speaker: Speaker, id: string, isSigned: boolean): readonly object[] {
  const deltas = new Map<ScriptedBlock, readonly object[]>();
  const thoughts = blocks.filter((block) => 'reasoning' in block || 'redacted' in block);
  if (isSigned) for (const [at, block] of thoughts.entries()) deltas.set(block, speakThought(block, speaker, at));
  else for (const [block, own] of plainThoughts(thoughts, speaker)) deltas.set(block, own);
  const texts = blocks.filter((block) => 'text' in block);
  const text = texts.map((block) => block.text).join('');
  if (text !== '') speaker.say({ kind: 'text', content: { type: 'text', text } });
  for (const block of texts) deltas.set(block, textDeltas(block.text));
  for (const [at, block] of blocks.filter((other) => 'call' in other).entries()) {
    const [name, callId] = [block.call, `call_${id}${at}`];
    const content = { type: 'call', id: callId, name, arguments: inputTextOf(block.input) };
    speaker.say({ kind: 'call', id: callId, content });
    deltas.set(block, callDeltas(callId, name, block.input, at));
  }
  return blocks.flatMap((block) => deltas.get(block) ?? []);
}

function speakThought(block: ScriptedBlock, speaker: Speaker, index: number): readonly object[] {
  if ('redacted' in block) {
    const content = { type: 'reasoning.encrypted', format, index };
    return sealedDeltas(speaker.encrypt({ kind: 'reasoning', content }, { text: block.redacted }), index);
  }
  const text = 'reasoning' in block ? block.reasoning : '';
  const content = { type: 'reasoning.text', format, index, text };
  return thoughtDeltas(text, speaker.sign({ kind: 'reasoning', content }), index);
}

/** One text; what is withheld is not on the wire at all. */
function plainThoughts(
  thoughts: readonly ScriptedBlock[],
  speaker: Speaker,
): readonly (readonly [ScriptedBlock, readonly object[]])[] {
  const shown = thoughts.filter((block) => 'reasoning' in block);
  const text = shown.map(({ reasoning }) => reasoning).join('');
  if (text !== '') speaker.say({ kind: 'reasoning', content: { type: 'reasoning_content', text } });
  return shown.map((block) => [block, plainThoughtDeltas(block.reasoning)] as const);
}

function refusalOf(problem: Problem, model: string): Refusal {
  const { type, unit } = problem;
  if (isClaude(model)) return { ...invalidRequest(sentenceOf(problem)), upstream: 'Anthropic' };
  return invalidRequest(
    type === 'reasoning_missing' || unit.kind === 'reasoning'
      ? 'The `reasoning_content` in the thinking mode must be passed back to the API.'
      : `${unit.path}: this is not what the model said`,
  );
}

function isClaude(model: string): boolean {
  return reasoningFamily(model).name === 'claude';
}

/** Other sealed reasoning looks different again, and this provider does not make it. */
function findUnserved(_body: object, model: string): Refusal | undefined {
  const { name, sealedTo } = reasoningFamily(model);
  if (name === 'claude' || sealedTo === 'nothing') return undefined;
  const message = `${model} is not a valid model ID: the strict provider has Claude, and models of open weights`;
  return invalidRequest(message);
}

function findWrongHeader(headers: Headers): Refusal | undefined {
  if (/^Bearer \S/.test(headers.get('authorization') ?? '')) return undefined;
  return { status: 401, type: 'authentication_error', message: 'No auth credentials found' };
}
