import type { TurnAssembler } from '../../core/dialect.ts';
import type { TurnError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { providerError } from '../../core/provider-error.ts';
import type { TurnStatus } from '../../core/turn.ts';
import type { TurnRecord } from '../../core/turn-record.ts';
import { describeUnknownEvent } from '../../core/unknown-event.ts';
import { elementTextsAt, sourceTextAt } from '../../text/verbatim-json.ts';
import type { ContentOptions } from './content-block.ts';
import { type ContentBlocks, createContentBlocks } from './content-blocks.ts';
import { type AnthropicEntry, buildEntries, type Entries } from './entries.ts';
import { createEnvelope, type Envelope } from './envelope.ts';
import { isCutting } from './wire.ts';

/**
 * Makes the state machine for one Anthropic message: reads its events, and decides how the turn ends.
 *
 * @see https://docs.anthropic.com/en/docs/build-with-claude/streaming
 */
export function createTurnAssembler(record: TurnRecord<AnthropicEntry>, options: ContentOptions): TurnAssembler {
  let message: { readonly id: string | null } | undefined;
  let envelope: Envelope = createEnvelope(record);
  let blocks: ContentBlocks = createContentBlocks(record, options);

  return {
    event(wire, source, name) {
      const type = wire['type'] ?? name;
      switch (type) {
        case 'content_block_delta':
          return blocks.grow(wire['index'], wire['delta'], source?.length ?? 0);
        case 'content_block_start':
          return startBlock(wire, source);
        case 'content_block_stop':
          return blocks.stop(wire['index']);
        case 'message_start':
          return startMessage(wire, source);
        case 'message_delta':
          return mergeDelta(wire, source);
        case 'message_stop':
          return stop('complete');
        case 'ping':
          return;
        default:
          return otherEvent(wire, type, name);
      }
    },
    done() {},
    end(end) {
      if (end.type === 'failed') return stop('failed', end.error);
      if (end.type === 'aborted') return stop('aborted');
      if (envelope.stopReason === null || blocks.hasOpen) return stop('truncated');
      record.warn('missing_message_stop', 'The stream ended without message_stop, after the stop reason');
      stop('complete');
    },
  };

  function startBlock(wire: JsonObject, source: string | undefined): void {
    record.count(source?.length ?? 0);
    const sourceOfBlock = (): string | undefined => source && sourceTextAt(source, ['content_block']);
    blocks.start(wire['index'], wire['content_block'], sourceOfBlock);
  }

  function startMessage({ type: _type, message: wire, ...fields }: JsonObject, source: string | undefined): void {
    if (!isJsonObject(wire) && message) {
      record.warn('malformed_event', 'A message began without saying what it is; the one before goes on');
      return;
    }
    record.count(source?.length ?? 0);
    const head = isJsonObject(wire) ? wire : {};
    const id = typeof head['id'] === 'string' ? head['id'] : null;
    if (message?.id === id) return;
    if (message) restart();
    message = { id };
    record.start(id, typeof head['model'] === 'string' ? head['model'] : null);
    envelope.merge({ ...fields, ...head });
    startContent(head['content'], source);
  }

  /** The whole reply may stand in the start, as after programmatic tool calls. */
  function startContent(content: unknown, source: string | undefined): void {
    if (!Array.isArray(content) || content.length === 0) return;
    const sources = source === undefined ? [] : elementTextsAt(source, ['message', 'content']);
    for (const [index, block] of content.entries()) {
      blocks.start(index, block, () => sources[index]);
      if (isJsonObject(block)) blocks.stop(index);
    }
  }

  /** A proxy that retried in secret sends a second message: the first one is void. */
  function restart(): void {
    blocks.settle({ isWhole: false, isConfirmed: false });
    record.discard();
    record.warn('restarted', 'Another message began in the same stream; the one before is discarded');
    envelope = createEnvelope(record);
    blocks = createContentBlocks(record, options);
  }

  function mergeDelta({ type: _type, delta, ...fields }: JsonObject, source: string | undefined): void {
    record.count(source?.length ?? 0);
    if (delta !== undefined && !isJsonObject(delta)) {
      record.warn('malformed_event', 'A message_delta came without saying what it changes');
    }
    envelope.merge(isJsonObject(delta) ? { ...fields, ...delta } : fields);
  }

  function otherEvent(wire: JsonObject, type: unknown, name: string | undefined): void {
    const hasError = wire['error'] !== undefined && wire['error'] !== null;
    const isError = type === 'error' || name === 'error' || (typeof wire['type'] !== 'string' && hasError);
    if (isError) return stop('failed', providerError(wire));
    record.warn('unknown_event', describeUnknownEvent(wire, type));
  }

  function stop(status: TurnStatus, error?: TurnError): void {
    const { stopReason } = envelope;
    const isWhole = status === 'complete';
    try {
      blocks.settle({ isWhole, isConfirmed: (isWhole || stopReason !== null) && !isCutting(stopReason) });
    } catch (cause) {
      // The first failure is the one that matters.
      if (!error) throw cause;
    }
    const finished = (): Entries => buildEntries(record.blocks, isWhole);
    const goesBack = isWhole ? finished() : { entries: [], repairs: [], finished };
    const { wire, usage } = envelope;
    record.stop({ ...goesBack, status, stopReason, carry: envelope.carry(), envelope: wire, usage, error });
  }
}
