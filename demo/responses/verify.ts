import { findChange, replaysOf, type SentAnswer } from '../compare.ts';
import { type Block, invalidRequest, type Message, type Refusal } from '../messages.ts';

/**
 * Says what the service would answer to a request that continues its own answers: null if it accepts it.
 *
 * Stricter than the service promises to be in two points: behind reasoning stands the very item that it led to, not
 * just one of them, and whatever else was changed in an answer is refused as well.
 *
 * @param messages What was read of the request's items.
 * @param sent The answers that were given, in order.
 * @see https://platform.openai.com/docs/guides/reasoning#keeping-reasoning-items-in-context
 */
export function verifyItems(messages: readonly Message[], sent: readonly SentAnswer[]): Refusal | null {
  const items = messages.flatMap(({ content }) => content);
  const problem = (): string | null =>
    findUnpaired(items) ?? findTornApart(items, sent) ?? findChange(replaysOf(messages, sent));
  return findWrongCiphertext(items, sent.flat()) ?? inInput(problem());
}

/** Nothing is stored, so reasoning has to bring its ciphertext, under the id that it was made for. */
function findWrongCiphertext(items: readonly Block[], sent: readonly Block[]): Refusal | null {
  for (const item of items.filter(isReasoning)) {
    const ciphertext = item.value['encrypted_content'];
    const id = idOf(item);
    if (typeof ciphertext !== 'string') return notStored(id);
    const original = sent.find(({ value }) => value['encrypted_content'] === ciphertext);
    if (!original) return unverified(item, 'Encrypted content could not be decrypted or parsed.');
    if (id !== undefined && id !== idOf(original)) {
      return unverified(item, 'Encrypted content item_id did not match the target item id.');
    }
  }
  return null;
}

function findUnpaired(items: readonly Block[]): string | null {
  const idsOf = (type: string): unknown[] =>
    items.filter((item) => item.type === type).map(({ value }) => value['call_id']);
  const [calls, outputs] = [idsOf('function_call'), idsOf('function_call_output')];
  const stray = outputs.find((id) => !calls.includes(id));
  if (stray !== undefined) return `No tool call found for function call output with call_id ${stray}.`;
  const open = calls.find((id) => !outputs.includes(id));
  return open === undefined ? null : `No tool output found for function call ${open}.`;
}

/** Finds reasoning without what it led to, and items without the reasoning that led to them. */
function findTornApart(items: readonly Block[], sent: readonly SentAnswer[]): string | null {
  for (const [index, item] of items.entries()) {
    const answer = sent.find((candidates) => candidates.some((candidate) => isSameItem(item, candidate)));
    const place = answer?.findIndex((candidate) => isSameItem(item, candidate)) ?? -1;
    if (!answer || place < 0) continue;
    const [before, after] = [answer.slice(0, place), answer.slice(place + 1)];
    if (isReasoning(item)) {
      const [next, required] = [items.slice(index + 1), after].map((list) => list.find((other) => !isReasoning(other)));
      if (!next || !required || !canBe(next, required)) return `${named(item)} without its required following item.`;
      continue;
    }
    const reasoning = before.findLast(isReasoning);
    const isThere = items.slice(0, index).some((other) => reasoning && isSameItem(other, reasoning));
    if (reasoning && !isThere) {
      return `${named(item)} without its required 'reasoning' item: '${idOf(reasoning)}'.`;
    }
  }
  return null;
}

/** An item that gave up its id is known by its type alone. */
function canBe(item: Block, original: Block): boolean {
  return item.type === original.type && (idOf(item) === undefined || isSameItem(item, original));
}

function isSameItem(item: Block, original: Block): boolean {
  return idOf(item) !== undefined && idOf(item) === idOf(original);
}

function isReasoning({ type }: Block): boolean {
  return type === 'reasoning';
}

function idOf({ value }: Block): unknown {
  return value['id'];
}

function named(item: Block): string {
  return `Item '${idOf(item)}' of type '${item.type}' was provided`;
}

function inInput(problem: string | null): Refusal | null {
  return problem === null ? null : { ...invalidRequest(problem), param: 'input' };
}

function unverified(item: Block, reason: string): Refusal {
  const subject = idOf(item) === undefined ? excerptOf(item) : `for item ${idOf(item)}`;
  const message = `The encrypted content ${subject} could not be verified. Reason: ${reason}`;
  return { ...invalidRequest(message), code: 'invalid_encrypted_content' };
}

function excerptOf({ value }: Block): string {
  const ciphertext = String(value['encrypted_content']);
  return `${ciphertext.slice(0, 4)}...${ciphertext.slice(-4)}`;
}

function notStored(id: unknown): Refusal {
  const message =
    `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. ` +
    'Try again with `store` set to true, or remove this item from your input.';
  return { ...invalidRequest(message), status: 404, param: 'input' };
}
