import type { Dialect } from '../core/dialect.ts';
import { isJsonObject } from '../core/json-object.ts';
import type { SseMessage } from '../core/sse-message.ts';
import { createSseReader } from '../text/sse-reader.ts';
import { CliError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import { dialectByName, dialectNames, dialects } from './dialects.ts';
import { openInput } from './open-input.ts';

/** An event stream whose dialect is known. */
export interface Recording {
  readonly dialect: Dialect;
  /** All of its bytes, from the first; to be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Where a recording comes from. */
export interface RecordingSource {
  /** A file's path, or `-` for what comes in on stdin. */
  readonly path: string;
  /** The name of its dialect; undefined where its first event shall tell. */
  readonly dialect?: string | undefined;
}

/** Shown of what is not understood, in UTF-16 code units of its JSON. */
const excerptLength = 100;

/**
 * Opens a recording, and reads on until its first event is there, which tells its dialect. What comes later is not
 * waited for.
 *
 * @throws CliError with exit code 3 if it cannot be opened or read, is empty, is no event stream, or is in no dialect
 *   that is known; with exit code 2 if `dialect` names none.
 */
export async function openRecording(
  { path, dialect }: RecordingSource,
  io: Pick<CliIo, 'stdin' | 'signal'>,
): Promise<Recording> {
  const named = dialect === undefined ? undefined : dialectByName(dialect);
  const start: Uint8Array[] = [];
  try {
    const input = await openInput(path, io);
    const iterator = input[Symbol.asyncIterator]();
    const event = await firstEvent(iterator, start);
    if (start.length === 0) throw new Error('it is empty');
    if (!event) throw new Error(describeBody(Buffer.concat(start).toString()));
    return { dialect: named ?? recognise(event), chunks: joined(start, iterator) };
  } catch (cause) {
    const name = path === '-' ? 'stdin' : JSON.stringify(path);
    throw CliError.io(`Cannot read ${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Reads up to the first message with content, undefined if none comes, and keeps the chunks that are not empty. */
async function firstEvent(iterator: AsyncIterator<Uint8Array>, start: Uint8Array[]): Promise<SseMessage | undefined> {
  const reader = createSseReader();
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    if (next.value.length > 0) start.push(next.value);
    const event = reader.push(next.value).find(hasContent);
    if (event) return event;
    if (reader.failure) throw reader.failure;
  }
  return reader.flush().find(hasContent);
}

async function* joined(
  start: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* start;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

function hasContent({ data }: SseMessage): boolean {
  return data.trim() !== '' && data.trim() !== '[DONE]';
}

function recognise({ event, data }: SseMessage): Dialect {
  const wire = parse(data);
  if (isJsonObject(wire)) {
    // Some servers name the event in its `event` line only.
    const dialect = dialects.find((known) => known.recognises({ type: event, ...wire }));
    if (dialect) return dialect;
    const { error } = wire;
    const said = isJsonObject(error) ? error['message'] : error;
    if (typeof said === 'string') throw new Error(`it is an error: ${said}`);
  }
  const known = `none of the dialects known here (${dialectNames()})`;
  throw new Error(
    `its first event is in ${known}: ${excerpt(data)}. Name its dialect with --dialect if it is one of them`,
  );
}

/** Says what a body is that holds no event; an error in JSON would be one, see {@link createSseReader}. */
function describeBody(body: string): string {
  if (body.startsWith(':')) return 'it is an event stream of comments, with no event in it';
  if (parse(body) === undefined) return `it is no event stream; it begins with ${excerpt(body)}`;
  return 'it is JSON and no event stream. Was the request made with `stream: true`?';
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function excerpt(text: string): string {
  const quoted = JSON.stringify(text.slice(0, excerptLength + 1));
  return quoted.length - 2 > excerptLength ? `${quoted.slice(0, excerptLength + 1)}…"` : quoted;
}
