import type { AnswerContext } from '../service.ts';
import type { StreamedPart } from './parts.ts';

/**
 * The SSE messages of an answer: some words a chunk, each call whole in its own, the finish reason with the last.
 *
 * @see https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 */
export function framesOf(
  parts: readonly StreamedPart[],
  finishReason: string,
  context: AnswerContext,
): readonly string[] {
  const isSignedEnd = parts.at(-1)?.content['text'] === '';
  const pieces = [...parts.flatMap(piecesOf), ...(isSignedEnd ? [] : ['{"text": ""}'])];
  return pieces.map((part, at) => {
    const isLast = at === pieces.length - 1;
    const reason = isLast ? `,"finishReason": ${JSON.stringify(finishReason)}` : '';
    const usage = { promptTokenCount: context.inputTokens, candidatesTokenCount: at + 1 };
    const chunk = [
      `"candidates": [{"content": {"parts": [${part}],"role": "model"}${reason},"index": 0}]`,
      `"usageMetadata": ${JSON.stringify({ ...usage, totalTokenCount: context.inputTokens + at + 1 })}`,
      `"modelVersion": ${JSON.stringify(context.model)}`,
      `"responseId": ${JSON.stringify(context.id)}`,
    ];
    return `data: {${chunk.join(',')}}\r\n\r\n`;
  });
}

/** A part as the service writes it, or the parts that it is cut into. */
function piecesOf({ content, seal, argsText }: StreamedPart): readonly string[] {
  const { text, thought, functionCall } = content;
  const signature = seal === undefined ? '' : `,"thoughtSignature": ${JSON.stringify(seal)}`;
  if (functionCall !== undefined) {
    const { name } = functionCall as { readonly name: string };
    return [`{"functionCall": {"name": ${JSON.stringify(name)},"args": ${argsText}}${signature}}`];
  }
  const mark = thought === true ? ',"thought": true' : '';
  const phrases = String(text).match(/(?:\S+\s*){1,6}|\s+/g) ?? [''];
  return phrases.map((phrase) => `{"text": ${JSON.stringify(phrase)}${mark}${signature}}`);
}
