import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import { listRecordings, type Recording } from '../../recordings.ts';

/** All recorded streams of the dialect. */
export function listResponsesRecordings(): readonly Recording[] {
  return listRecordings('corpus/streams/responses');
}

/** The texts of the data lines of a body, one an event. */
export function dataLines(body: Uint8Array): readonly string[] {
  const lines = new TextDecoder().decode(body).split(/\r\n|\n|\r/);
  return lines.flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trim()] : []));
}

/**
 * The events of a body, read in the plainest way that does: one a line.
 *
 * No more than a second opinion on what the wire says: lines that are no object are left out.
 */
export function readEvents(body: Uint8Array): readonly JsonObject[] {
  return dataLines(body).flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const event: unknown = JSON.parse(line);
    return isJsonObject(event) ? [event] : [];
  });
}

/** The output that the terminal event lists; empty if it lists none, or if there is no such event. */
export function terminalOutput(events: readonly JsonObject[]): readonly JsonObject[] {
  const last = events.findLast(({ type }) => /^response\.(completed|incomplete|failed)$/.test(String(type)));
  return isJsonObject(last?.['response']) ? listOf(last['response']['output']) : [];
}

/** The items that are done, in the order in which they are. */
export function doneItems(events: readonly JsonObject[]): readonly JsonObject[] {
  return events.flatMap(({ type, item }) => (type === 'response.output_item.done' && isJsonObject(item) ? [item] : []));
}

/** The objects of a list; none of what is no list. */
export function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
