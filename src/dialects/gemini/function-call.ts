import { mintCallId } from '../../core/call-id.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { mergeSaid } from '../../core/merge-fields.ts';
import type { ToolCall } from '../../core/turn.ts';
import type { TurnWriter } from '../../core/turn-record.ts';
import { readToolInput, type ToolInput } from '../../text/tool-input.ts';
import { createPartialArgs, type PartialArgs } from './partial-args.ts';
import type { PendingPart } from './pending-part.ts';
import { isText } from './wire.ts';

/** Finds the source text of the arguments of a part; undefined where there is none. */
export type ArgsSource = () => string | undefined;

/** One call that the client runs. */
export interface FunctionCall extends PendingPart {
  /** Whether the wire said that more pieces of it come. */
  readonly isOpen: boolean;
  /** Takes a part with a piece of the call: the one that began it, too. */
  push(part: JsonObject, source: ArgsSource): void;
}

/** Members of a later piece that are read elsewhere. */
const notOfTheCall = new Set(['name', 'args', 'partialArgs', 'willContinue']);
const notOfThePart = new Set(['functionCall', 'thoughtSignature']);

/**
 * Begins the call of a part; the part itself is to be pushed behind it.
 *
 * A call comes whole, with its `args`, or in pieces that are put together by their paths; back it goes with `args`
 * alone. What a later piece leaves out is not erased.
 *
 * @param takenIds The ids of the calls before it.
 */
export function beginCall(record: TurnWriter, first: JsonObject, takenIds: Set<string>): FunctionCall {
  const { partialArgs: _pieces, willContinue: _goesOn, ...called } = callIn(first);
  const part: JsonObject = { ...first, functionCall: called };
  const name = isText(called['name']) ? called['name'] : undefined;
  let callId = claimId(called['id'], record.nextIndex);
  const block = record.openBlock({ kind: 'tool_call', id: callId, name }, part);
  let whole: ToolInput | undefined;
  let pieces: PartialArgs | undefined;
  let isFaithful = true;
  let isOpen = false;

  return {
    block,
    get isOpen() {
      return isOpen;
    },
    push(wire, source) {
      const call = callIn(wire);
      isOpen = call['willContinue'] === true;
      if (wire !== first) takeOver(wire, call);
      countMembers(wire, call);
      if (call['args'] !== undefined) pushArgs(call['args'], source);
      pushPieces(call['partialArgs']);
    },
    settle(isCut) {
      const input = pieces ? joined(pieces) : whole;
      if (input) called['args'] = input.value;
      if (isCut) return record.closeBlock(block, 'cut');
      if (pieces) compare(input);
      if (isFaithful && input) showRest(input.text);
      if (name === undefined) return record.closeBlock(block, 'invalid');
      if (!isFaithful) return record.closeBlock(block, 'unfaithful');
      if (input && !input.isValid) return record.closeBlock(block, 'invalid');
      record.closeBlock(block, 'finished', toolCall(name, input?.text ?? '{}'));
    },
  };

  /** A signature that comes in fragments is put together; one that comes again is the same. */
  function takeOver(wire: JsonObject, call: JsonObject): void {
    const { thoughtSignature: known } = part;
    const { thoughtSignature: later } = wire;
    if (isText(later) && later !== known) part['thoughtSignature'] = isText(known) ? known + later : later;
    mergeSaid(part, wire, notOfThePart);
    if (!isText(called['id']) && isText(call['id'])) {
      callId = claimId(call['id'], block.index);
      Object.assign(block, { id: callId });
    }
    mergeSaid(called, call, notOfTheCall);
  }

  /** The arguments are counted where they are shown. */
  function countMembers(wire: JsonObject, call: JsonObject): void {
    const { functionCall: _call, ...outer } = wire;
    const { args: _args, partialArgs: _pieces, ...inner } = call;
    record.count(JSON.stringify([outer, inner]).length);
  }

  /** Whole arguments that come again must be the same; empty ones hold the place of pieces. */
  function pushArgs(args: unknown, source: ArgsSource): void {
    const input = readToolInput(source() ?? String(JSON.stringify(args)), record.limits.inputDepth);
    if (!whole || isEmpty(whole)) whole = input;
    else if (!isEmpty(input) && input.text !== whole.text) lose('came twice, and differ');
    if (!isOpen && !pieces && block.text === '') record.grow(block, whole.text);
  }

  function pushPieces(list: unknown): void {
    if (list === undefined || list === null) return;
    if (!Array.isArray(list)) return lose('came as pieces that are no list');
    for (const piece of list) {
      if (!isFaithful) return;
      pieces ??= createPartialArgs({ maxDepth: record.limits.inputDepth, count: record.count });
      if (!pieces.push(piece)) lose('came with a piece that fits nowhere');
    }
    if (pieces && isFaithful) record.grow(block, pieces.take());
  }

  function lose(what: string): void {
    isFaithful = false;
    record.warn('unexpected_delta', `The arguments of a call ${what}; the call is not what was sent`, block.index);
  }

  /** Pieces must be whole, and the same as arguments that came whole beside them. */
  function compare(input: ToolInput | undefined): void {
    if (!input) lose('came without some elements of a list');
    else if (whole && !isEmpty(whole) && JSON.stringify(whole.value) !== input.text) lose('came twice, and differ');
  }

  /** Shown text cannot be taken back: a whole that does not go on from it is not shown. */
  function showRest(text: string): void {
    if (text.startsWith(block.text)) return record.grow(block, text.slice(block.text.length));
    const message = 'The arguments came out of order, so what was shown of them is not how they begin';
    record.warn('whole_text_differs', message, block.index);
  }

  function toolCall(toolName: string, inputText: string): ToolCall {
    // A copy of its own: a tool that changes its input must not change what goes back.
    const input: unknown = JSON.parse(inputText);
    return { id: callId, name: toolName, input, inputText };
  }

  /** The id that the wire gave, if no call before has it, or one of our own. */
  function claimId(given: unknown, index: number): string {
    let id = isText(given) && !takenIds.has(given) ? given : mintCallId(record.turnId, index);
    while (takenIds.has(id)) id += '_';
    takenIds.add(id);
    return id;
  }
}

function callIn({ functionCall }: JsonObject): JsonObject {
  return isJsonObject(functionCall) ? functionCall : {};
}

function isEmpty({ isValid, value }: ToolInput): boolean {
  return isValid && Object.keys(value).length === 0;
}

/** The arguments that the pieces make; undefined if they make none. */
function joined(pieces: PartialArgs): ToolInput | undefined {
  const value = pieces.value();
  return value && { text: JSON.stringify(value), value, isValid: true };
}
