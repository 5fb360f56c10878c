import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A stream beside the project: a case or a real recording. Both are measured against, never copied in. */
export interface Recording {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The text of the file beside it with another ending. */
  read(ending: string): string;
}

const shared = new URL('../../shared/', import.meta.url);

/**
 * The streams of a folder under `../shared`, in order of their names; none where it is absent, as outside of
 * development, and that is said.
 *
 * @param folder Such as `cases/anthropic`.
 */
export function listRecordings(folder: string): readonly Recording[] {
  const place = new URL(`${folder}/`, shared);
  if (isAbsent(folder)) return [];
  const names = readdirSync(place).filter((file) => file.endsWith('.sse'));
  return names.sort().map((file) => ({
    name: file.slice(0, -'.sse'.length),
    bytes: new Uint8Array(readFileSync(new URL(encodeURIComponent(file), place))),
    read: (ending) => readFileSync(new URL(encodeURIComponent(file.replace(/\.sse$/, ending)), place), 'utf8'),
  }));
}

/** The parsed JSON files of a folder under `../shared`, with their names. */
export function listDocuments(folder: string): readonly { readonly name: string; readonly document: unknown }[] {
  const place = new URL(`${folder}/`, shared);
  if (isAbsent(folder)) return [];
  const names = readdirSync(place).filter((file) => file.endsWith('.json'));
  return names.sort().map((name) => {
    const document: unknown = JSON.parse(readFileSync(new URL(encodeURIComponent(name), place), 'utf8'));
    return { name, document };
  });
}

/** Whether a folder under `../shared` is missing; says so, for then its tests are skipped. */
function isAbsent(folder: string): boolean {
  const absent = !existsSync(new URL(`${folder}/`, shared));
  if (absent) console.warn(`skipped: the recordings of ../shared/${folder} are not on this machine`);
  return absent;
}
