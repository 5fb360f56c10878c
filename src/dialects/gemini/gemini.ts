import { type ConfigurableDialect, configurable } from '../../core/dialect.ts';
import { isJsonObject } from '../../core/json-object.ts';
import type { GeminiEntry } from './entries.ts';
import { type GeminiContent, geminiHistory } from './history.ts';
import { createTurnAssembler } from './turn-assembler.ts';

/** Options of {@link gemini}. */
export interface GeminiOptions {
  /** Which candidate is the turn, by its `index`; 0 by default. The others are under `turn.choices`. */
  readonly candidate: number;
}

/**
 * The dialect of Gemini's `streamGenerateContent` with `alt=sse`, of the Gemini API and of Vertex AI.
 *
 * A value and a function: `gemini` as it is, or `gemini({ candidate: 1 })`.
 *
 * - A turn goes back as one content, its parts as they came: a signature stays in its part, and a part that has one
 *   joins no other. Adjacent unsigned text is one part.
 * - Arguments that Vertex streams in pieces are put together, and go back as `args`.
 * - The turn is complete when the bytes end after a finish reason, or when the prompt was refused.
 *
 * @example
 * ```ts
 * const turn = assembleTurn((signal) => fetch(url, { ...request, signal }), gemini);
 * turn.ui.subscribe(render);
 * contents.push(...(await turn.finalTurn()).entries);
 * ```
 *
 * @throws TypeError for a candidate that is no index.
 * @see https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 */
export const gemini: ConfigurableDialect<GeminiEntry, Partial<GeminiOptions>, GeminiContent> = configurable<
  GeminiEntry,
  GeminiOptions,
  GeminiContent
>(['candidate'], ({ candidate = 0 }) => {
  if (!Number.isInteger(candidate) || candidate < 0) {
    throw new TypeError(`candidate must be the index of a candidate, such as 0, got ${String(candidate)}`);
  }
  return {
    name: 'gemini',
    recognises: ({ candidates, promptFeedback, usageMetadata }) =>
      Array.isArray(candidates) || isJsonObject(promptFeedback) || isJsonObject(usageMetadata),
    createAssembler: (record) => createTurnAssembler(record, { candidate }),
    history: geminiHistory,
  };
});
