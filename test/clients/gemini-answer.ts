import { chunk, sse } from '../dialects/gemini/wire-chunks.ts';

/** The first half of an answer: a thought, and a text that has begun. */
export const beginning: string = sse(chunk([{ text: 'hm', thought: true }]), chunk([{ text: 'Hel' }]));

/** The second half. */
export const rest: string = sse(chunk([{ text: 'lo' }], { finishReason: 'STOP' }));

/** What the turn of both halves matches. */
export const whole: object = {
  status: 'complete',
  stopReason: 'STOP',
  entries: [{ role: 'model', parts: [{ text: 'hm', thought: true }, { text: 'Hello' }] }],
};

/** A whole answer with one text. */
export function answerOf(text: string): string {
  return sse(chunk([{ text }]), chunk([], { finishReason: 'STOP' }));
}

/** What the turn of such an answer matches. */
export function wholeOf(text: string): object {
  return { status: 'complete', entries: [{ role: 'model', parts: [{ text }] }] };
}

/** A chunk whose parts are these very texts. */
export function rawChunk(parts: string, finishReason?: string): string {
  const end = finishReason === undefined ? '' : `"finishReason":"${finishReason}",`;
  const candidate = `{"content":{"parts":[${parts}],"role":"model"},${end}"index":0}`;
  return `data: {"candidates":[${candidate}],"modelVersion":"gemini-local","responseId":"resp_1"}\r\n\r\n`;
}

/** The texts of the arguments of two calls, as a service may write them. */
export const argumentTexts = [
  '{"port": "Br\\u0065st", "id": 12345678901234567890 }',
  '{"port":"Cork","depth":1.0}',
] as const;

/** The signatures, of which no character may change. */
export const signatures = ['dGV4dA+/==', 'Y2Fs-bA_', 'dGFpbA=='] as const;

const [ofText, ofCall, ofTail] = signatures;
const thought = '{"text":"Two places.","thought":true}';
const text = `{"thoughtSignature":"${ofText}","text":"Looking."}`;
const callA = `{"thoughtSignature":"${ofCall}","functionCall":{"name":"look","args":${argumentTexts[0]},"id":"call_a"}}`;
const callB = `{"functionCall":{"name":"look","args":${argumentTexts[1]}}}`;
const tail = `{"text":"","thoughtSignature":"${ofTail}"}`;

/** An answer with a thought, a signed text, two calls of which the first is signed, and a signature behind it all. */
export const toolTurn: string =
  rawChunk(thought) + rawChunk(text) + rawChunk(`${callA},${callB}`) + rawChunk(tail, 'STOP');

/** The content that must come back of it, byte for byte. */
export const toolContent: string = `{"role":"model","parts":[${[thought, text, callA, callB, tail].join(',')}]}`;
