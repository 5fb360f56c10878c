import type { TurnAssembler } from '../../core/dialect.ts';
import { providerError, type WholeturnError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { TurnStatus } from '../../core/turn.ts';
import type { TurnRecord } from '../../core/turn-record.ts';
import { elementTextsAt, sourceTextAt } from '../../text/verbatim-json.ts';
import type { ContentOptions } from './content-block.ts';
import { type ContentBlocks, createContentBlocks } from './content-blocks.ts';
import { type AnthropicEntry, buildEntries } from './entries.ts';
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
          return blocks.grow(wire['index'], wire['delta']);
        case 'content_block_start':
          return blocks.start(wire['index'], wire['content_block'], () => sourceOf(source, ['content_block', 'input']));
        case 'content_block_stop':
          return blocks.stop(wire['index']);
        case 'message_start':
          return startMessage(wire['message'], source);
        case 'message_delta':
          return mergeDelta(wire);
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

  function startMessage(wire: unknown, source: string | undefined): void {
    const fields = isJsonObject(wire) ? wire : {};
    const id = typeof fields['id'] === 'string' ? fields['id'] : null;
    if (message?.id === id) return;
    if (message) restart();
    message = { id };
    record.start(id, typeof fields['model'] === 'string' ? fields['model'] : null);
    envelope.merge(fields);
    startContent(fields['content'], source);
  }

  /** The whole reply may stand in the start, as after programmatic tool calls. */
  function startContent(content: unknown, source: string | undefined): void {
    if (!Array.isArray(content) || content.length === 0) return;
    const sources = source === undefined ? [] : elementTextsAt(source, ['message', 'content']);
    for (const [index, block] of content.entries()) {
      blocks.start(index, block, () => sourceOf(sources[index], ['input']));
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

  function mergeDelta({ type: _type, delta, ...fields }: JsonObject): void {
    envelope.merge(isJsonObject(delta) ? { ...fields, ...delta } : fields);
  }

  function otherEvent(wire: JsonObject, type: unknown, name: string | undefined): void {
    const isError = type === 'error' || name === 'error' || (wire['type'] === undefined && 'error' in wire);
    if (isError) return stop('failed', providerError(wire));
    record.warn('unknown_event', `An event of type ${JSON.stringify(type ?? null)} came, of which nothing is known`);
  }

  function stop(status: TurnStatus, error?: WholeturnError): void {
    const { stopReason } = envelope;
    const isWhole = status === 'complete';
    blocks.settle({ isWhole, isConfirmed: (isWhole || stopReason !== null) && !isCutting(stopReason) });
    const { entries, repairs } = isWhole ? buildEntries(record.blocks) : { entries: [], repairs: [] };
    record.stop({ status, stopReason, entries, repairs, carry: envelope.carry(), envelope: envelope.wire, error });
  }
}

function sourceOf(source: string | undefined, path: readonly (string | number)[]): string | undefined {
  return source === undefined ? undefined : sourceTextAt(source, path);
}
