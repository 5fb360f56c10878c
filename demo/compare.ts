import { type Block, type Message, pathTo } from './messages.ts';
import { rawMembers } from './raw-json.ts';

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
export interface Replay extends Pick<Message, 'path' | 'first'> {
  readonly got: readonly Block[];
  /** Undefined if no answer was given in this place. */
  readonly sent: readonly Block[] | undefined;
}

/** Puts each assistant message of a request beside the answer in whose place it stands. */
export function replaysOf(messages: readonly Message[], sent: readonly SentAnswer[]): Replay[] {
  const answers = messages.filter(({ role }) => role === 'assistant');
  return answers.map(({ content: got, ...message }, count) => ({
    ...message,
    got,
    sent: sent[count]?.filter(({ isOptional, place }) => !isOptional || blockAt(place, got)),
  }));
}

/** Compares each block of the assistant messages with what was sent in its place; what is missing comes last. */
export function compareBlocks(messages: readonly Message[], sent: readonly SentAnswer[]): BlockReport[] {
  return replaysOf(messages, sent).flatMap(({ got, sent: original = [], ...message }) => [
    ...got.map((block): BlockReport => {
      const isEqual = isSame(block, blockAt(block.place, original));
      return { ...describeBlock(message, block), match: isEqual ? 'equal' : 'different' };
    }),
    ...original.flatMap((block): BlockReport[] =>
      blockAt(block.place, got) ? [] : [{ ...describeBlock(message, block), match: 'missing' }],
    ),
  ]);
}

/** The blocks of the assistant messages, where nobody says what was sent. */
export function listBlocks(messages: readonly Message[]): BlockLine[] {
  const answers = messages.filter(({ role }) => role === 'assistant');
  return answers.flatMap((message) => message.content.map((block) => describeBlock(message, block)));
}

/**
 * Says what differs between what came back and what was sent; null if nothing does.
 *
 * The services have no sentence for it, so this one is not a quotation.
 */
export function findChange(replays: readonly Replay[]): string | null {
  for (const { got, sent = got, ...message } of replays) {
    const index = firstDifference(got, sent);
    if (index === null) continue;
    const original = sent[index];
    const expected = original ? `the \`${original.type}\` block of the original response` : 'no further block';
    const path = pathTo(message, (original ?? got[index])?.place ?? '');
    return `${path}: Expected ${expected}, unchanged and in its place`;
  }
  return null;
}

/** The place of the first block that is not what was sent there; null if there is none. */
export function firstDifference(got: readonly Block[], sent: readonly Block[]): number | null {
  for (let index = 0; index < Math.max(got.length, sent.length); index += 1) {
    const block = got[index];
    if (!block || !isSame(block, sent[index])) return index;
  }
  return null;
}

/**
 * Whether a block is the one that was sent.
 *
 * Compares by value, but tool input by its text: whether `1` still is the `1.0` that was signed nobody promises.
 */
export function isSame(got: Block, sent: Block | undefined): boolean {
  if (!sent) return false;
  const keys = Object.keys(got.value);
  if (keys.length !== Object.keys(sent.value).length) return false;
  return keys.every((key) => memberText(got, key) === memberText(sent, key));
}

/** Where the wire has tool input as a string, that is its text already. */
function memberText({ value, source }: Block, key: string): string | undefined {
  const isParsed = key === 'input' && typeof value[key] !== 'string';
  return isParsed ? rawMembers(source).get(key) : JSON.stringify(value[key]);
}

function describeBlock(message: Pick<Message, 'path' | 'first'>, { place, type, source }: Block): BlockLine {
  return { path: pathTo(message, place), type, bytes: Buffer.byteLength(source) };
}

function blockAt(place: string, blocks: readonly Block[]): Block | undefined {
  return blocks.find((block) => block.place === place);
}
