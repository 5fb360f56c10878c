import type { BlockRecord } from '../../core/block-record.ts';
import { mintCallId } from '../../core/call-id.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { BlockState } from '../../core/turn.ts';
import type { TurnWriter } from '../../core/turn-record.ts';
import { createUndecidedBlocks, type UndecidedBlock } from '../../core/undecided-blocks.ts';
import { type BlockContent, type ContentOptions, createContent } from './content-block.ts';
import { kindOf, needsConfirmation } from './wire.ts';

/** One content block until it is decided how it ended. */
interface PendingBlock extends UndecidedBlock {
  readonly block: BlockRecord;
  readonly content: BlockContent;
  /** True once its `content_block_stop` came. */
  isOver: boolean;
  /** The block that was open on the same index already, and is still. */
  readonly under: PendingBlock | undefined;
}

/** What the end of a message says of the blocks that are still undecided. */
export interface Verdict {
  /** Whether the message is whole: then blocks that nobody closed are over too. Otherwise they are cut. */
  readonly isWhole: boolean;
  /** Whether the stop reason confirms the calls and the reasoning that no later block confirmed. */
  readonly isConfirmed: boolean;
}

/** The content blocks of one message. */
export interface ContentBlocks {
  /** True while the `content_block_stop` of a block is missing. */
  readonly hasOpen: boolean;
  /**
   * Begins a block.
   *
   * @param index The wire's own index.
   * @param wire The block as the wire began it.
   * @param sourceOf Finds the source text of the block; undefined where there is none.
   */
  start(index: unknown, wire: unknown, sourceOf: () => string | undefined): void;
  /** Gives a delta to the newest open block of its index; `length` is that of the event's text. */
  grow(index: unknown, delta: unknown, length: number): void;
  /** Closes the newest open block of an index. */
  stop(index: unknown): void;
  /** Decides what is undecided. */
  settle(verdict: Verdict): void;
}

/**
 * Makes the content blocks of one message.
 *
 * Deltas go by `index`, never to "the last block". A text is finished with its `content_block_stop`; a call and
 * reasoning when a later block begins, or by the verdict at the end: the service closes what it cut just like others.
 */
export function createContentBlocks(record: TurnWriter, options: ContentOptions): ContentBlocks {
  /** The newest open block of each index. */
  const open = new Map<unknown, PendingBlock>();
  /** Those whose `content_block_stop` is missing. */
  const unclosed = new Set<PendingBlock>();
  const undecided = createUndecidedBlocks<PendingBlock>();
  const callIds = new Set<string>();

  return {
    get hasOpen() {
      return open.size > 0;
    },
    start(index, wire, sourceOf) {
      if (!isJsonObject(wire)) {
        record.warn('malformed_event', 'A content block began without saying what it is');
        return;
      }
      undecided.confirm();
      const under = open.get(index);
      const pending = begin(wire, sourceOf, under);
      if (under) {
        const message = `A block began on index ${named(index)} while another was open there; both are kept`;
        record.warn('duplicate_block_start', message, pending.block.index);
      }
      undecided.add(pending);
      unclosed.add(pending);
      open.set(index, pending);
      pending.content.begin();
    },
    grow(index, delta, length) {
      const pending = open.get(index);
      if (!pending) return unexpected('delta', index);
      undecided.touch(pending);
      const { content, block } = pending;
      const type = isJsonObject(delta) ? delta['type'] : undefined;
      const isRead = isJsonObject(delta) && typeof type === 'string';
      if (!(isRead ? content.grow(type, delta, length) : content.lose())) unknownDelta(block, type);
    },
    stop(index) {
      const pending = open.get(index);
      if (!pending) return unexpected('stop', index);
      if (pending.under) open.set(index, pending.under);
      else open.delete(index);
      pending.isOver = true;
      unclosed.delete(pending);
      undecided.touch(pending);
      undecided.finish(pending);
    },
    settle({ isWhole, isConfirmed }) {
      for (const pending of isWhole ? unclosed : []) {
        pending.isOver = true;
        closeUnclosed(pending.block);
      }
      open.clear();
      undecided.settle(isConfirmed);
    },
  };

  function begin(wire: JsonObject, sourceOf: () => string | undefined, under?: PendingBlock): PendingBlock {
    const native = { ...wire };
    const type = typeof wire['type'] === 'string' ? wire['type'] : '';
    const kind = kindOf(type);
    const isCall = kind === 'tool_call' || kind === 'server_tool_call';
    if (kind === 'tool_call' && !isText(wire['id'])) native['id'] = mintCallId(record.turnId, record.nextIndex);
    const block = record.openBlock(
      {
        kind,
        id: isCall && isText(native['id']) ? native['id'] : undefined,
        name: isCall && isText(native['name']) ? native['name'] : undefined,
        redacted: type === 'redacted_thinking',
      },
      native,
    );
    const content = createContent({ record, block, native, sourceOf, options });
    return {
      block,
      content,
      under,
      isOver: false,
      needsConfirmation: needsConfirmation(kind),
      begun: 0,
      begunAtLast: 0,
      close: (isCut) => (isCut ? cut(block, content) : finish(block, content)),
    };
  }

  function finish(block: BlockRecord, content: BlockContent): void {
    let state: BlockState = 'invalid';
    try {
      state = content.finish();
    } finally {
      const { toolCall } = content;
      // One that came twice, as from a proxy that answers again in secret, is run once.
      const isNew = toolCall && !callIds.has(toolCall.id);
      if (isNew) callIds.add(toolCall.id);
      record.closeBlock(block, state, isNew ? toolCall : undefined);
    }
  }

  function cut(block: BlockRecord, content: BlockContent): void {
    try {
      content.cut();
    } finally {
      record.closeBlock(block, 'cut');
    }
  }

  function unexpected(what: string, index: unknown): void {
    record.warn('unexpected_delta', `A ${what} came for index ${named(index)}, where no block is open; it is ignored`);
  }

  function unknownDelta({ kind, index }: BlockRecord, type: unknown): void {
    const what = typeof type === 'string' ? `a delta of type ${JSON.stringify(type)}` : 'a delta without a type';
    record.warn('unknown_delta', `A ${kind} block got ${what}, of which nothing can be made`, index);
  }

  function closeUnclosed(block: BlockRecord): void {
    record.warn('missing_block_stop', 'A block was never closed; the end of the message closes it', block.index);
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** An index as a warning names it; what is no number is not worth printing. */
function named(index: unknown): string {
  return typeof index === 'number' ? `${index}` : '(none)';
}
