import { createGrowingValue } from './growing-value.ts';
import { createJsonScanner } from './json-scanner.ts';

/**
 * A JSON text that is still coming, and the value it has so far.
 *
 * 1. The text in any pieces gives the same value.
 * 2. `complete` is what `JSON.parse` accepts, and then the snapshot is what it returns, order of keys included.
 * 3. What was shown only grows: strings by text, arrays by elements, objects by members. A key that comes twice is
 *    the exception, its last value wins, as in `JSON.parse`; a number outside all containers is the other.
 * 4. No snapshot is ever changed by a later push.
 * 5. Linear: time grows with the text, whatever its pieces.
 */
export interface PartialJson {
  /** Appends text. Never throws; does nothing once the state is `invalid`. */
  push(text: string): void;
  /**
   * The value so far; undefined until something can be shown. Treat it as immutable.
   *
   * A string is shown as far as it can be decoded: half an escape and half a surrogate pair wait for their rest.
   * Numbers, `true`, `false` and `null` are shown when they are over, a key when its value is. What did not change
   * since the last call is the same object. Costs as much as the open containers have members.
   */
  snapshot(): unknown;
  /**
   * `complete` if the text is JSON as it stands (more digits may follow a lone number), `invalid` as soon as nothing
   * can make it JSON, or it nests too deep; the snapshot then stays at what was good.
   */
  readonly state: 'open' | 'complete' | 'invalid';
}

/**
 * Makes a parser for one growing JSON text, such as the input of a tool call.
 *
 * Its value is for showing. What is executed should come from `JSON.parse` of the whole text.
 *
 * @param options `maxDepth`: how deep arrays and objects may nest, 512 unless said otherwise; `[]` is 1 deep.
 *
 * @example
 * ```ts
 * const input = createPartialJson();
 * input.push('{"path": "src/index.ts", "content": "import');
 * input.snapshot(); // { path: 'src/index.ts', content: 'import' }
 * ```
 */
export function createPartialJson(options: { readonly maxDepth?: number } = {}): PartialJson {
  const value = createGrowingValue();
  const scanner = createJsonScanner(value, options.maxDepth ?? 512);
  return {
    push: scanner.push,
    snapshot: () => scanner.pendingNumber ?? value.snapshot(),
    get state() {
      return scanner.state;
    },
  };
}
