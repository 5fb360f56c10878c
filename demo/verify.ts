import { rawMembers } from './raw-json.ts';
import { type Block, blockOf, invalidRequest, type Message, type Refusal } from './request.ts';
import { findUnpaired } from './tool-pairs.ts';

/** One answer as it was sent: the JSON text of each of its blocks. */
export type SentAnswer = readonly string[];

/** One block that came back, beside the one that was sent. */
export interface BlockReport {
  /** Where it stands in the request: `messages.1.content.0`. */
  readonly path: string;
  readonly type: string;
  /** Length of its JSON text in UTF-8. */
  readonly bytes: number;
  /** Whether it is the block that was sent in this place, byte for byte. */
  readonly isEqual: boolean;
}

/** An assistant message of a request, and the answer that it should be. */
interface Replay {
  readonly path: string;
  readonly got: readonly Block[];
  readonly sent: readonly Block[];
  readonly isLatest: boolean;
}

const requiredFields: Readonly<Record<string, readonly string[]>> = {
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  text: ['type', 'text'],
  tool_use: ['type', 'id', 'name', 'input'],
};

/**
 * Says what the provider would answer to a request that continues its own answers: null if it accepts it.
 *
 * Stricter than the provider in one point: a changed block after the last thinking block is refused as well. The
 * provider would notice it a turn later, when the next signature is bound to what stands before it.
 *
 * @param messages The request's messages; the n-th assistant message replays the n-th answer.
 * @param sent The answers that were given, in order. An assistant message beyond them may hold no thinking.
 * @see https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
export function verifyMessages(messages: readonly Message[], sent: readonly SentAnswer[]): Refusal | null {
  const replays = replaysOf(messages, sent);
  const problem =
    firstProblem(replays, findWrongField) ??
    firstProblem(replays, findWrongThinking) ??
    findUnpaired(messages) ??
    firstProblem(replays, findOtherChange) ??
    findPrefill(messages);
  return problem === null ? null : invalidRequest(problem);
}

/** Compares each block of the assistant messages with what was sent in its place. */
export function compareBlocks(messages: readonly Message[], sent: readonly SentAnswer[]): BlockReport[] {
  return replaysOf(messages, sent).flatMap(({ path, got, sent: original }) =>
    got.map((block, index) => ({
      path: `${path}.content.${index}`,
      type: typeOf(block),
      bytes: Buffer.byteLength(block.source),
      isEqual: isSame(block, original[index]),
    })),
  );
}

function replaysOf(messages: readonly Message[], sent: readonly SentAnswer[]): Replay[] {
  const places = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
  return places.map((place, count) => ({
    path: `messages.${place}`,
    got: messages[place]?.content ?? [],
    // An answer that was never given is not compared, so only its thinking can be wrong.
    sent: sent[count]?.map(blockOf) ?? (messages[place]?.content ?? []).filter((block) => !isThinking(block)),
    isLatest: count === places.length - 1,
  }));
}

function firstProblem(replays: readonly Replay[], find: (replay: Replay) => string | null): string | null {
  for (const replay of replays) {
    const problem = find(replay);
    if (problem !== null) return problem;
  }
  return null;
}

function findWrongField({ path, got }: Replay): string | null {
  if (got.length === 0) return `${path}: ${mustNotBeEmpty}`;
  for (const [index, block] of got.entries()) {
    const type = typeOf(block);
    const required = requiredFields[type];
    const field = required?.find((key) => !(key in block.value));
    if (field !== undefined) return `${path}.content.${index}.${type}.${field}: Field required`;
    const extra = Object.keys(block.value).find(
      (key) => required && !required.includes(key) && !mayBeAdded(key, block),
    );
    if (extra !== undefined) return `${path}.content.${index}.${type}.${extra}: Extra inputs are not permitted`;
  }
  return null;
}

function findWrongThinking({ path, got, sent, isLatest }: Replay): string | null {
  const [first] = got;
  if (sent[0] && isThinking(sent[0]) && first && !isThinking(first)) return mustStartWithThinking(path, typeOf(first));
  for (const [index, block] of got.entries()) {
    if (!isThinking(block)) continue;
    const place = `${path}.content.${index}`;
    const origin = sent.findIndex((candidate) => isThinking(candidate) && sealOf(candidate) === sealOf(block));
    const original = sent[origin];
    if (!original) return invalidSeal(place, block);
    if (!isSame(block, original)) return isLatest ? modified(place) : invalidSeal(place, block);
    const change = describeChange({ path, got: got.slice(0, index), sent: sent.slice(0, origin), isLatest });
    if (change !== null) return `${invalidSeal(place, block)}. ${boundElsewhere} ${change}`;
  }
  return null;
}

/** What differs before a thinking block, in the provider's words; null if nothing does. */
function describeChange({ path, got, sent }: Replay): string | null {
  const index = firstDifference(got, sent);
  if (index === null) return null;
  const missing = sent[index];
  return missing && isThinking(missing) && !got.some((block) => isSame(block, missing))
    ? 'The `thinking` block that preceded this one when it was created is missing from this request.'
    : 'Content that preceded this block when it was created is missing from this request, ' +
        `starting at \`${path}.content.${index}\`.`;
}

/** The rest of what may differ. The provider has no sentence for it, so this one is not a quotation. */
function findOtherChange({ path, got, sent }: Replay): string | null {
  const index = firstDifference(got, sent);
  const original = index === null ? undefined : sent[index];
  if (index === null) return null;
  const expected = original ? `the \`${typeOf(original)}\` block of the original response` : 'no further block';
  return `${path}.content.${index}: Expected ${expected}, unchanged and in its place`;
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

function memberText(block: Block, key: string): string | undefined {
  return key === 'input' ? rawMembers(block.source).get(key) : JSON.stringify(block.value[key]);
}

/** The caller may mark a block for the cache, except thinking; the provider leaves the mark out of its comparison. */
function mayBeAdded(key: string, block: Block): boolean {
  return key === 'cache_control' && !isThinking(block);
}

function isThinking(block: Block): boolean {
  return typeOf(block) === 'thinking' || typeOf(block) === 'redacted_thinking';
}

function typeOf({ value }: Block): string {
  return String(value['type']);
}

function sealOf({ value }: Block): unknown {
  return value['signature'] ?? value['data'];
}

function invalidSeal(place: string, block: Block): string {
  const field = typeOf(block) === 'thinking' ? 'signature' : 'data';
  return `${place}: Invalid \`${field}\` in \`${typeOf(block)}\` block`;
}

function modified(place: string): string {
  return (
    `${place}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. ` +
    'These blocks must remain as they were in the original response.'
  );
}

function mustStartWithThinking(path: string, found: string): string {
  return (
    `${path}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. When \`thinking\` ` +
    'is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of ' +
    '`tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid ' +
    'this requirement, disable `thinking`.'
  );
}

const mustNotBeEmpty = 'all messages must have non-empty content except for the optional final assistant message';

const boundElsewhere =
  'The block is bound to a different conversation. Remove the block, or set ' +
  '`thinking.block_binding.prefix_mismatch_behavior` to "drop_block".';
