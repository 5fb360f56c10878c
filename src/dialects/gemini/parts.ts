import type { BlockRecord } from '../../core/block-record.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { safeView } from '../../core/safe-view.ts';
import type { TurnWriter } from '../../core/turn-record.ts';
import { rememberSource, sourceTextAt } from '../../text/verbatim-json.ts';
import { beginCall, type FunctionCall } from './function-call.ts';
import { warnMalformed } from './malformed.ts';
import { countMembers } from './members.ts';
import type { PendingPart } from './pending-part.ts';
import type { Source } from './source.ts';
import { isText, kindOf, needsConfirmation, plainText, serverToolName } from './wire.ts';

/** The parts of one content. */
export interface Parts {
  /** The block of the text that may still grow. */
  readonly openText: BlockRecord | undefined;
  /** Takes a part of one chunk. */
  push(wire: unknown, source: Source): void;
  /** Ends the part that is not over. */
  settle(end: { readonly isComplete: boolean; readonly isCutting: boolean }): void;
}

/** What is counted where it is shown. */
const shown = new Set(['text']);

/** Text that may join what came before it. */
interface TextRun extends PendingPart {
  readonly isThought: boolean;
}

/**
 * Makes the parts of one content, one block each.
 *
 * Text that says nothing but itself joins its neighbours; a part with anything else in it, a signature above all, stays
 * what it is, where it is. A call and reasoning are over when another part begins, for the wire may have cut them.
 *
 * @param beforeTextEnds Is told of text that grew, directly before another part ends it.
 */
export function createParts(record: TurnWriter, beforeTextEnds: (text: BlockRecord) => void): Parts {
  const callIds = new Set<string>();
  let pending: PendingPart | undefined;
  let run: TextRun | undefined;
  /** The last call; one that is over is not open. */
  let call: FunctionCall | undefined;

  return {
    get openText() {
      return openText();
    },
    push(wire, source) {
      if (!isJsonObject(wire)) return warnMalformed(record, 'A part');
      const text = plainText(wire);
      if (text !== undefined) return growRun(text, wire);
      if (isJsonObject(wire['functionCall'])) return pushCall(wire, wire['functionCall'], source);
      pushWhole(wire, source);
    },
    settle({ isComplete, isCutting }) {
      const mayBeCut = isCutting && pending !== undefined && needsConfirmation(pending.block.kind);
      decide(!isComplete || mayBeCut);
    },
  };

  function openText(): BlockRecord | undefined {
    return run && !run.isThought ? run.block : undefined;
  }

  /** An empty text says nothing, so it separates nothing. */
  function growRun(text: string, wire: JsonObject): void {
    if (text === '') return;
    const isThought = wire['thought'] === true;
    if (run?.isThought !== isThought) {
      confirm();
      run = beginRun(record, wire, isThought);
      pending = run;
    }
    record.grow(run.block, text);
  }

  /** A part with a name begins a call, one without goes to that which is open. */
  function pushCall(wire: JsonObject, called: JsonObject, source: Source): void {
    const open = call?.isOpen && !isText(called['name']) ? call : undefined;
    if (!open && isStrayEnd(wire, called)) {
      return record.warn('unexpected_delta', 'A call ended where none was open; it is ignored');
    }
    if (!open) confirm();
    call = open ?? beginCall(record, wire, callIds);
    pending = call;
    call.push(wire, () => {
      const text = source();
      return text === undefined ? undefined : sourceTextAt(text, ['functionCall', 'args']);
    });
  }

  function pushWhole(wire: JsonObject, source: Source): void {
    confirm();
    const kind = kindOf(wire);
    const block = record.openBlock({ kind, name: serverToolName(wire) }, wire);
    const part: PendingPart = {
      block,
      settle: (isCut) => record.closeBlock(block, isCut ? 'cut' : 'finished'),
    };
    pending = part;
    countMembers(record, wire, shown);
    const isShownText = kind === 'text' || kind === 'reasoning';
    if (isShownText) record.grow(block, String(wire['text']));
    else record.show(block, 'block_content', safeView(wire));
    if (kind !== 'media' && !isShownText) keepSource(wire, source());
    if (!needsConfirmation(kind)) decide(false);
  }

  /** What begins confirms what came before. */
  function confirm(): void {
    const text = openText();
    if (text) beforeTextEnds(text);
    decide(false);
  }

  function decide(isCut: boolean): void {
    pending?.settle(isCut);
    pending = undefined;
    run = undefined;
  }
}

function beginRun(record: TurnWriter, wire: JsonObject, isThought: boolean): TextRun {
  const block = record.openBlock({ kind: isThought ? 'reasoning' : 'text' }, undefined);
  const isThoughtFirst = isThought && Object.keys(wire).indexOf('thought') < Object.keys(wire).indexOf('text');
  return {
    block,
    isThought,
    settle(isCut) {
      const { text } = block;
      if (!isThought) block.native = { text };
      else block.native = isThoughtFirst ? { thought: true, text } : { text, thought: true };
      record.closeBlock(block, isCut ? 'cut' : 'finished');
    },
  };
}

/** Numbers and the order of members go back as they stood on the wire. */
function keepSource(part: JsonObject, source: string | undefined): void {
  const text = source && sourceTextAt(source, []);
  if (text) rememberSource(part, text);
}

/** The end of a call that is over already, or of none. */
function isStrayEnd(part: JsonObject, { willContinue: _goesOn, ...called }: JsonObject): boolean {
  return plainText({ ...part, ...called, functionCall: undefined, text: undefined }) === '';
}
