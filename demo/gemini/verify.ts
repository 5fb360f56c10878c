import { findChange, replaysOf, type SentAnswer } from '../compare.ts';
import type { Block, Message } from '../messages.ts';

/**
 * Says what the service would answer to a request that continues its own answers: null if it accepts it.
 *
 * Stricter than the service in one point: whatever else was changed in an answer is refused as well.
 *
 * @param messages The request's contents.
 * @param sent The answers that were given, in order.
 * @see https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export function verifyContents(messages: readonly Message[], sent: readonly SentAnswer[]): string | null {
  return (
    findUnsignedCall(messages) ??
    findCorruptSignature(messages, sent.flat()) ??
    findUnpaired(messages) ??
    findChange(replaysOf(messages, sent))
  );
}

/** Stands for the signature of a call that another model made. */
const sentinel = 'skip_thought_signature_validator';

/** In the current turn, which begins with what the person said last, the first call of each content is signed. */
function findUnsignedCall(messages: readonly Message[]): string | null {
  const start = messages.findLastIndex(({ role, content }) => role === 'user' && content.some(isText));
  for (const [index, { role, content }] of messages.entries()) {
    if (index < start || role !== 'assistant') continue;
    const call = content.find(isCall);
    if (call && signatureOf(call) === undefined) return missingSignature(call, index + 1);
  }
  return null;
}

function findCorruptSignature(messages: readonly Message[], sent: readonly Block[]): string | null {
  const known = new Set([sentinel, undefined, ...sent.map(signatureOf)]);
  const signatures = messages.flatMap(({ content }) => content.map(signatureOf));
  return signatures.every((signature) => known.has(signature)) ? null : 'Corrupted thought signature.';
}

/** The calls of a content are answered in the next one, all of them, and nothing else is. */
function findUnpaired(messages: readonly Message[]): string | null {
  for (const [index, { role, content }] of messages.entries()) {
    const [calls, next] = [content.filter(isCall).length, messages[index + 1]];
    const responses = next?.role === 'user' ? next.content.filter(isResponse).length : 0;
    if (role === 'assistant' && calls !== responses) {
      return calls === 0
        ? 'Please ensure that function response turn comes immediately after a function call turn.'
        : 'Please ensure that the number of function response parts is equal to the number of function call parts ' +
            'of the function call turn.';
    }
    const isLost = index === 0 || messages[index - 1]?.role === 'user';
    if (role === 'user' && isLost && content.some(isResponse)) {
      return 'Please ensure that function response turn comes immediately after a function call turn.';
    }
  }
  return null;
}

function isText({ type }: Block): boolean {
  return type === 'text';
}

function isCall({ type }: Block): boolean {
  return type === 'functionCall';
}

function isResponse({ type }: Block): boolean {
  return type === 'functionResponse';
}

function signatureOf({ value }: Block): unknown {
  return value['thoughtSignature'];
}

function missingSignature({ value }: Block, position: number): string {
  const { name } = Object(value['functionCall']) as { name?: unknown };
  return (
    'Function call is missing a thought_signature in functionCall parts. This is required for tools to work ' +
    'correctly, and missing thought_signature may lead to degraded model performance. Additional data, function ' +
    `call \`default_api:${name}\` , position ${position}. Please refer to ` +
    'https://ai.google.dev/gemini-api/docs/thought-signatures for more details.'
  );
}
