import type { JsonObject } from '../../src/index.ts';
import { delta, messageEnd, messageStart, sse, start, stop, thinking } from '../dialects/anthropic/wire-events.ts';

/** The first half of an answer: thinking, and a text that has begun. */
export const beginning: string = sse(
  messageStart(),
  ...thinking(0, 'hm'),
  start(1, { type: 'text', text: '' }),
  textDelta('Hel'),
);

/** The second half. */
export const rest: string = sse(textDelta('lo'), stop(1), ...messageEnd());

/** What the turn of both halves matches. */
export const whole: object = {
  status: 'complete',
  entries: [{ content: [{ type: 'thinking' }, { type: 'text', text: 'Hello' }] }],
};

/** A piece of the text that `beginning` began. */
export function textDelta(piece: string): JsonObject {
  return delta(1, 'text_delta', { text: piece });
}
