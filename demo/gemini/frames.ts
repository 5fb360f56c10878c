import { delays, type Frame, type FrameOptions } from '../frames.ts';
import type { ScriptedAnswer } from '../script.ts';
import { partsOf, type ScriptedPart, sourceOf } from './contents.ts';

/** A part as one chunk brings it: a piece of a text, or anything else whole. */
interface Piece {
  readonly part: ScriptedPart;
  readonly delay: number;
}

/** Tokens that were spent so far. */
interface Spent {
  readonly prompt: number;
  readonly thoughts: number;
  readonly answer: number;
}

/**
 * Makes the SSE messages of an answer, cut as the service cuts them: some words a chunk, each call whole in its own, the
 * finish reason beside an empty text, which at the end of an answer without calls is signed.
 */
export function framesOf(answer: ScriptedAnswer, { model, inputTokens }: FrameOptions): Frame[] {
  const isToolTurn = answer.stopReason === 'tool_use';
  const parts: ScriptedPart[] = [...partsOf(answer), ...(isToolTurn ? [{ text: '' }] : [])];
  const pieces = parts.flatMap(piecesOf);
  return pieces.map(({ part, delay }, index) => {
    const isLast = index === pieces.length - 1;
    const candidate = [
      `"content": {"parts": [${sourceOf(part)}],"role": "model"}`,
      ...(isLast ? ['"finishReason": "STOP"'] : []),
      '"index": 0',
      ...(isLast && isToolTurn ? ['"finishMessage": "Model generated function call(s)."'] : []),
    ];
    const chunk = [
      `"candidates": [{${candidate.join(',')}}]`,
      `"usageMetadata": ${writeJson(usageOf(spentUntil(index, pieces, inputTokens)))}`,
      `"modelVersion": ${JSON.stringify(model)}`,
      `"responseId": ${JSON.stringify(answer.id.replace('msg_', ''))}`,
    ];
    return { delay: index === 0 ? delays.start : delay, text: `data: {${chunk.join(',')}}\r\n\r\n` };
  });
}

function piecesOf(part: ScriptedPart): Piece[] {
  if (!('text' in part) || part.text === '') return [{ part, delay: delays.block }];
  return phrases(part.text).map((text) => ({ part: { ...part, text }, delay: delays.delta * wordsInPhrase }));
}

const wordsInPhrase = 6;

function phrases(text: string): readonly string[] {
  return text.match(new RegExp(`(?:\\S+\\s*){1,${wordsInPhrase}}`, 'g')) ?? [];
}

function spentUntil(index: number, pieces: readonly Piece[], prompt: number): Spent {
  const parts = pieces.slice(0, index + 1).map(({ part }) => part);
  const tokensOf = (isCounted: (part: ScriptedPart) => boolean): number =>
    parts.filter(isCounted).reduce((sum, part) => sum + Math.ceil(lengthOf(part) / 4), 0);
  return { prompt, thoughts: tokensOf(isThought), answer: tokensOf((part) => !isThought(part)) };
}

function isThought(part: ScriptedPart): boolean {
  return 'thought' in part && part.thought === true;
}

function lengthOf(part: ScriptedPart): number {
  return 'text' in part ? part.text.length : part.name.length + part.argsText.length;
}

/** Counts the whole answer so far, every time anew; what is zero is left out. */
function usageOf({ prompt, thoughts, answer }: Spent): object {
  return {
    promptTokenCount: prompt,
    ...(answer > 0 && { candidatesTokenCount: answer }),
    totalTokenCount: prompt + thoughts + answer,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
  };
}

/** JSON with the service's blanks: one behind each colon, none behind a comma. */
function writeJson(value: object): string {
  return JSON.stringify(value, null, 1).replace(/\n\s*/g, '');
}
