import type { UiEvent } from '../../src/core/turn-event.ts';

/** A subscriber that does next to nothing: it counts what it is shown. */
export interface Tally {
  add(event: UiEvent): void;
  /** Text, thinking and tool input shown so far, in UTF-16 code units. */
  shownLength(): number;
}

/** Makes the one subscriber that all peers with UI events have. */
export function createTally(): Tally {
  let shownLength = 0;
  return {
    add(event) {
      if (event.type === 'text_delta' || event.type === 'reasoning_delta') shownLength += event.text.length;
      else if (event.type === 'tool_input_delta') shownLength += event.json.length;
    },
    shownLength: () => shownLength,
  };
}
