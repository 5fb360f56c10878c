import type { BlockRecord } from '../../core/block-record.ts';
import { mintCallId } from '../../core/call-id.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { BlockState } from '../../core/turn.ts';
import type { TurnWriter } from '../../core/turn-record.ts';
import { type BlockContent, type ContentOptions, createContent } from './content-block.ts';
import { kindOf, needsConfirmation } from './wire.ts';

/** One content block until it is decided how it ended. */
interface PendingBlock {
  readonly block: BlockRecord;
  readonly content: BlockContent;
  /** True once its `content_block_stop` came. */
  isClosed: boolean;
  /** How many blocks had begun when the last of it came; one that begins later confirms it. */
  begunAtLast: number;
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
   * @param sourceOfInput Finds the source text of the block's `input`; undefined where there is none.
   */
  start(index: unknown, wire: unknown, sourceOfInput: () => string | undefined): void;
  /** Gives a delta to the newest open block of its index. */
  grow(index: unknown, delta: unknown): void;
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
  /** In order of arrival. */
  let undecided: PendingBlock[] = [];
  let begun = 0;

  return {
    get hasOpen() {
      return open.size > 0;
    },
    start(index, wire, sourceOfInput) {
      if (!isJsonObject(wire)) {
        record.warn('malformed_event', 'A content block began without saying what it is');
        return;
      }
      // A block that begins after a call or reasoning was closed confirms it.
      decide((pending) => (pending.isClosed ? 'finish' : 'wait'));
      begun += 1;
      const under = open.get(index);
      const pending = begin(wire, sourceOfInput, under);
      if (under) {
        const message = `A block began on index ${String(index)} while another was open there; both are kept`;
        record.warn('duplicate_block_start', message, pending.block.index);
      }
      undecided.push(pending);
      open.set(index, pending);
      pending.content.begin();
    },
    grow(index, delta) {
      const pending = open.get(index);
      if (!pending) return unexpected('delta', index);
      pending.begunAtLast = begun;
      if (!isJsonObject(delta)) return malformedDelta(pending.block);
      if (!pending.content.grow(delta['type'], delta)) unknownDelta(pending.block, delta);
    },
    stop(index) {
      const pending = open.get(index);
      if (!pending) return unexpected('stop', index);
      if (pending.under) open.set(index, pending.under);
      else open.delete(index);
      pending.isClosed = true;
      pending.begunAtLast = begun;
      if (!needsConfirmation(pending.block.kind)) decide((other) => (other === pending ? 'finish' : 'wait'));
    },
    settle({ isWhole, isConfirmed }) {
      if (isWhole) for (const pending of undecided) if (!pending.isClosed) closeUnclosed(pending.block);
      open.clear();
      decide((pending) => {
        const isOver = pending.isClosed || isWhole;
        const isSure = isConfirmed || begun > pending.begunAtLast || !needsConfirmation(pending.block.kind);
        return isOver && isSure ? 'finish' : 'cut';
      });
    },
  };

  function begin(wire: JsonObject, sourceOfInput: () => string | undefined, under?: PendingBlock): PendingBlock {
    const native = { ...wire };
    const type = typeof wire['type'] === 'string' ? wire['type'] : '';
    const kind = kindOf(type);
    const isCall = kind === 'tool_call' || kind === 'server_tool_call';
    const index = record.nextIndex;
    if (kind === 'tool_call' && (typeof wire['id'] !== 'string' || wire['id'] === '')) {
      native['id'] = mintCallId(record.turnId, index);
    }
    const block = record.openBlock(
      {
        kind,
        id: isCall && typeof native['id'] === 'string' ? native['id'] : undefined,
        name: isCall && typeof native['name'] === 'string' ? native['name'] : undefined,
        redacted: type === 'redacted_thinking',
      },
      native,
    );
    const inputSource = isPlaceholder(wire['input']) ? undefined : (sourceOfInput() ?? JSON.stringify(wire['input']));
    const content = createContent({ record, block, native, inputSource, options });
    return { block, content, isClosed: false, begunAtLast: begun, under };
  }

  /** Ends blocks in order of arrival. One that breaks a limit is over all the same, and so are those behind it. */
  function decide(verdictOf: (pending: PendingBlock) => 'finish' | 'cut' | 'wait'): void {
    const failures: unknown[] = [];
    undecided = undecided.filter((pending) => {
      const verdict = verdictOf(pending);
      if (verdict === 'wait') return true;
      try {
        if (verdict === 'finish') finish(pending);
        else cut(pending);
      } catch (cause) {
        failures.push(cause);
      }
      return false;
    });
    if (failures.length > 0) throw failures[0];
  }

  function finish({ block, content }: PendingBlock): void {
    let state: BlockState = 'invalid';
    try {
      state = content.finish();
    } finally {
      record.closeBlock(block, state, content.toolCall);
    }
  }

  function cut({ block, content }: PendingBlock): void {
    try {
      content.cut();
    } finally {
      record.closeBlock(block, 'cut');
    }
  }

  function unexpected(what: string, index: unknown): void {
    record.warn('unexpected_delta', `A ${what} came for index ${String(index)}, where no block is open; it is ignored`);
  }

  function malformedDelta(block: BlockRecord): void {
    record.warn('malformed_event', 'A delta came without saying what it is; it is ignored', block.index);
  }

  function unknownDelta(block: BlockRecord, delta: JsonObject): void {
    const message = `A ${block.kind} block got a delta of type ${JSON.stringify(delta['type'])}, of which nothing is known`;
    record.warn('unknown_delta', message, block.index);
  }

  function closeUnclosed(block: BlockRecord): void {
    record.warn('missing_block_stop', 'A block was never closed; the end of the message closes it', block.index);
  }
}

/** Whether `input` is what stands there before the input comes in deltas, not an input. */
function isPlaceholder(input: unknown): boolean {
  if (isJsonObject(input)) return Object.keys(input).length === 0;
  return input === undefined || input === null || input === '';
}
