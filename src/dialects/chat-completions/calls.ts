import type { BlockRecord } from '../../core/block-record.ts';
import { mintCallId } from '../../core/call-id.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { BlockState, ToolCall } from '../../core/turn.ts';
import type { TurnWriter } from '../../core/turn-record.ts';
import { readToolInput } from '../../text/tool-input.ts';
import {
  createToolSlots,
  growArguments,
  readToolDelta,
  type SourceAt,
  type ToolDelta,
  type ToolSlot,
  type ToolSlots,
} from './tool-slots.ts';

/** One call, and its block as soon as there is something to show of it. */
export interface Call {
  readonly slot: ToolSlot;
  block: BlockRecord | undefined;
  /** How many blocks had begun when the last of it came. */
  begunAtLast: number;
  /** Whether it came, and goes back, as `function_call`. */
  readonly isLegacy: boolean;
  /** Whether its id is that of a call before it, so that it goes back with one of its own. */
  isRenamed: boolean;
  /** The element of `tool_calls` that goes back; set when the call is closed. */
  native: JsonObject;
}

/** The calls of one message. */
export interface Calls {
  /** In order of arrival. */
  readonly calls: readonly Call[];
  /** Takes an element of `delta.tool_calls`, and what finds its source text. */
  push(wire: unknown, sourceAt: SourceAt): void;
  /** Takes `delta.function_call`, in which calls came before there were several. */
  pushLegacy(wire: unknown): void;
  /** Ends a call; one that is not cut is `finished`, or `invalid`. */
  close(call: Call, isCut: boolean): void;
}

/** Makes the calls of one message. `interrupt` is told before a call begins or goes on. */
export function createCalls(record: TurnWriter, interrupt: () => void): Calls {
  const slots = createToolSlots(record);
  let legacy: ToolSlots | undefined;
  const callIds = new Set<string>();
  const calls: Call[] = [];
  const bySlot = new Map<ToolSlot, Call>();

  return {
    calls,
    push(wire, sourceAt) {
      const delta = readToolDelta(wire, sourceAt);
      if (delta) grow(callOf(slots.find(delta), false), delta);
      else record.warn('malformed_event', 'A tool call delta is no object; it is ignored');
    },
    pushLegacy(wire) {
      const delta = isJsonObject(wire) ? readToolDelta({ function: wire }, () => undefined) : undefined;
      if (!delta) return;
      legacy ??= createToolSlots(record);
      // There is one such call in a message: a second name is not that of another.
      const [known] = legacy.slots;
      const name = known?.name ? '' : delta.name;
      grow(callOf(legacy.find({ ...delta, name, index: 0 }), true), delta);
    },
    close(call, isCut) {
      const block = call.block ?? open(call.slot);
      call.block = block;
      const { id, name } = call.slot;
      call.isRenamed = id !== undefined && callIds.has(id);
      const callId = id === undefined || call.isRenamed ? mintCallId(record.turnId, block.index) : id;
      callIds.add(callId);
      Object.assign(block, { id: callId, ...(name !== '' && { name }) });
      const { state, argumentText, toolCall } = isCut ? cut(call.slot) : finish(call.slot, callId);
      call.native = nativeOf(call.slot, callId, argumentText);
      block.native = call.native;
      record.closeBlock(block, state, toolCall);
    },
  };

  function grow(call: Call, { text }: ToolDelta): void {
    if (call.slot.name !== '' || text !== '') call.block ??= open(call.slot);
    if (call.block && text !== '') {
      interrupt();
      growArguments(call.slot, text);
      record.grow(call.block, text);
    }
    // An empty delta adds nothing, so it does not say that the call still goes on.
    if (text !== '' || call.begunAtLast === 0) call.begunAtLast = record.nextIndex;
  }

  function callOf(slot: ToolSlot, isLegacy: boolean): Call {
    const known = bySlot.get(slot);
    if (known) return known;
    const call: Call = { slot, isLegacy, isRenamed: false, block: undefined, begunAtLast: 0, native: {} };
    bySlot.set(slot, call);
    calls.push(call);
    return call;
  }

  function open({ id, name }: ToolSlot): BlockRecord {
    interrupt();
    return record.openBlock({ kind: 'tool_call', id, name: name === '' ? undefined : name }, {});
  }

  function finish(slot: ToolSlot, id: string): Ending {
    const { name, text } = slot;
    if (name === '') return { state: 'invalid', argumentText: text, toolCall: undefined };
    if (isCustom(slot)) {
      return { state: 'finished', argumentText: text, toolCall: { id, name, input: text, inputText: text } };
    }
    const input = readToolInput(text, record.limits.inputDepth);
    if (!input.isValid) return { state: 'invalid', argumentText: JSON.stringify(input.value), toolCall: undefined };
    const toolCall = { id, name, input: input.value, inputText: input.text };
    return { state: 'finished', argumentText: input.text, toolCall };
  }
}

/** How a call ended. */
interface Ending {
  readonly state: BlockState;
  readonly argumentText: string;
  readonly toolCall: ToolCall | undefined;
}

function cut({ text }: ToolSlot): Ending {
  return { state: 'cut', argumentText: text, toolCall: undefined };
}

/** Whether a call is that of a custom tool, whose input is any text. */
function isCustom({ type }: ToolSlot): boolean {
  return type === 'custom';
}

/** A missing type is not added: who left it out takes it back without. */
function nativeOf(slot: ToolSlot, id: string, text: string): JsonObject {
  const { name, type, rest, innerRest } = slot;
  const inner = isCustom(slot)
    ? { custom: { ...innerRest, name, input: text } }
    : { function: { ...innerRest, name, arguments: text } };
  return { id, ...(type !== undefined && { type }), ...inner, ...rest };
}
