import {
  type BlockHead,
  type BlockRecord,
  blockDelta,
  blockStart,
  type ExtraEvent,
  isAssembled,
  pushBlockEnd,
  pushBlockStory,
} from './block-record.ts';
import { LimitExceededError } from './errors.ts';
import { rememberFinishedPart } from './finished-part.ts';
import type { HistoryFormat } from './history.ts';
import type { Limits } from './limits.ts';
import type { AssembledTurn, BlockState, ToolCall, Usage, WarningCode } from './turn.ts';
import type { TurnEnd } from './turn-end.ts';
import type { TurnEvent, UiEvent } from './turn-event.ts';
import { describeError } from './ui-error.ts';
import { createWarningLog } from './warning-log.ts';

/** What the limits count: shared by all answers of a stream. */
interface TurnSize {
  length: number;
  blocks: number;
}

/** What a turn record is made with. */
export interface TurnRecordOptions {
  /** The dialect's name. */
  readonly dialect: string;
  /** How the dialect writes a history. */
  readonly history?: HistoryFormat<unknown> | undefined;
  readonly limits: Limits;
  /** Milliseconds; asked at the start and the end of each block. */
  readonly clock: () => number;
}

/** What a dialect writes while a turn streams. */
export interface TurnWriter {
  readonly limits: Limits;
  /** The provider's id of the answer, as far as it is known. */
  readonly turnId: string | null;
  /** The index that the next block will have. */
  readonly nextIndex: number;
  /** Says who answers. A later call changes the id and model of the assembled turn, and tells nobody. */
  start(turnId: string | null, model: string | null): void;
  /** Begins a block. */
  openBlock(head: BlockHead, native: unknown): BlockRecord;
  /** Appends text that is shown. */
  grow(block: BlockRecord, text: string): void;
  /** Counts text that is kept and not shown towards the limits. */
  count(length: number): void;
  /** Shows a citation, or what came whole. The value must be safe to show. */
  show(block: BlockRecord, type: 'citation' | 'block_content', value: unknown): void;
  /** Ends a block, once; only a `finished` one is handed on. */
  closeBlock(block: BlockRecord, state: BlockState, toolCall?: ToolCall): void;
  usage(usage: Usage): void;
  warn(code: WarningCode, message: string, index?: number): void;
}

/**
 * Everything known of one turn, and the only place where UI events are made, so that their order holds in every
 * dialect: `turn_start` first, `block_start` before the block's deltas, nothing after `turn_stop`.
 */
export interface TurnRecord<Entry> extends TurnWriter {
  /** True once `stop` was called. */
  readonly isOver: boolean;
  /** The blocks of the turn, without those of a discarded message. */
  readonly blocks: readonly BlockRecord[];
  /** Forgets the blocks so far, which stay shown. All must be closed. */
  discard(): void;
  /** A record of its own for another answer in the same stream; nobody hears of it. */
  branch(): TurnRecord<Entry>;
  /** Ends the turn, and returns it. All blocks must be closed. */
  stop(end: TurnEnd<Entry>): AssembledTurn<Entry>;
  /** Hands over the events that were made since the last call. */
  take(): readonly TurnEvent<Entry>[];
  /** The whole story so far for one who comes late, with one delta a block. */
  story(): readonly TurnEvent<Entry>[];
  /** When a block began and ended. */
  timesOf(index: number): { readonly startedAt: number; readonly stoppedAt: number };
}

const nothing: readonly never[] = [];

/** Usage of which nothing is known. */
const unknownUsage: Usage = {
  inputTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  wire: null,
};

/** Makes the record of one turn. `size` is given for another answer of the same stream. */
export function createTurnRecord<Entry>(
  { dialect, history, limits, clock }: TurnRecordOptions,
  size: TurnSize = { length: 0, blocks: 0 },
): TurnRecord<Entry> {
  let lastTime = 0;
  let out: TurnEvent<Entry>[] = [];
  let opening: Extract<UiEvent, { type: 'turn_start' }> | undefined;
  let turnId: string | null = null;
  let model: string | null = null;
  let usage = unknownUsage;
  let ending: readonly TurnEvent<Entry>[] = nothing;
  let blocks: BlockRecord[] = [];
  const discarded: BlockRecord[] = [];
  const extras = new Map<BlockRecord, ExtraEvent[]>();
  const warnings = createWarningLog();

  const record: TurnRecord<Entry> = {
    get isOver() {
      return ending !== nothing;
    },
    get turnId() {
      return turnId;
    },
    get nextIndex() {
      return discarded.length + blocks.length;
    },
    get blocks() {
      return blocks;
    },
    limits,
    start(nextId, nextModel) {
      turnId = nextId;
      model = nextModel;
      if (!opening) open();
    },
    openBlock(head, native) {
      if (!opening) open();
      const index = record.nextIndex;
      size.blocks += 1;
      if (size.blocks > limits.blocks) throw new LimitExceededError('blocks', limits.blocks);
      const now = time();
      const block: BlockRecord = {
        index,
        kind: head.kind,
        state: undefined,
        ...(head.id !== undefined && { id: head.id }),
        ...(head.name !== undefined && { name: head.name }),
        ...(head.redacted && { redacted: true as const }),
        text: '',
        native,
        startedAt: now,
        stoppedAt: now,
      };
      blocks.push(block);
      out.push(blockStart(block));
      return block;
    },
    grow(block, text) {
      if (text === '') return;
      record.count(text.length);
      block.text += text;
      const delta = blockDelta(block.kind, block.index, text);
      if (delta) out.push(delta);
    },
    count(more) {
      size.length += more;
      if (size.length > limits.turnLength) throw new LimitExceededError('turnLength', limits.turnLength);
    },
    show(block, type, value) {
      const { index } = block;
      const event = type === 'citation' ? ({ type, index, citation: value } as const) : { type, index, content: value };
      const shown = extras.get(block);
      if (shown) shown.push(event);
      else extras.set(block, [event]);
      out.push(event);
    },
    closeBlock(block, state, toolCall) {
      // A block that is over stays as it is: after a failure everything is closed that is not.
      if (block.state !== undefined) return;
      block.text = flattened(block.text);
      block.state = state;
      block.stoppedAt = time();
      if (toolCall) block.toolCall = toolCall;
      pushBlockEnd(out, block);
    },
    discard() {
      for (const block of blocks) discarded.push(block);
      blocks = [];
      usage = unknownUsage;
    },
    usage(next) {
      usage = next;
      if (!opening) open();
      out.push({ type: 'usage', usage });
    },
    warn(code, message, index) {
      const warning = warnings.add(code, message, index);
      // Before the turn's start nothing may be told; `open` tells it then.
      if (opening && warning) out.push({ type: 'warning', ...warning });
    },
    branch: () => createTurnRecord<Entry>({ dialect, history, limits, clock }, size),
    stop(end) {
      if (!opening) open();
      const { stopReason, status, error } = end;
      usage = end.usage ?? usage;
      const turn = assembledTurn(end);
      rememberFinished(turn, end);
      const uiError = error && describeError(error);
      ending = [
        { type: 'turn', turn },
        { type: 'turn_stop', status, stopReason, usage, ...(uiError && { error: uiError }) },
      ];
      out.push(...ending);
      return turn;
    },
    take() {
      if (out.length === 0) return nothing;
      const taken = out;
      out = [];
      return taken;
    },
    story() {
      if (!opening) return nothing;
      const story: TurnEvent<Entry>[] = [opening];
      for (const block of discarded) pushBlockStory(story, block, extras.get(block));
      for (const block of blocks) pushBlockStory(story, block, extras.get(block));
      for (const warning of warnings.all) story.push({ type: 'warning', ...warning });
      if (usage !== unknownUsage) story.push({ type: 'usage', usage });
      for (const event of ending) story.push(event);
      return story;
    },
    timesOf(index) {
      const block = discarded[index] ?? blocks[index - discarded.length];
      return { startedAt: block?.startedAt ?? 0, stoppedAt: block?.stoppedAt ?? 0 };
    },
  };
  return record;

  /** A clock of the caller's that throws must not end the turn: it then stands where it stood last. */
  function time(): number {
    try {
      lastTime = clock();
    } catch {}
    return lastTime;
  }

  /** What broke a limit may break it again: then there is nothing whole. */
  function rememberFinished(turn: AssembledTurn<Entry>, { status, finished }: TurnEnd<Entry>): void {
    if (status === 'complete') return;
    let whole: ReturnType<NonNullable<typeof finished>> = { entries: nothing, repairs: nothing };
    try {
      if (finished) whole = finished();
    } catch {}
    rememberFinishedPart(turn, { entries: whole.entries, repairs: whole.repairs, history });
  }

  function open(): void {
    opening = { type: 'turn_start', turnId, model };
    out.push(opening);
    for (const warning of warnings.all) out.push({ type: 'warning', ...warning });
  }

  function assembledTurn(end: TurnEnd<Entry>): AssembledTurn<Entry> {
    const { status, stopReason, entries, repairs, carry, envelope, choices, error } = end;
    const assembled = blocks.filter(isAssembled);
    const calls = end.toolCalls ?? assembled.flatMap(({ toolCall }) => toolCall ?? []);
    const toolCalls = status === 'complete' ? calls : nothing;
    return {
      dialect,
      status,
      turnId,
      model,
      stopReason,
      usage,
      blocks: assembled,
      toolCalls,
      entries,
      repairs: repairs.length > 0 ? repairs : nothing,
      carry,
      envelope,
      warnings: warnings.all.length > 0 ? warnings.all : nothing,
      ...(choices && choices.length > 0 && { choices }),
      ...(error && { error }),
    };
  }
}

/**
 * The same text in one piece. An engine keeps what was put together from many deltas as a tree of them, several times
 * as large as the text, until somebody reads it; a regular expression does, and cannot be optimised away.
 */
function flattened(text: string): string {
  return /^/.test(text) ? text : '';
}
