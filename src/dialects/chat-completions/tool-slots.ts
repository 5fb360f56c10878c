import { LimitExceededError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { TurnWriter } from '../../core/turn-record.ts';
import { createPartialJson, type PartialJson } from '../../text/partial-json.ts';
import { mergeKnown } from './message-fields.ts';

/** One tool call while it streams. */
export interface ToolSlot {
  /** What the call holds beside what is named below; goes back as it is. */
  readonly rest: JsonObject;
  /** The same of its inner object, `function` or `custom`. */
  readonly innerRest: JsonObject;
  /** The wire's index; undefined while it gave none. */
  index: number | undefined;
  id: string | undefined;
  name: string;
  /** `function`, `custom`, or what else the wire says. */
  type: string | undefined;
  /** The arguments of a function, or the input of a custom tool, as they came. */
  text: string;
  /** Reads along whether the arguments are whole; made when it is first asked. */
  scan: PartialJson | undefined;
}

/** What one tool delta says. */
export interface ToolDelta {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string;
  readonly type: string | undefined;
  readonly text: string;
  /** What else it holds: `extra_content`, … */
  readonly rest: JsonObject;
  /** What else its inner object holds. */
  readonly innerRest: JsonObject;
}

/** The calls of one message. */
export interface ToolSlots {
  /** In order of arrival. */
  readonly slots: readonly ToolSlot[];
  /** The call that a delta belongs to, a new one if need be; takes over what the delta says, but for its text. */
  find(delta: ToolDelta): ToolSlot;
}

/** Finds the source text of a value inside a tool delta; undefined where there is none. */
export type SourceAt = (path: readonly string[]) => string | undefined;

/**
 * Reads a tool delta of any server: functions, custom tools, arguments as an object.
 *
 * @returns undefined for what is no object.
 */
export function readToolDelta(wire: unknown, sourceAt: SourceAt): ToolDelta | undefined {
  if (!isJsonObject(wire)) return undefined;
  const { index, id, type, function: called, custom, ...rest } = wire;
  const isCustom = isJsonObject(custom);
  const inner = isCustom ? custom : isJsonObject(called) ? called : {};
  const { name, arguments: given, input, ...innerRest } = inner;
  const place = isCustom ? ['custom', 'input'] : ['function', 'arguments'];
  return {
    index: typeof index === 'number' ? index : undefined,
    id: nonEmpty(id),
    name: nonEmpty(name) ?? '',
    type: nonEmpty(type) ?? (isCustom ? 'custom' : undefined),
    text: textOf(isCustom ? input : given, () => sourceAt(place)),
    rest,
    innerRest,
  };
}

/**
 * Arguments come as text; a server that sends a value has a text of it, too. One that is no object makes the whole
 * invalid, as it must: a piece that is lost could be the one that matters.
 */
function textOf(value: unknown, source: () => string | undefined): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : (source() ?? JSON.stringify(value));
}

/**
 * Makes the slots of one message.
 *
 * The same id, then the same index, then the open call; at the call so found, another id with a name begins a new one,
 * and so does another name once there are arguments. Servers repeat ids and names, leave indexes out, use index 0 for
 * every call, or change the id in the middle of one.
 */
export function createToolSlots(record: TurnWriter): ToolSlots {
  const slots: ToolSlot[] = [];
  const byId = new Map<string, ToolSlot>();
  const byIndex = new Map<number, ToolSlot>();

  return {
    slots,
    find(delta) {
      const slot = locate(delta) ?? open();
      takeOver(slot, delta);
      return slot;
    },
  };

  function locate(delta: ToolDelta): ToolSlot | undefined {
    const known = delta.id === undefined ? undefined : byId.get(delta.id);
    if (known) return continuesById(known, delta) ? known : undefined;
    const candidate = delta.index === undefined ? slots.at(-1) : atIndex(delta.index, delta);
    return candidate && continues(candidate, delta) ? candidate : undefined;
  }

  function atIndex(index: number, { id, name }: ToolDelta): ToolSlot | undefined {
    const seen = byIndex.get(index);
    if (seen) return seen;
    const last = slots.at(-1);
    return id === undefined && name === '' && last?.index === undefined ? last : undefined;
  }

  function open(): ToolSlot {
    if (slots.length >= record.limits.blocks) throw new LimitExceededError('blocks', record.limits.blocks);
    const nothing = { index: undefined, id: undefined, type: undefined, scan: undefined };
    const slot: ToolSlot = { rest: {}, innerRest: {}, name: '', text: '', ...nothing };
    slots.push(slot);
    return slot;
  }

  /** Ids, types and the index are set once; a name may still come in pieces. */
  function takeOver(slot: ToolSlot, { index, id, name, type, rest, innerRest }: ToolDelta): void {
    slot.index ??= index;
    slot.type ??= type;
    slot.id ??= id;
    // Of two calls that share an id the newer one is meant from now on.
    if (id !== undefined && slot.id === id) byId.set(id, slot);
    if (index !== undefined) byIndex.set(index, slot);
    if (name !== '' && name !== slot.name) slot.name = name.startsWith(slot.name) ? name : slot.name + name;
    mergeKnown(slot.rest, rest);
    mergeKnown(slot.innerRest, innerRest);
  }
}

/** A known id with a name and another index, or with another name once there are arguments, is a new call. */
function continuesById(slot: ToolSlot, { index, name }: ToolDelta): boolean {
  if (name === '') return true;
  if (index !== undefined && slot.index !== undefined && index !== slot.index) return false;
  return name === slot.name || slot.name === '' || slot.text === '';
}

function continues(slot: ToolSlot, delta: ToolDelta): boolean {
  const { id, index, name, text } = delta;
  if (id !== undefined && slot.id !== undefined && id !== slot.id) return name === '';
  if (name === '') return true;
  if (name === slot.name) return text.trim() === '' || !isWhole(slot);
  if (slot.name === '') return true;
  // Without an index and an id nothing but the name tells one call from the next.
  if (index === undefined && id === undefined) return false;
  return slot.text === '';
}

/** Appends to the arguments of a call. */
export function growArguments(slot: ToolSlot, text: string): void {
  slot.text += text;
  slot.scan?.push(text);
}

/** Whether arguments are JSON already: then more of them under the same name are those of another call. */
function isWhole(slot: ToolSlot): boolean {
  if (!slot.scan) {
    slot.scan = createPartialJson();
    slot.scan.push(slot.text);
  }
  return slot.scan.state === 'complete';
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
