import type { Random } from '../random.ts';
import { toolInputText } from '../tool-input-text.ts';
import { inputPieces, inTurns, signature, someWords } from '../words.ts';
import { type AnswerSizes, type Stream, totalLength } from './stream.ts';

/** Makes the stream of one answer of a gateway with `reasoning_details`: its chunks, the usage, and `[DONE]`. */
export function chatStream(random: Random, sizes: AnswerSizes): Stream {
  const reasoning = someWords(random, sizes.reasoning, 0);
  const text = someWords(random, sizes.text, sizes.foreign ?? 0);
  const calls = Array.from({ length: sizes.calls }, () =>
    inputPieces(random, toolInputText(random, sizes.callLength ?? 0)),
  );
  const pieces = calls.flat();
  const deltas = [
    ...reasoning.map((piece) => ({ content: '', reasoning: piece, reasoning_details: [textDetail({ text: piece })] })),
    ...(reasoning.length > 0 ? sealingDeltas(random) : []),
    ...text.map((piece) => ({ content: piece })),
    ...calls.map((_, index) => callDelta(index, { name: 'write_rows', arguments: '' }, `call_0${index}`)),
    ...inTurns(calls.map((call, index) => call.map((piece) => callDelta(index, { arguments: piece })))),
  ];
  return {
    dialect: 'chatCompletions',
    messages: [...deltas.map((delta) => chunk(delta)), ...lastMessages(calls.length > 0)],
    textLength: totalLength(text) + totalLength(reasoning),
    reasoningLength: totalLength(reasoning),
    inputLength: totalLength(pieces),
    blocks: [reasoning, text].filter(({ length }) => length > 0).length + calls.length,
    inputPieces: pieces,
  };
}

const format = 'anthropic-claude-v1';

function textDetail(members: { text: string } | { signature: string }): object {
  return { type: 'reasoning.text', ...members, format, index: 0 };
}

/** The signature by itself, and an entry that is sealed altogether. */
function sealingDeltas(random: Random): object[] {
  const signed = textDetail({ signature: signature(random) });
  const sealed = { type: 'reasoning.encrypted', data: signature(random), format, index: 1 };
  return [signed, sealed].map((detail) => ({ content: '', reasoning: null, reasoning_details: [detail] }));
}

function callDelta(index: number, called: object, id?: string): object {
  return {
    content: null,
    tool_calls: [{ index, ...(id !== undefined && { id }), type: 'function', function: called }],
  };
}

function lastMessages(callsTools: boolean): string[] {
  const end = callsTools
    ? { finish_reason: 'tool_calls', native_finish_reason: 'tool_use' }
    : { finish_reason: 'stop', native_finish_reason: 'end_turn' };
  const usage = { prompt_tokens: 1200, completion_tokens: 20_000, total_tokens: 21_200 };
  return [chunk({ content: '' }, end), chunk({ content: '' }, end, { usage }), 'data: [DONE]\n\n'];
}

function chunk(delta: object, end: object = { finish_reason: null, native_finish_reason: null }, rest = {}): string {
  const choice = { index: 0, delta: { role: 'assistant', ...delta }, ...end, logprobs: null };
  return `data: ${JSON.stringify({ ...head, choices: [choice], ...rest })}\n\n`;
}

const head = {
  id: 'gen-1796000000-Bench',
  provider: 'Anthropic',
  model: 'anthropic/claude-opus-5',
  object: 'chat.completion.chunk',
  created: 1_796_000_000,
};
