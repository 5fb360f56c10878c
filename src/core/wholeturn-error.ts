/** The literal codes of all errors of this library; callers test `error.code`. */
export type ErrorCode =
  | 'http_status'
  | 'not_event_stream'
  | 'transport'
  | 'wire_format'
  | 'provider_error'
  | 'turn_interrupted'
  | 'limit_exceeded'
  | 'idle_timeout';

/** What all errors of this library have in common: a literal `code`, a message that names the way out, the cause kept. */
export abstract class WholeturnError extends Error {
  /** Which kind of error this is; test this, not the class, where two copies of the library may meet. */
  abstract readonly code: ErrorCode;
}

/** A text as a sentence: with a full stop, where it has no end of its own. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** At most `length` characters, copied, so that a kept excerpt does not hold a whole chunk in memory. */
export function excerpt(text: string, length: number): string {
  const cut = text.length > length ? `${text.slice(0, length)}…` : text;
  return JSON.parse(JSON.stringify(cut)) as string;
}
