import { type Observable, share } from 'rxjs';
import { isJsonObject, type JsonObject } from '../src/core/json-object.ts';
import { fromResponse, sseMessages } from '../src/index.ts';
import { parseJson } from './raw-json.ts';

/**
 * Reads an answer beside the turn, as one does who keeps pieces of its events: that is what usual mistakes are made of.
 *
 * @param response The answer; this is its only reader.
 * @param onEvent Told of each event.
 * @returns The answer's chunks, for the turn.
 */
export function overhear(
  response: Promise<Response>,
  onEvent: (event: JsonObject) => void,
): Observable<Uint8Array | string> {
  const chunks = fromResponse(response).pipe(share());
  chunks.pipe(sseMessages()).subscribe({
    next({ data }) {
      const event = parseJson(data);
      if (isJsonObject(event)) onEvent(event);
    },
    // What goes wrong the turn tells.
    error() {},
  });
  return chunks;
}
