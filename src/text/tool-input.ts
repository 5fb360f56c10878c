import { LimitExceededError } from '../core/errors.ts';
import type { JsonObject } from '../core/json-object.ts';
import { parseObject } from './parse-object.ts';
import { nestingDepth, rememberSource } from './verbatim-json.ts';

/** A tool's input as it goes back. */
export interface ToolInput {
  /** The JSON text; `{}` where there was none. */
  readonly text: string;
  /** The parsed input, or `{"INVALID_JSON": text}`. */
  readonly value: JsonObject;
  /** Whether the text is a JSON object, as the provider demands of it. */
  readonly isValid: boolean;
}

/**
 * Reads the whole text of a tool's input.
 *
 * The provider accepts only an object as input, so what is none goes back as the object that its documentation
 * proposes for it, and the model can mend it.
 *
 * @throws LimitExceededError if the text nests deeper than `maxDepth`.
 * @see https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/fine-grained-tool-streaming
 */
export function readToolInput(text: string, maxDepth: number): ToolInput {
  const source = text.trim() === '' ? '{}' : text;
  requireDepth(source, maxDepth);
  const value = parseObject(source);
  if (!value) return { text: source, value: { INVALID_JSON: text }, isValid: false };
  rememberSource(value, source);
  return { text: source, value, isValid: true };
}

/**
 * Refuses the text of an input that nests too deep.
 *
 * @throws LimitExceededError if it nests deeper than `maxDepth`.
 */
export function requireDepth(text: string, maxDepth: number): void {
  // A text needs two characters for each level, so a short one is not even read.
  if (text.length > 2 * maxDepth && nestingDepth(text) > maxDepth) throw new LimitExceededError('inputDepth', maxDepth);
}
