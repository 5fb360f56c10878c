import type { TextOutput } from './cli-io.ts';

/** Takes texts faster than they can be written. */
export interface TextQueue {
  /** Takes a text; never fails. */
  add(text: string): void;
  /** Settles when all that was added is written; rejects with what an output failed with. */
  drained(): Promise<void>;
}

/**
 * Makes a queue before an output: what gathers while a write is under way goes out as one text with the next.
 *
 * @param output Where the texts go, in order.
 * @param onFailure Called once if the output fails; what is added then is dropped.
 */
export function createTextQueue(output: TextOutput, onFailure: () => void): TextQueue {
  let gathered: string[] = [];
  let failure: { readonly cause: unknown } | undefined;
  let writing: Promise<void> | undefined;

  return {
    add(text) {
      if (text === '' || failure) return;
      gathered.push(text);
      writing ??= writeAll();
    },
    async drained() {
      await writing;
      if (failure) throw failure.cause;
    },
  };

  async function writeAll(): Promise<void> {
    try {
      while (gathered.length > 0) {
        const text = gathered.join('');
        gathered = [];
        await output.write(text);
      }
    } catch (cause) {
      failure = { cause };
      gathered = [];
      onFailure();
    } finally {
      writing = undefined;
    }
  }
}
