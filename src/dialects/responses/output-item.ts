import type { BlockRecord } from '../../core/block-record.ts';
import { mintCallId } from '../../core/call-id.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { safeView } from '../../core/safe-view.ts';
import type { BlockKind } from '../../core/turn.ts';
import type { TurnWriter } from '../../core/turn-record.ts';
import type { UndecidedBlock } from '../../core/undecided-blocks.ts';
import { rememberSource } from '../../text/verbatim-json.ts';
import { type ClientCall, readClientCall } from './client-call.ts';
import { blockId, blockName, kindOf, needsConfirmation } from './item-kind.ts';
import { createShownTexts, type ShownTexts } from './shown-texts.ts';
import { textsOf, withTexts } from './text-channels.ts';

/** One output item whose block is open, until it is decided how it ended. */
export interface OutputItem extends UndecidedBlock {
  readonly block: BlockRecord;
  /** The item in the provider's own shape: as it began, and once it is done as it is. */
  readonly native: JsonObject;
  /** Whether it is a call whose id was taken, so that it goes back under one of its own. */
  readonly isRenamed: boolean;
  /** What is shown of its texts. */
  readonly texts: ShownTexts;
  /** Shows the texts that it began with. */
  showBegun(): void;
  /**
   * Shows an annotation of one of its parts.
   *
   * @param place Its place among those of the part; undefined where the event does not say.
   * @param length That of the event's text.
   */
  cite(contentIndex: number, place: number | undefined, annotation: unknown, length: number): void;
  /**
   * Takes the whole item, and shows what was not shown of it.
   *
   * @param source Its source text; undefined where there is none.
   * @param callIds The ids of the calls so far; that of this one is added.
   */
  complete(whole: JsonObject, source: string | undefined, callIds: Set<string>): void;
}

/** Opens the block of an item that began; of what kind it is may only be certain when it is done. */
export function openOutputItem(record: TurnWriter, begun: JsonObject, kind: BlockKind): OutputItem {
  let native = begun;
  let call: ClientCall | undefined;
  let isOver = false;
  let isRenamed = false;
  /** The places of the annotations of each part that were shown. */
  const cited = new Map<number, Set<number>>();
  const block = record.openBlock({ kind, id: blockId(begun, kind), name: blockName(begun, kind) }, begun);
  const texts = createShownTexts(record, block);

  return {
    block,
    texts,
    begun: 0,
    begunAtLast: 0,
    get native() {
      return native;
    },
    get isOver() {
      return isOver;
    },
    get needsConfirmation() {
      return needsConfirmation(block.kind);
    },
    get isRenamed() {
      return isRenamed;
    },
    showBegun() {
      for (const [channel, index, text] of textsOf(begun)) {
        if (channel.path.length === 1) texts.grow(channel, index, text);
      }
    },
    cite,
    complete(whole, source, callIds) {
      native = whole;
      isOver = true;
      block.kind = kindOf(whole);
      // First of all, for this refuses an input that nests too deep to be written again.
      if (block.kind === 'tool_call') readCall(source, callIds);
      if (source !== undefined) keepSource(whole, source);
      showRest();
    },
    close(isCut) {
      const isPart = isCut || (needsConfirmation(block.kind) && native['status'] === 'incomplete');
      block.native = isOver ? native : withTexts(native, texts.all);
      if (isPart) return record.closeBlock(block, 'cut');
      const isInvalid = block.kind === 'tool_call' && !call?.toolCall;
      record.closeBlock(block, isInvalid ? 'invalid' : 'finished', call?.toolCall);
    },
  };

  function cite(contentIndex: number, place: number | undefined, annotation: unknown, length: number): void {
    record.count(length);
    const places = cited.get(contentIndex) ?? new Set();
    // A server that gives all of them one number counts as one that gives none.
    places.add(place === undefined || places.has(place) ? places.size : place);
    cited.set(contentIndex, places);
    record.show(block, 'citation', safeView(annotation));
  }

  /** What is shown was counted when it was shown; the item holds it once more, and what is not shown. */
  function keepSource(whole: JsonObject, source: string): void {
    record.count(Math.max(0, source.length - block.text.length));
    if (JSON.stringify(whole) !== source) rememberSource(whole, source);
  }

  function readCall(source: string | undefined, callIds: Set<string>): void {
    const known = blockId(native, 'tool_call');
    isRenamed = known !== undefined && callIds.has(known);
    const id = known === undefined || isRenamed ? mintCallId(record.turnId, block.index) : known;
    callIds.add(id);
    // An output names the `call_id` of its call: without one of its own it could have none.
    if (native['call_id'] !== id) native = { ...native, call_id: id };
    const name = blockName(native, 'tool_call');
    Object.assign(block, { id, ...(name !== undefined && { name }) });
    call = readClientCall(native, id, source, record.limits.inputDepth);
  }

  function showRest(): void {
    // What a call says without a text of its own is shown as its JSON.
    if (call?.isJson && texts.isEmpty) record.grow(block, call.inputText);
    else for (const [channel, index, text] of textsOf(native)) texts.complete(channel, index, text);
    citeRest();
    const { kind: finalKind } = block;
    if (finalKind === 'server_tool_call' || finalKind === 'server_tool_result' || finalKind === 'other') {
      record.show(block, 'block_content', safeView(native));
    }
  }

  function citeRest(): void {
    const { content } = native;
    if (!Array.isArray(content)) return;
    for (const [index, part] of content.entries()) {
      const annotations: unknown = isJsonObject(part) ? part['annotations'] : undefined;
      if (!Array.isArray(annotations)) continue;
      const shown = new Set(cited.get(index));
      for (const [place, annotation] of annotations.entries()) {
        if (!shown.has(place)) cite(index, place, annotation, 0);
      }
    }
  }
}
