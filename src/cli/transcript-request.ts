import type { Dialect } from '../core/dialect.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import { historyMember } from '../replay/history-member.ts';
import { dialectByName } from './dialects.ts';

/** A request, and the dialect that it is in. */
export interface DialectRequest {
  readonly dialect: Dialect;
  readonly body: JsonObject;
}

/**
 * The request that a transcript would be sent with, as far as a transcript tells: its history, and the model of its last
 * turn. A turn at the end whose calls wait for their results is not sent yet, so it is left out.
 *
 * @returns undefined for what is no transcript.
 */
export function transcriptRequest(document: JsonObject): DialectRequest | undefined {
  const { wholeturn, dialect: name, steps } = document;
  if (wholeturn !== 'transcript' || typeof name !== 'string' || !Array.isArray(steps)) return undefined;
  const known = steps.filter(isJsonObject);
  const last = known.at(-1);
  const isWaiting = Array.isArray(last?.['calls']) && last['calls'].length > 0;
  const sent = isWaiting ? known.slice(0, -1) : known;
  const items = sent.flatMap(({ items: own }): unknown[] => (Array.isArray(own) ? own : []));
  const model = sent.findLast((step) => typeof step['model'] === 'string')?.['model'];
  return {
    dialect: dialectByName(name),
    body: { ...(model !== undefined && { model }), [historyMember(name)]: items },
  };
}
