import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import { listRecordings, type Recording } from '../../recordings.ts';

/** The folders of the corpus whose streams are chat completions. */
export const chatFolders = ['chat', 'chat-reasoning', 'chat-reasoning-details', 'mistral'] as const;

/** All recorded streams of the dialect, named `<folder>/<file>`. */
export function listChatRecordings(): readonly Recording[] {
  return chatFolders.flatMap((folder) =>
    listRecordings(`corpus/streams/${folder}`).map((recording) => ({
      ...recording,
      name: `${folder}/${recording.name}`,
    })),
  );
}

/**
 * The chunks of a body, read in the plainest way that does: one a line.
 *
 * No more than a second opinion on what the wire says: comments, lines that are no object, and all behind `[DONE]` are
 * left out.
 */
export function readChunks(body: Uint8Array): readonly JsonObject[] {
  const lines = new TextDecoder().decode(body).split(/\r\n|\n|\r/);
  const end = lines.findIndex((line) => line.startsWith('data: [DONE]'));
  return lines.slice(0, end < 0 ? undefined : end).flatMap((line) => {
    const [, data] = /^ ?data: ?(\{.*)$/s.exec(line) ?? [];
    const chunk = data === undefined ? undefined : parse(data);
    return isJsonObject(chunk) ? [chunk] : [];
  });
}

/** The choices of a chunk. */
export function choicesOf({ choices }: JsonObject): readonly JsonObject[] {
  return Array.isArray(choices) ? choices.filter(isJsonObject) : [];
}

/** What the first choice of each chunk said, one delta after the other. */
export function deltasOf(chunks: readonly JsonObject[]): readonly JsonObject[] {
  return chunks.flatMap(choicesOf).flatMap(({ index, delta, message }) => {
    const growth = delta ?? message;
    return (index === undefined || index === 0) && isJsonObject(growth) ? [growth] : [];
  });
}

/** The strings that came under a name, joined; undefined if there were none. */
export function joinedStrings(deltas: readonly JsonObject[], name: string): string | undefined {
  const pieces = deltas.map((delta) => delta[name]).filter((piece) => typeof piece === 'string');
  return pieces.length > 0 ? pieces.join('') : undefined;
}

/** The lists that came under a name, as one. */
export function joinedLists(deltas: readonly JsonObject[], name: string): readonly JsonObject[] {
  return deltas.flatMap((delta) => (Array.isArray(delta[name]) ? delta[name].filter(isJsonObject) : []));
}

/** A call while it is read. */
interface WireCall extends JsonObject {
  readonly function: { readonly name: unknown; arguments: string };
}

/** Calls of which each begins with its id and goes on without; their index is of the stream. */
export function callsOf(pieces: readonly JsonObject[]): readonly JsonObject[] {
  const calls: WireCall[] = [];
  for (const { id, index: _index, function: called, ...rest } of pieces) {
    const { name, arguments: text } = isJsonObject(called) ? called : {};
    if (id) calls.push({ id, function: { name, arguments: '' } });
    const call = calls.at(-1);
    if (!call) continue;
    Object.assign(call, rest);
    call.function.arguments += String(text ?? '');
  }
  return calls;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
