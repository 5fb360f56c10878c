import { findChange, firstDifference, isSame, type Replay, replaysOf, type SentAnswer } from './compare.ts';
import { type Block, isThinking, type Message } from './messages.ts';
import { findUnpaired } from './tool-pairs.ts';

/** An assistant message of a request, and the answer that it has to be. */
interface BoundReplay extends Replay {
  readonly sent: readonly Block[];
  readonly isLatest: boolean;
}

/**
 * Says what the model's service would answer to a request that continues its own answers: null if it accepts it.
 *
 * Stricter than the service in one point: a changed block after the last thinking block is refused as well. The
 * service would notice it a turn later, when the next signature is bound to what stands before it.
 *
 * @param messages The request's messages; the n-th assistant message replays the n-th answer.
 * @param sent The answers that were given, in order. An assistant message beyond them may hold no thinking.
 * @see https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
export function verifyMessages(messages: readonly Message[], sent: readonly SentAnswer[]): string | null {
  const replays = boundReplaysOf(messages, sent);
  return (
    replays.map(findWrongThinking).find((problem) => problem !== null) ??
    findUnpaired(messages) ??
    findChange(replays) ??
    findPrefill(messages)
  );
}

function boundReplaysOf(messages: readonly Message[], sent: readonly SentAnswer[]): BoundReplay[] {
  const replays = replaysOf(messages, sent);
  return replays.map((replay, count) => ({
    ...replay,
    // An answer that was never given is not compared, so only its thinking can be wrong.
    sent: replay.sent ?? replay.got.filter((block) => !isThinking(block)),
    isLatest: count === replays.length - 1,
  }));
}

function findWrongThinking({ path, got, sent, isLatest }: BoundReplay): string | null {
  const [first] = got;
  if (sent[0] && isThinking(sent[0]) && first && !isThinking(first)) return mustStartWithThinking(path, first);
  for (const [index, block] of got.entries()) {
    if (!isThinking(block)) continue;
    const place = `${path}.${block.place}`;
    const origin = sent.findIndex((candidate) => isThinking(candidate) && sealOf(candidate) === sealOf(block));
    const original = sent[origin];
    if (!original) return invalidSeal(place, block);
    if (!isSame(block, original)) return isLatest ? modified(place) : invalidSeal(place, block);
    const change = describeChange({ path, got: got.slice(0, index), sent: sent.slice(0, origin) });
    if (change !== null) return `${invalidSeal(place, block)}. ${boundElsewhere} ${change}`;
  }
  return null;
}

/** What differs before a thinking block, in the service's words; null if nothing does. */
function describeChange({ path, got, sent }: Omit<BoundReplay, 'isLatest'>): string | null {
  const index = firstDifference(got, sent);
  if (index === null) return null;
  const missing = sent[index];
  return missing && isThinking(missing) && !got.some((block) => isSame(block, missing))
    ? 'The `thinking` block that preceded this one when it was created is missing from this request.'
    : 'Content that preceded this block when it was created is missing from this request, ' +
        `starting at \`${path}.${(missing ?? got[index])?.place}\`.`;
}

function findPrefill(messages: readonly Message[]): string | null {
  return messages.at(-1)?.role === 'assistant'
    ? 'This model does not support assistant message prefill. The conversation must end with a user message.'
    : null;
}

function sealOf({ value }: Block): unknown {
  return value['signature'] ?? value['data'];
}

function invalidSeal(place: string, { value }: Block): string {
  const field = value['type'] === 'thinking' ? 'signature' : 'data';
  return `${place}: Invalid \`${field}\` in \`${value['type']}\` block`;
}

function modified(place: string): string {
  return (
    `${place}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. ` +
    'These blocks must remain as they were in the original response.'
  );
}

function mustStartWithThinking(path: string, { place, value }: Block): string {
  return (
    `${path}.${place}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${value['type']}\`. When ` +
    '`thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set ' +
    'of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid ' +
    'this requirement, disable `thinking`.'
  );
}

const boundElsewhere =
  'The block is bound to a different conversation. Remove the block, or set ' +
  '`thinking.block_binding.prefix_mismatch_behavior` to "drop_block".';
