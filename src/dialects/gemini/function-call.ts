import { mintCallId } from '../../core/call-id.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { BlockState, ToolCall } from '../../core/turn.ts';
import type { TurnWriter } from '../../core/turn-record.ts';
import { readToolInput, type ToolInput } from '../../text/tool-input.ts';
import { countMembers, takeOverMembers } from './members.ts';
import { createPartialArgs, type PartialArgs } from './partial-args.ts';
import type { PendingPart } from './pending-part.ts';
import type { Source } from './source.ts';
import { isText } from './wire.ts';

/** One call that the client runs. */
export interface FunctionCall extends PendingPart {
  /** Whether the wire said that more pieces of it come. */
  readonly isOpen: boolean;
  /** Takes a part with a piece of the call, the one that began it, too, and what finds its arguments as they came. */
  push(part: JsonObject, argsSource: Source): void;
}

/** Members that are counted elsewhere: arguments where they are shown. */
const notCounted = new Set(['functionCall', 'args', 'partialArgs', 'willContinue']);
/** Members of a later piece that are set once, or read elsewhere. */
const notTakenOver = new Set([...notCounted, 'name', 'id', 'thoughtSignature']);

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
  const block = record.openBlock({ kind: 'tool_call', id: isText(called['id']) ? called['id'] : callId, name }, part);
  let whole: ToolInput | undefined;
  let pieces: PartialArgs | undefined;
  /** The arguments at the end; undefined for a call without any, or whose pieces do not make a whole. */
  let input: ToolInput | undefined;
  let isOpen = true;
  let isFaithful = true;

  return {
    block,
    get isOpen() {
      return isOpen;
    },
    push(wire, argsSource) {
      const call = callIn(wire);
      if (wire === first) {
        countMembers(record, wire, notCounted);
        countMembers(record, call, notCounted);
      } else takeOver(wire, call);
      if (call['args'] !== undefined) pushArgs(call['args'], argsSource);
      pushPieces(call['partialArgs']);
      if (call['willContinue'] !== true) conclude();
      else if (pieces && isFaithful) record.grow(block, pieces.take());
    },
    settle(isCut) {
      if (isOpen && isCut) input = readInput();
      else if (isOpen) conclude();
      if (input) called['args'] = input.value;
      Object.assign(block, { id: callId });
      const state = isCut ? 'cut' : finalState();
      record.closeBlock(block, state, state === 'finished' ? toolCall() : undefined);
    },
  };

  /** An id is set once. A signature that comes in fragments is put together; one that comes again is the same. */
  function takeOver(wire: JsonObject, call: JsonObject): void {
    const { thoughtSignature: known } = part;
    const { thoughtSignature: later } = wire;
    if (isText(later) && later !== known) {
      record.count(later.length);
      part['thoughtSignature'] = isText(known) ? known + later : later;
    }
    if (isText(call['id']) && !isText(called['id'])) {
      record.count(call['id'].length);
      called['id'] = call['id'];
      if (!takenIds.has(call['id'])) callId = claimId(call['id'], block.index);
    }
    takeOverMembers(record, part, wire, notTakenOver);
    takeOverMembers(record, called, call, notTakenOver);
  }

  /** Whole arguments that come again must be the same; empty ones hold the place of those that follow. */
  function pushArgs(args: unknown, source: Source): void {
    const again = readToolInput(source() ?? String(JSON.stringify(args)), record.limits.inputDepth);
    if (!whole || isEmpty(whole)) whole = again;
    else if (!isEmpty(again) && !isSame(again, whole)) lose('came twice, and differ');
  }

  function pushPieces(list: unknown): void {
    if (list === undefined || list === null) return;
    if (!Array.isArray(list)) return lose('came as pieces that are no list');
    for (const piece of list) {
      if (!isFaithful) return;
      pieces ??= createPartialArgs({ maxDepth: record.limits.inputDepth, count: record.count });
      if (!pieces.push(piece)) lose('came with a piece that fits nowhere');
    }
  }

  /** The call is over on the wire. */
  function conclude(): void {
    isOpen = false;
    input = readInput();
    if (pieces && !input) lose('came without some elements of a list');
    else if (pieces && whole && !isEmpty(whole) && !isSame(whole, input)) lose('came twice, and differ');
    if (isFaithful && input) showRest(input.text);
  }

  function readInput(): ToolInput | undefined {
    if (!pieces) return whole;
    const value = pieces.value();
    return value && { text: JSON.stringify(value), value, isValid: true };
  }

  function lose(what: string): void {
    isFaithful = false;
    record.warn('unexpected_delta', `The arguments of a call ${what}; it is not what was sent`, block.index);
  }

  /** Shown text cannot be taken back: a whole that does not go on from it is not shown. */
  function showRest(text: string): void {
    if (text.startsWith(block.text)) return record.grow(block, text.slice(block.text.length));
    const message = 'The arguments came out of order, so what was shown of them is not how they begin';
    record.warn('whole_text_differs', message, block.index);
  }

  function finalState(): BlockState {
    if (name === undefined) return 'invalid';
    if (!isFaithful) return 'unfaithful';
    return input?.isValid === false ? 'invalid' : 'finished';
  }

  function toolCall(): ToolCall {
    const inputText = input?.text ?? '{}';
    // A copy of its own: a tool that changes its input must not change what goes back.
    const copy: unknown = JSON.parse(inputText);
    return { id: callId, name: name ?? '', input: copy, inputText };
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

function isEmpty({ value }: ToolInput): boolean {
  return Object.keys(value).length === 0;
}

/** Whether two inputs are the same but for the blanks in their texts. */
function isSame(one: ToolInput, other: ToolInput | undefined): boolean {
  return other !== undefined && JSON.stringify(one.value) === JSON.stringify(other.value);
}
