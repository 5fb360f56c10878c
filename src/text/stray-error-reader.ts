import { parseObject } from './parse-object.ts';

/** Longest body without SSE fields that may still be an error; what is longer is no error message. */
const maxLength = 64 * 1024;

/** Lines that may look like the end of such a body: more parses than that would be quadratic for nothing. */
const maxAttempts = 32;

/** Finds errors in the lines of an event stream that are no SSE fields. */
export interface StrayErrorReader {
  /** Takes one line; returns the JSON text of an error when this line completes one. */
  read(line: string): string | undefined;
  /** Says that proper fields came: what was gathered is no error. */
  reset(): void;
}

/**
 * Makes a reader for lines that are no SSE fields.
 *
 * Two servers were seen to report errors that way: as a bare JSON body, one line or pretty-printed, in the middle of
 * the stream (Gemini), and as a field line `error: {…}` (gpustack). To skip such lines, as the SSE standard says,
 * would make a failed answer look complete.
 */
export function createStrayErrorReader(): StrayErrorReader {
  let gathered = '';
  let attempts = 0;

  return {
    read(line) {
      if (line.startsWith('error:')) return errorField(line.slice('error:'.length));
      const text = line.trim();
      // A brace at the very start of a line begins a body; inside of a pretty-printed one it is indented.
      if (line.startsWith('{')) reset();
      else if (gathered === '' && !text.startsWith('{')) return undefined;
      if (gathered.length + line.length > maxLength) reset();
      gathered += `${line}\n`;
      // Only a line that ends an object can complete one: one parse a closing line, not one a line.
      if (!text.endsWith('}') || attempts === maxAttempts) return undefined;
      attempts += 1;
      return complete();
    },
    reset,
  };

  function reset(): void {
    gathered = '';
    attempts = 0;
  }

  function complete(): string | undefined {
    const object = parseObject(gathered);
    if (!object) return undefined;
    const text = gathered;
    reset();
    return object['error'] === undefined || object['error'] === null ? undefined : text;
  }
}

function errorField(value: string): string | undefined {
  return parseObject(value) && value.trim();
}
