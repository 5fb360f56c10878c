import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';

/**
 * The chunks of a body, read in the plainest way that does: the lines between two blank ones are one.
 *
 * No more than a second opinion on what the wire says: what is no object is left out.
 */
export function readChunks(body: Uint8Array): readonly JsonObject[] {
  return new TextDecoder()
    .decode(body)
    .split(/(?:\r\n|\n|\r){2}/)
    .flatMap((message) => {
      const chunk = parse(message.replace(/^data: ?/gm, ''));
      return isJsonObject(chunk) ? [chunk] : [];
    });
}

/** The parts of the first candidate, one chunk after the other. */
export function partsOf(chunks: readonly JsonObject[]): readonly JsonObject[] {
  return chunks.flatMap(candidatesOf).flatMap(({ content }) => {
    const parts = isJsonObject(content) ? content['parts'] : undefined;
    return Array.isArray(parts) ? parts.filter(isJsonObject) : [];
  });
}

/** The candidates of a chunk whose index is 0, or that have none. */
export function candidatesOf({ candidates }: JsonObject): readonly JsonObject[] {
  const list = Array.isArray(candidates) ? candidates.filter(isJsonObject) : [];
  return list.filter(({ index }) => index === undefined || index === 0);
}

/** The text of all parts of one kind. */
export function textOf(parts: readonly JsonObject[], isThought: boolean): string {
  const isOfKind = (part: JsonObject): boolean => (part['thought'] === true) === isThought && !('functionCall' in part);
  return parts.map((part) => (isOfKind(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
