import type { TurnView } from '../../src/index.ts';

/** A watcher that does next to nothing: it looks at each view, and remembers the last. */
export interface ViewTally {
  see(view: TurnView): void;
  /** Text, thinking and tool input in the last view, in UTF-16 code units. */
  shownLength(): number;
}

/** Makes the one watcher that all peers with views have. */
export function createViewTally(): ViewTally {
  let last: TurnView | undefined;
  return {
    see(view) {
      last = view;
    },
    shownLength: () => last?.blocks.reduce((length, block) => length + block.text.length, 0) ?? 0,
  };
}
