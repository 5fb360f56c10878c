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
  find(body: JsonObject, context: RequestContext): Iterable<Omit<Finding, 'code'>>;
}
