/**
 * The id of a tool call for which the wire gave none.
 *
 * Made of the turn's id and the block's place, so that the same bytes give the same id in any chunks, and two turns of
 * a conversation different ones, if they have ids. It has only characters that every provider takes.
 */
export function mintCallId(turnId: string | null, index: number): string {
  const turn = (turnId ?? 'turn').replace(/[^a-zA-Z0-9_-]/g, '_').slice(-40);
  return `call_${turn}_${index}`;
}
