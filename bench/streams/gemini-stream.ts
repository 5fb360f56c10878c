import type { Random } from '../random.ts';
import { toolInputText } from '../tool-input-text.ts';
import { signature, someWords } from '../words.ts';
import { partialArgs } from './partial-args.ts';
import { type AnswerSizes, type Stream, totalLength } from './stream.ts';

/** Makes the stream of one answer with whole function calls: a chunk for each part, and one that only ends it. */
export function geminiStream(random: Random, sizes: AnswerSizes): Stream {
  const reasoning = someWords(random, sizes.reasoning, 0);
  const text = someWords(random, sizes.text, sizes.foreign ?? 0);
  const inputs = Array.from({ length: sizes.calls }, () => toolInputText(random, sizes.callLength ?? 0));
  // Of parallel calls the first is signed; without one the signature comes with the last, empty text.
  const seal = `,"thoughtSignature": "${signature(random)}"`;
  const parts = [
    ...reasoning.map((piece) => `{"text": ${JSON.stringify(piece)},"thought": true}`),
    ...text.map((piece) => `{"text": ${JSON.stringify(piece)}}`),
    ...inputs.map((input, call) => `{"functionCall": ${wholeCall(call, input)}${call === 0 ? seal : ''}}`),
  ];
  return {
    dialect: 'gemini',
    messages: [
      ...parts.map((part, place) => chunk(part, ',"index": 0', growing(place))),
      chunk(`{"text": ""${inputs.length === 0 ? seal : ''}}`, `${stop},"index": 0`, growing(parts.length)),
    ],
    textLength: totalLength(text) + totalLength(reasoning),
    reasoningLength: totalLength(reasoning),
    inputLength: totalLength(inputs),
    blocks: [reasoning, text].filter(({ length }) => length > 0).length + Math.max(inputs.length, 1),
    inputPieces: inputs,
  };
}

/** Makes the stream of one function call whose arguments come piece by piece, each under its path (Vertex AI). */
export function geminiPartialArgsStream(random: Random, callLength: number): Stream {
  const input = toolInputText(random, callLength);
  const parts = [
    `{"functionCall": {"name": "write_rows","willContinue": true},"thoughtSignature": "${signature(random)}"}`,
    ...partialArgs(random, JSON.parse(input)).map((piece) => `{"functionCall": {${piece}"willContinue": true}}`),
  ];
  return {
    dialect: 'gemini',
    messages: [
      ...parts.map((part) => chunk(part, '', traffic)),
      chunk('{"functionCall": {}}', stop, `${counts(20_000)},${traffic}`),
    ],
    textLength: 0,
    reasoningLength: 0,
    inputLength: input.length,
    blocks: 1,
    inputPieces: [],
  };
}

/** The service would put a blank behind each colon of the arguments; without them their text is what it parses to. */
function wholeCall(call: number, input: string): string {
  return `{"name": "write_rows","args": ${input},"id": "tcf70zp${call}"}`;
}

/**
 * Writes a chunk as the service does: a blank behind each colon, none behind a comma, lines that end in CRLF.
 *
 * @param rest The members of the candidate behind its content, each with the comma before it.
 * @param usage The members of `usageMetadata`.
 */
function chunk(part: string, rest: string, usage: string): string {
  const candidate = `{"content": {"parts": [${part}],"role": "model"}${rest}}`;
  return `data: {"candidates": [${candidate}],"usageMetadata": {${usage}},${model}}\r\n\r\n`;
}

/** Outside Vertex AI each chunk counts what was said so far. */
function growing(place: number): string {
  return `${counts(place + 1)},"serviceTier": "standard"`;
}

function counts(said: number): string {
  const total = `"promptTokenCount": 1200,"candidatesTokenCount": ${said},"totalTokenCount": ${1200 + said}`;
  return `${total},"promptTokensDetails": [{"modality": "TEXT","tokenCount": 1200}]`;
}

const stop = ',"finishReason": "STOP"';
const traffic = '"trafficType": "ON_DEMAND"';
const model = '"modelVersion": "gemini-3.1-pro","responseId": "bench7Y2KZav2J6ic8YP"';
