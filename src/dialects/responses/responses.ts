import { type ConfigurableDialect, configurable } from '../../core/dialect.ts';
import type { ResponsesEntry } from './entries.ts';
import { type ResponsesItem, responsesHistory } from './history.ts';
import { createTurnAssembler } from './turn-assembler.ts';

/** Options of {@link responses}. */
export interface ResponsesOptions {
  /**
   * Whether the service keeps the answers; set it to what the requests say, true by default. With `false` a reasoning
   * item without ciphertext is left out of the entries: its id alone names nothing there (404 on replay).
   */
  readonly store: boolean;
}

/**
 * The dialect of OpenAI's Responses API, and of the services and gateways that speak it.
 *
 * A value and a function: `responses` as it is, or `responses({ store: false })`.
 *
 * - Each output item goes back as its `output_item.done` said, in the order of `output_index`: messages with their
 *   `phase`, reasoning with its id and the ciphertext that belongs to it, calls, hosted tools, unknown items.
 * - A reasoning item goes only with what follows it.
 * - The turn ends with `response.completed`, `response.incomplete` or `response.failed`.
 * - `carry.previousResponseId` is the other way to go on, see {@link continueResponse}.
 *
 * @example
 * ```ts
 * const turn = assembleTurn((signal) => fetch(url, { ...request, signal }), responses({ store: false }));
 * turn.ui.subscribe(render);
 * input.push(...(await turn.finalTurn()).entries);
 * ```
 *
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
export const responses: ConfigurableDialect<ResponsesEntry, Partial<ResponsesOptions>, ResponsesItem> = configurable<
  ResponsesEntry,
  ResponsesOptions,
  ResponsesItem
>(['store'], ({ store = true }) => {
  if (typeof store !== 'boolean') throw new TypeError(`store must be true or false, got ${String(store)}`);
  return {
    name: 'responses',
    recognises: ({ type, sequence_number: number }) =>
      typeof type === 'string' &&
      (/^(response|codex)\.|^keepalive$/.test(type) || (type === 'error' && typeof number === 'number')),
    createAssembler: (record) => createTurnAssembler(record, { store }),
    history: responsesHistory,
  };
});
