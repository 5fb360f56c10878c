import type { Dialect } from '../core/dialect.ts';
import { requirePairs } from './steps.ts';
import { historyOf, type Transcript, transcriptOf } from './transcript.ts';
import { parseSteps } from './transcript-text.ts';

/**
 * Reads a transcript from the text that its `stringify()` wrote: the same entries to the byte, tool input as it came,
 * signatures, key order, 20-digit numbers; and the calls that wait for a result under their ids.
 *
 * Linear in the text.
 *
 * @example
 * ```ts
 * const transcript = parseTranscript(anthropic, await readFile('conversation.json', 'utf8'));
 * ```
 *
 * @throws TypeError for a text that is no transcript, or one of another dialect.
 */
export function parseTranscript<Entry, Item>(dialect: Dialect<Entry, Item>, text: string): Transcript<Entry, Item> {
  const history = historyOf(dialect);
  const steps = parseSteps(dialect, text);
  requirePairs(history, steps);
  return transcriptOf(dialect, steps, []);
}
