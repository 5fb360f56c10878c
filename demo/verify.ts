import type { Block, Message } from './messages.ts';
import { rawMembers } from './raw-json.ts';
import { findUnpaired } from './tool-pairs.ts';

/** One answer as it was sent: each of its blocks. */
export type SentAnswer = readonly Block[];

/** One block of an answer that came back. */
export interface BlockLine {
  /** Where it stands in the request: `messages.1.content.0`. */
  readonly path: string;
  /** What the wire calls it. */
  readonly type: string;
  /** Length of its JSON text in UTF-8. */
  readonly bytes: number;
}

/** One block that came back, or should have, beside the one that was sent in its place. */
export interface BlockReport extends BlockLine {
  /** `equal` is byte for byte. */
  readonly match: 'equal' | 'different' | 'missing';
}

/** An assistant message of a request, and the answer that it should be. */
interface Replay {
  readonly path: string;
  readonly got: readonly Block[];
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
  const replays = replaysOf(messages, sent);
  return (
    firstProblem(replays, findWrongThinking) ??
    findUnpaired(messages) ??
    firstProblem(replays, findOtherChange) ??
    findPrefill(messages)
  );
}

/** Compares each block of the assistant messages with what was sent in its place; what is missing comes last. */
export function compareBlocks(messages: readonly Message[], sent: readonly SentAnswer[]): BlockReport[] {
  return replaysOf(messages, sent).flatMap(({ path, got, sent: original }) => [
    ...got.map((block): BlockReport => {
      const isEqual = isSame(block, blockAt(block.place, original));
      return { ...describeBlock(path, block), match: isEqual ? 'equal' : 'different' };
    }),
    ...original.flatMap((block): BlockReport[] =>
      blockAt(block.place, got) ? [] : [{ ...describeBlock(path, block), match: 'missing' }],
    ),
  ]);
}

/** The blocks of the assistant messages, where nobody says what was sent. */
export function listBlocks(messages: readonly Message[]): BlockLine[] {
  const answers = messages.filter(({ role }) => role === 'assistant');
  return answers.flatMap(({ path, content }) => content.map((block) => describeBlock(path, block)));
}

function describeBlock(path: string, { place, type, source }: Block): BlockLine {
  return { path: `${path}.${place}`, type, bytes: Buffer.byteLength(source) };
}

function blockAt(place: string, blocks: readonly Block[]): Block | undefined {
  return blocks.find((block) => block.place === place);
}

function replaysOf(messages: readonly Message[], sent: readonly SentAnswer[]): Replay[] {
  const answers = messages.filter(({ role }) => role === 'assistant');
  return answers.map(({ path, content: got }, count) => ({
    path,
    got,
    // An answer that was never given is not compared, so only its thinking can be wrong.
    sent:
      sent[count]?.filter(({ isOptional, place }) => !isOptional || blockAt(place, got)) ??
      got.filter((block) => !isThinking(block)),
    isLatest: count === answers.length - 1,
  }));
}

function firstProblem(replays: readonly Replay[], find: (replay: Replay) => string | null): string | null {
  for (const replay of replays) {
    const problem = find(replay);
    if (problem !== null) return problem;
  }
  return null;
}

function findWrongThinking({ path, got, sent, isLatest }: Replay): string | null {
  const [first] = got;
  if (sent[0] && isThinking(sent[0]) && first && !isThinking(first)) return mustStartWithThinking(path, first);
  for (const [index, block] of got.entries()) {
    if (!isThinking(block)) continue;
    const place = `${path}.${block.place}`;
    const origin = sent.findIndex((candidate) => isThinking(candidate) && sealOf(candidate) === sealOf(block));
    const original = sent[origin];
    if (!original) return invalidSeal(place, block);
    if (!isSame(block, original)) return isLatest ? modified(place) : invalidSeal(place, block);
    const change = describeChange({ path, got: got.slice(0, index), sent: sent.slice(0, origin), isLatest });
    if (change !== null) return `${invalidSeal(place, block)}. ${boundElsewhere} ${change}`;
  }
  return null;
}

/** What differs before a thinking block, in the service's words; null if nothing does. */
function describeChange({ path, got, sent }: Replay): string | null {
  const index = firstDifference(got, sent);
  if (index === null) return null;
  const missing = sent[index];
  return missing && isThinking(missing) && !got.some((block) => isSame(block, missing))
    ? 'The `thinking` block that preceded this one when it was created is missing from this request.'
    : 'Content that preceded this block when it was created is missing from this request, ' +
        `starting at \`${path}.${(missing ?? got[index])?.place}\`.`;
}

/** The rest of what may differ. The service has no sentence for it, so this one is not a quotation. */
function findOtherChange({ path, got, sent }: Replay): string | null {
  const index = firstDifference(got, sent);
  if (index === null) return null;
  const original = sent[index];
  const expected = original ? `the \`${original.type}\` block of the original response` : 'no further block';
  return `${path}.${(original ?? got[index])?.place}: Expected ${expected}, unchanged and in its place`;
}

function findPrefill(messages: readonly Message[]): string | null {
  return messages.at(-1)?.role === 'assistant'
    ? 'This model does not support assistant message prefill. The conversation must end with a user message.'
    : null;
}

function firstDifference(got: readonly Block[], sent: readonly Block[]): number | null {
  for (let index = 0; index < Math.max(got.length, sent.length); index += 1) {
    const block = got[index];
    if (!block || !isSame(block, sent[index])) return index;
  }
  return null;
}

/** Compares by value, but tool input by its text: whether `1` still is the `1.0` that was signed nobody promises. */
function isSame(got: Block, sent: Block | undefined): boolean {
  if (!sent) return false;
  const keys = Object.keys(got.value).filter((key) => !mayBeAdded(key, got));
  if (keys.length !== Object.keys(sent.value).length) return false;
  return keys.every((key) => memberText(got, key) === memberText(sent, key));
}

/** Where the wire has tool input as a string, that is its text already. */
function memberText({ value, source }: Block, key: string): string | undefined {
  const isParsed = key === 'input' && typeof value[key] !== 'string';
  return isParsed ? rawMembers(source).get(key) : JSON.stringify(value[key]);
}

/** The caller may mark a block for the cache, except thinking; the service leaves the mark out of its comparison. */
export function mayBeAdded(key: string, block: Block): boolean {
  return key === 'cache_control' && !isThinking(block);
}

function isThinking({ value }: Block): boolean {
  return value['type'] === 'thinking' || value['type'] === 'redacted_thinking';
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
