import { type ConfigurableDialect, configurable } from '../../core/dialect.ts';
import type { ContentOptions } from './content-block.ts';
import type { AnthropicEntry } from './entries.ts';
import { type AnthropicMessage, anthropicHistory } from './history.ts';
import { createTurnAssembler } from './turn-assembler.ts';

/** Options of {@link anthropic}. */
export interface AnthropicOptions {
  /**
   * What becomes of thinking that was never signed. The service refuses it, so it is left out of the entries (`'drop'`,
   * the default); compatible servers that do not sign want it back (`'keep'`).
   */
  readonly unsignedThinking: ContentOptions['unsignedThinking'];
}

/** Events that only this wire format has, of which the first of a stream is one. */
const eventTypes = new Set([
  'message_start',
  'message_delta',
  'message_stop',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'ping',
]);

/**
 * The dialect of Anthropic's Messages API, and of the servers compatible with it.
 *
 * A value and a function: `anthropic` as it is, or `anthropic({ unsignedThinking: 'keep' })`.
 *
 * - Blocks go back as they came: thinking with its signature, redacted and withheld thinking, server tools, unknown
 *   blocks, in their order. Tool input keeps its text, see `stringifyRequest`.
 * - The turn ends with `message_stop`, or with the bytes when the stop reason is known and every block is closed.
 * - `carry` may hold `container`, `contextManagement` and `inputTransformations`.
 *
 * @example
 * ```ts
 * const turn = assembleTurn((signal) => fetch(url, { ...request, signal }), anthropic);
 * turn.ui.subscribe(render);
 * messages.push(...(await turn.finalTurn()).entries);
 * ```
 *
 * @see https://docs.anthropic.com/en/docs/build-with-claude/streaming
 */
export const anthropic: ConfigurableDialect<AnthropicEntry, Partial<AnthropicOptions>, AnthropicMessage> = configurable<
  AnthropicEntry,
  AnthropicOptions,
  AnthropicMessage
>(['unsignedThinking'], ({ unsignedThinking = 'drop' }) => {
  if (unsignedThinking !== 'drop' && unsignedThinking !== 'keep') {
    throw new TypeError(`unsignedThinking must be 'drop' or 'keep', got ${String(unsignedThinking)}`);
  }
  return {
    name: 'anthropic',
    recognises: ({ type, error }) =>
      typeof type === 'string' && (eventTypes.has(type) || (type === 'error' && error !== undefined)),
    createAssembler: (record) => createTurnAssembler(record, { unsignedThinking }),
    history: anthropicHistory,
  };
});
