import type { JsonObject } from './json-object.ts';

/** Something of a request that the provider would refuse (`error`), or silently spoil (`warning`). */
export interface Finding {
  /** Which rule was broken. */
  readonly code: string;
  /** Where in the body, such as `messages[1].tool_calls[0]`. */
  readonly path: string;
  /** What the provider would say or do, and what to do instead. */
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

/** One rule about requests: looks at a whole body, and says what breaks it. */
export interface RequestRule {
  readonly code: string;
  /** Where the rule is written down. */
  readonly source: string;
  /** Looks at a request body; undefined where the rule holds. */
  check(body: JsonObject): Finding | undefined;
}
