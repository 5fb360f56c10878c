/**
 * Copies finished blocks in the leanest form V8 has for them: objects as `JSON.parse` builds them, each text once and
 * flat, so that nothing hangs on a longer text or on the pieces it was put together from.
 *
 * A member called `input` is copied as parsing it again would: that is how it comes to be, and a call has two of it.
 */
export function plainCopy(blocks: unknown): unknown {
  const parts: (() => unknown)[] = [];
  const flat = new Map<string, string>();
  const shape: unknown = JSON.parse(
    JSON.stringify(blocks, (key, member: unknown) => {
      const part = key === 'input' ? parsedAgain(member) : typeof member === 'string' && textPart(member, flat);
      return part ? `${parts.push(part) - 1}` : member;
    }),
  );
  return filled(shape, parts);
}

/** The words of the format, which all blocks share as they are literals of the code or internalised by the parser. */
const words = new Map<string, string>();
const longestWord = 16;

function textPart(text: string, flat: Map<string, string>): () => string {
  const shared = text.length <= longestWord ? words : flat;
  const copy = shared.get(text) ?? flatCopy(text);
  shared.set(text, copy);
  return () => copy;
}

function parsedAgain(input: unknown): () => unknown {
  const text = JSON.stringify(input);
  return () => JSON.parse(text);
}

/** Puts the parts in the place of their numbers. */
function filled(shape: unknown, parts: readonly (() => unknown)[]): unknown {
  if (typeof shape === 'string') return parts[Number(shape)]?.();
  if (typeof shape !== 'object' || shape === null) return shape;
  for (const [key, member] of Object.entries(shape)) Reflect.set(shape, key, filled(member, parts));
  return shape;
}

function flatCopy(text: string): string {
  const isLatin1 = !/[^\0-\xff]/.test(text);
  return Buffer.from(text, isLatin1 ? 'latin1' : 'utf16le').toString(isLatin1 ? 'latin1' : 'utf16le');
}
