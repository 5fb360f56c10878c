import type { ToolResult } from '../core/tool-results.ts';
import type { ToolCall } from '../core/turn.ts';

/** Runs the calls of one turn, each once, and some at a time. */
export interface CallRunner {
  /** Starts a call, as soon as there is room; nothing for one that was started before. */
  start(call: ToolCall): void;
  /** The results of all that were started, when all are there. */
  finish(): Promise<readonly ToolResult[]>;
  /** The results of those that run, when they are there; what still waits for room never runs. */
  drain(): Promise<readonly ToolResult[]>;
}

/**
 * Makes the runner for the calls of one turn.
 *
 * @param run Runs one; never rejects.
 * @param concurrency How many run at once.
 */
export function createCallRunner(run: (call: ToolCall) => Promise<ToolResult>, concurrency: number): CallRunner {
  const known = new Set<string>();
  const results: ToolResult[] = [];
  let waiting: ToolCall[] = [];
  let running = 0;
  let onIdle: (() => void) | undefined;

  return {
    start(call) {
      if (known.has(call.id)) return;
      known.add(call.id);
      waiting.push(call);
      fill();
    },
    finish,
    drain() {
      waiting = [];
      return finish();
    },
  };

  function fill(): void {
    while (running < concurrency) {
      const call = waiting.shift();
      if (!call) break;
      running += 1;
      void run(call).then((result) => {
        running -= 1;
        results.push(result);
        fill();
      });
    }
    if (running === 0) onIdle?.();
  }

  function finish(): Promise<readonly ToolResult[]> {
    if (running === 0) return Promise.resolve(results);
    return new Promise((resolve) => {
      onIdle = () => resolve(results);
    });
  }
}
