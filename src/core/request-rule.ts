import type { Finding } from './finding.ts';
import type { JsonObject } from './json-object.ts';
import type { AssembledTurn } from './turn.ts';

/** What a request is judged with, beside itself. */
export interface RequestContext {
  /** The request before it in the same conversation. */
  readonly previous?: JsonObject | undefined;
  /** Turns as they were assembled: what goes back of them must be what came. */
  readonly turns?: readonly AssembledTurn[] | undefined;
}

/** One rule about the requests of a wire format. */
export interface HistoryRule {
  /** What its findings are called, in snake_case. */
  readonly code: string;
  /** Where the rule is written down: the provider's page, or the document that tells of it. */
  readonly source: string;
  /** Finds what breaks it; nothing where it holds. Linear in the size of the body. */
  find(body: JsonObject, context: RequestContext): Iterable<Found>;
}

/** A finding before its rule gives it a code. */
export type Found = Omit<Finding, 'code'>;

/** Says that the provider would refuse the request for what stands at a path. */
export function refused(path: string, message: string): Found {
  return { path, message, severity: 'error' };
}

/** Says that the provider would take the request and spoil something, or that it refuses it on some servers only. */
export function spoiled(path: string, message: string): Found {
  return { path, message, severity: 'warning' };
}
