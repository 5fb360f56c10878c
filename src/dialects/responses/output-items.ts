import { LimitExceededError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { safeView } from '../../core/safe-view.ts';
import type { BlockKind } from '../../core/turn.ts';
import type { TurnWriter } from '../../core/turn-record.ts';
import { createUndecidedBlocks } from '../../core/undecided-blocks.ts';
import { kindOf } from './item-kind.ts';
import { type OutputItem, openOutputItem } from './output-item.ts';
import { channelOfPart, type TextChannel, type TextEvent } from './text-channels.ts';

/** The place of an item in the output. */
export interface Slot {
  /** Its `output_index`. */
  readonly place: number;
  /** Undefined while nothing is known of the item but that it began. */
  readonly item: OutputItem | undefined;
}

/** The output items of one response. */
export interface OutputItems {
  /** In order of arrival. */
  readonly slots: readonly Slot[];
  /** Takes `output_item.added`. */
  begin(wire: JsonObject): void;
  /** Takes a piece of a text, or a whole one. */
  text(event: TextEvent, wire: JsonObject): void;
  /** Takes a part that begins, or a whole one. */
  part(wire: JsonObject, isWhole: boolean): void;
  /** Takes an annotation; `length` is that of the event's text. */
  cite(wire: JsonObject, length: number): void;
  /** Takes an image that is not whole yet; `length` is that of the event's text. */
  showImage(wire: JsonObject, length: number): void;
  /** Takes `output_item.done`, and the source text of its item, if there is one. */
  finish(wire: JsonObject, source: string | undefined): void;
  /** Takes the output that the terminal event lists: only what was never done counts. */
  serve(output: unknown, sourcesOf: () => readonly string[]): void;
  /** Ends all that is open. `isConfirmed` says whether what came last is whole, although nothing came after it. */
  settle(isConfirmed: boolean): void;
}

/** A slot while it is filled. */
interface OpenSlot extends Slot {
  item: OutputItem | undefined;
  /** The item as it began. */
  readonly begun: JsonObject;
}

/**
 * Makes the output items of one response.
 *
 * Events go by `output_index`, for ids may change from event to event; those without one go by id. Calls and reasoning
 * are finished when a later item begins, or by the verdict at the end; all else when it is done.
 */
export function createOutputItems(record: TurnWriter): OutputItems {
  const slots: OpenSlot[] = [];
  const byPlace = new Map<number, OpenSlot>();
  const byId = new Map<unknown, OpenSlot>();
  const doneIds = new Set<unknown>();
  const callIds = new Set<string>();
  const undecided = createUndecidedBlocks<OutputItem>();
  /** Messages whose first part did not come yet, which says what they are: a text or a refusal. */
  const waiting = new Set<OpenSlot>();
  let nextPlace = 0;

  return {
    slots,
    begin(wire) {
      const begun = wire['item'];
      if (!isJsonObject(begun)) return malformed('began');
      const known = find(wire);
      if (known && !known.item?.isOver) {
        const message = 'An item began in the place of one that is open; of two with one id the first goes on';
        record.warn('duplicate_block_start', message, known.item?.block.index);
        if (known.begun['id'] === begun['id']) return;
      }
      addSlot(wire, begun);
    },
    text({ channel, isWhole }, wire) {
      const item = itemOf(wire, channel);
      if (item.isOver) return isWhole ? undefined : misfit('piece of text', item);
      const text = wire[isWhole ? channel.whole : 'delta'];
      if (typeof text !== 'string') {
        return isWhole || text === undefined || text === null ? undefined : misfit('piece that is no text', item);
      }
      const index = channel.indexMember === undefined ? 0 : indexOf(wire[channel.indexMember]);
      if (isWhole) item.texts.complete(channel, index, text);
      else item.texts.grow(channel, index, text);
      undecided.touch(item);
    },
    part(wire, isWhole) {
      const { part } = wire;
      const channel = channelOfPart(part);
      if (!channel || !isJsonObject(part)) return;
      const item = itemOf(wire, channel);
      const text = part[channel.whole];
      if (item.isOver || typeof text !== 'string') return;
      const index = indexOf(wire[channel.indexMember ?? '']);
      if (isWhole) item.texts.complete(channel, index, text);
      else item.texts.grow(channel, index, text);
    },
    cite(wire, length) {
      const slot = find(wire) ?? addSlot(wire, { type: 'message' });
      if (slot.item?.isOver) return misfit('annotation', slot.item);
      const { content_index: part, annotation_index: place, annotation } = wire;
      const item = slot.item ?? open(slot);
      item.cite(indexOf(part), typeof place === 'number' ? place : undefined, annotation, length);
    },
    showImage(wire, length) {
      const slot = find(wire) ?? addSlot(wire, { type: 'image_generation_call' });
      if (!slot.item || slot.item.isOver) return misfit('image', slot.item);
      const { sequence_number: _number, item_id: _id, output_index: _place, obfuscation: _padding, ...image } = wire;
      record.count(length);
      record.show(slot.item.block, 'block_content', safeView({ ...image, type: 'partial_image' }));
    },
    finish(wire, source) {
      const whole = wire['item'];
      if (!isJsonObject(whole)) return malformed('was done');
      const known = find(wire);
      const isRepeated = known?.item?.isOver && (known.item.native['id'] ?? whole['id']) === whole['id'];
      if (isRepeated) return misfit('end', known.item);
      undecided.touch(fill(known && !known.item?.isOver ? known : addSlot(wire, whole), whole, source));
    },
    serve(output, sourcesOf) {
      if (!Array.isArray(output)) return;
      let sources: readonly string[] | undefined;
      for (const [place, whole] of output.entries()) {
        if (!isJsonObject(whole) || doneIds.has(whole['id'])) continue;
        const slot = slotToServe(place, whole) ?? addSlot({ output_index: place }, whole);
        if (slot.item?.isOver || slot.begun['type'] !== whole['type']) continue;
        sources ??= sourcesOf();
        fill(slot, whole, sources[place]);
      }
    },
    settle(isConfirmed) {
      try {
        for (const slot of [...waiting]) open(slot);
      } finally {
        undecided.settle(isConfirmed);
      }
    },
  };

  function find({ output_index: place, item_id: id, item }: JsonObject): OpenSlot | undefined {
    if (typeof place === 'number') return byPlace.get(place);
    if (isJsonObject(item)) return byId.get(item['id']);
    if (id !== undefined) return byId.get(id);
    // An event that names no item at all can only mean the one that came last.
    const last = slots.at(-1);
    return last?.item?.isOver ? undefined : last;
  }

  /** Places shift where items are missing, so the id goes first; where ids change, only the place is left. */
  function slotToServe(place: number, { id }: JsonObject): OpenSlot | undefined {
    const named = byId.get(id);
    return named && !named.item?.isOver ? named : byPlace.get(place);
  }

  function addSlot({ output_index: index, item_id: wireId }: JsonObject, begun: JsonObject): OpenSlot {
    const place = typeof index === 'number' ? index : nextPlace;
    nextPlace = Math.max(nextPlace, place + 1);
    if (slots.length >= record.limits.blocks) throw new LimitExceededError('blocks', record.limits.blocks);
    const slot: OpenSlot = { place, item: undefined, begun };
    slots.push(slot);
    byPlace.set(place, slot);
    const id = begun['id'] ?? wireId;
    if (typeof id === 'string') byId.set(id, slot);
    waiting.add(slot);
    if (begun['type'] !== 'message') open(slot);
    return slot;
  }

  /** The item of an event about a text, opened; one that never began is what has such texts. */
  function itemOf(wire: JsonObject, { itemType, part }: TextChannel): OutputItem {
    const slot = find(wire) ?? addSlot(wire, { type: itemType });
    if (slot.item) return slot.item;
    // A message is what its first part is.
    return open(slot, slot.begun, part?.type === 'refusal' ? 'refusal' : undefined);
  }

  /** Opens the block of an item, behind those of the items that began before it. */
  function open(slot: OpenSlot, begun: JsonObject = slot.begun, kind: BlockKind = kindOf(begun)): OutputItem {
    for (const earlier of waiting) {
      if (earlier === slot) break;
      open(earlier);
    }
    waiting.delete(slot);
    undecided.confirm();
    const item = openOutputItem(record, begun, kind);
    slot.item = item;
    // Only now, for where a limit is in the way, a block that nobody knows of would never end.
    undecided.add(item);
    item.showBegun();
    return item;
  }

  function fill(slot: OpenSlot, whole: JsonObject, source: string | undefined): OutputItem {
    const item = slot.item ?? open(slot, whole);
    if (typeof whole['id'] === 'string') doneIds.add(whole['id']);
    item.complete(whole, source, callIds);
    undecided.finish(item);
    return item;
  }

  function malformed(what: string): void {
    record.warn('malformed_event', `An item ${what} without saying what it is; it is ignored`);
  }

  function misfit(what: string, item: OutputItem | undefined): void {
    const message = `An event (${what}) came that does not fit its item, or for none; it is ignored`;
    record.warn('unexpected_delta', message, item?.block.index);
  }
}

function indexOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
