import type { AssembledTurn } from '../../core/turn.ts';

/** A request that goes on from the service's own copy: its id, and what is new. */
export interface ContinuationById<Item> {
  readonly previous_response_id: string;
  readonly input: Item[];
}

/** A request that goes on from all that was said. */
export interface ContinuationByItems<Item> {
  readonly input: Item[];
}

/** Which of the two ways to go on. */
export interface ContinueOptions<Item> {
  /**
   * The input of the last request, as a list of items: then all of it goes again. Without it the service's own copy is
   * gone on from.
   */
  readonly history?: readonly Item[] | undefined;
}

/** What is asked of a turn to go on from it. */
type ContinuableTurn<Entry> = Pick<AssembledTurn<Entry>, 'status' | 'entries' | 'carry'>;

/**
 * The part of the next request that goes on from a turn, in one of the two ways that the service takes.
 *
 * - With `history`: everything again, the history, the items of the turn, and what is new.
 * - Without: `previous_response_id`, and only what is new. The service must have kept the response.
 *
 * They are never mixed: an id together with items that it already stands for is refused as a duplicate.
 *
 * @param turn A complete turn.
 * @param newItems Outputs of its calls, the user's next message: for TypeScript the SDK's own items, such as
 *   `{ role: 'user', content } satisfies ResponseInputItem`.
 *
 * @example
 * ```ts
 * const turn = await assembleTurn(response, responses).finalTurn();
 * const outputs = toolOutputs(turn, results);
 * await openai.responses.create({ model, stream: true, ...continueResponse(turn, outputs) });
 * await openai.responses.create({ model, stream: true, ...continueResponse(turn, outputs, { history: input }) });
 * ```
 *
 * @throws TypeError if the turn is not complete, if it has no id to go on from because it was sent with `store: false` or
 *   a call in it was cut, or if the history is a text.
 * @see https://platform.openai.com/docs/guides/conversation-state
 */
export function continueResponse<Entry, NewItem>(
  turn: ContinuableTurn<Entry>,
  newItems: readonly NewItem[],
): ContinuationById<NewItem>;
export function continueResponse<Entry, NewItem, OldItem>(
  turn: ContinuableTurn<Entry>,
  newItems: readonly NewItem[],
  options: { readonly history: readonly OldItem[] },
): ContinuationByItems<Entry | NewItem | OldItem>;
export function continueResponse<Entry, NewItem, OldItem>(
  turn: ContinuableTurn<Entry>,
  newItems: readonly NewItem[],
  options: ContinueOptions<OldItem>,
): ContinuationById<NewItem> | ContinuationByItems<Entry | NewItem | OldItem>;
export function continueResponse<Entry, NewItem, OldItem>(
  turn: ContinuableTurn<Entry>,
  newItems: readonly NewItem[],
  { history }: ContinueOptions<OldItem> = {},
): ContinuationById<NewItem> | ContinuationByItems<Entry | NewItem | OldItem> {
  if (turn.status !== 'complete') {
    throw new TypeError(`A turn that is ${turn.status} cannot be gone on from. Send its request again.`);
  }
  if (typeof history === 'string') {
    throw new TypeError('The history is a text. Write it as a list of items: `[{ role: "user", content: text }]`.');
  }
  if (history) return { input: [...history, ...turn.entries, ...newItems] };
  const { previousResponseId } = turn.carry;
  if (typeof previousResponseId !== 'string') {
    throw new TypeError(
      'There is no id to go on from: the service did not keep this response, or a call in it was cut. Pass the history.',
    );
  }
  return { previous_response_id: previousResponseId, input: [...newItems] };
}
