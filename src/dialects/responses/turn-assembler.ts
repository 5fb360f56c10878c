import type { TurnAssembler } from '../../core/dialect.ts';
import type { TurnError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { providerError } from '../../core/provider-error.ts';
import type { Repair, TurnStatus } from '../../core/turn.ts';
import type { TurnRecord } from '../../core/turn-record.ts';
import { describeUnknownEvent } from '../../core/unknown-event.ts';
import { elementTextsAt, sourceTextAt } from '../../text/verbatim-json.ts';
import { buildEntries, type Entries, type ResponsesEntry } from './entries.ts';
import { createEnvelope, type Envelope } from './envelope.ts';
import type { OutputItem } from './output-item.ts';
import { createOutputItems, type OutputItems } from './output-items.ts';
import { textEvents } from './text-channels.ts';

/** Options that change what goes back. */
export interface AssemblerOptions {
  /** Whether the service keeps its answers. */
  readonly store: boolean;
}

/** Events that say how far the service is, and nothing that the items do not say; those of the ChatGPT backend too. */
const progressEvent =
  /^(keepalive$|codex\.|response\.\w+\.(in_progress|searching|interpreting|generating|compacting|completed|failed)$|response\.shell_call_(command\.added|output_content\.(delta|done))$)/;

/** A part of an item that begins, or that is whole. */
const partEvent = /^response\.\w+_part\.(added|done)$/;

/** How a response ended that says so; null for one that goes on. */
type Outcome = 'completed' | 'incomplete' | 'failed' | null;

/**
 * Makes the state machine for one response: reads its events, and decides how the turn ends.
 *
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
export function createTurnAssembler(record: TurnRecord<ResponsesEntry>, options: AssemblerOptions): TurnAssembler {
  let envelope: Envelope = createEnvelope(record);
  let items: OutputItems = createOutputItems(record);

  return {
    event(wire, source, name) {
      const type = wire['type'] ?? name;
      const text = textEvents.get(type);
      if (text) return items.text(text, wire);
      switch (type) {
        case 'response.output_item.added':
          record.count(source?.length ?? 0);
          return items.begin(wire);
        case 'response.output_item.done':
          return items.finish(wire, source && sourceTextAt(source, ['item']));
        case 'response.output_text.annotation.added':
          return items.cite(wire, source?.length ?? 0);
        case 'response.image_generation_call.partial_image':
          return items.showImage(wire, source?.length ?? 0);
        default:
          // Servers name the parts of reasoning in several ways; what they are their own type says.
          if (typeof type === 'string' && partEvent.test(type)) return items.part(wire, type.endsWith('.done'));
          return otherEvent(wire, type, source, name);
      }
    },
    done() {},
    end(end) {
      if (end.type === 'failed') return stop('failed', { error: end.error });
      stop(end.type === 'aborted' ? 'aborted' : 'truncated');
    },
  };

  function otherEvent(wire: JsonObject, type: unknown, source: string | undefined, name: string | undefined): void {
    if (isError(wire, type, name)) return stop('failed', { error: providerError(wire) });
    const { response } = wire;
    const outcome = outcomeOf(type, isJsonObject(response) ? response['status'] : undefined);
    if (isJsonObject(response)) {
      // The one that ends the turn says once more what was counted, and none comes after it.
      if (!outcome) record.count(source?.length ?? 0);
      readResponse(type, response);
    }
    if (outcome) finish(outcome, isJsonObject(response) ? response : {}, source);
    else if (!isJsonObject(response) && !(typeof type === 'string' && progressEvent.test(type))) {
      record.warn('unknown_event', describeUnknownEvent(wire, type));
    }
  }

  function readResponse(type: unknown, response: JsonObject): void {
    const isAnother = type === 'response.created' && envelope.id !== null && response['id'] !== envelope.id;
    if (isAnother && items.slots.length > 0) restart();
    envelope.merge(response);
  }

  /** A gateway that retried in secret sends a second response: the first one is void. */
  function restart(): void {
    items.settle(false);
    record.discard();
    record.warn('restarted', 'Another response began in the same stream; the one before is discarded');
    envelope = createEnvelope(record);
    items = createOutputItems(record);
  }

  function finish(outcome: Exclude<Outcome, null>, response: JsonObject, source: string | undefined): void {
    if (outcome === 'failed') return stop('failed', { error: providerError(failureOf(response)) });
    items.serve(response['output'], () => (source === undefined ? [] : elementTextsAt(source, ['response', 'output'])));
    stop('complete', { stopReason: outcome === 'completed' ? outcome : incompleteReason(response) });
  }

  function stop(status: TurnStatus, end: { stopReason?: string; error?: TurnError } = {}): void {
    const { stopReason = null, error } = end;
    const isComplete = status === 'complete';
    try {
      items.settle(stopReason === 'completed');
    } catch (cause) {
      // The first failure is the one that matters.
      if (!error) throw cause;
    }
    const finished = (): Entries => buildEntries(items.slots, options.store);
    const goesBack = isComplete ? finished() : { entries: [], repairs: [], finished };
    if (isComplete) warnOfUnsealed(goesBack.repairs);
    envelope.warnOfTransformations();
    const { wire, usage } = envelope;
    record.stop({ ...goesBack, status, stopReason, carry: isComplete ? carry() : {}, envelope: wire, usage, error });
  }

  function warnOfUnsealed(repairs: readonly Repair[]): void {
    for (const { code, index } of repairs) {
      if (code === 'unsealed') record.warn('unsealed_reasoning', unsealedMessage, index);
    }
    // The request may have said so, and the dialect not been told: then they go back, and are not found.
    const isForgotten = options.store && envelope.wire['store'] === false;
    for (const { item } of isForgotten ? items.slots : []) {
      if (item && isBareReasoning(item)) record.warn('unsealed_reasoning', forgottenMessage, item.block.index);
    }
  }

  /**
   * An answer that the service does not keep cannot be named in the next request; nor one that it keeps with a call that
   * was cut, which nothing can answer.
   */
  function carry(): Record<string, unknown> {
    const isKept = options.store && envelope.wire['store'] !== false && envelope.id !== null;
    const isOpen = items.slots.some(({ item }) => item?.block.kind === 'tool_call' && item.block.state === 'cut');
    return isKept && !isOpen ? { previousResponseId: envelope.id } : {};
  }
}

const unsealedMessage =
  'A reasoning item has no ciphertext, and the service does not keep it: ask for `reasoning.encrypted_content` in `include`';

const forgottenMessage =
  'A reasoning item has no ciphertext, and the response says `store: false`, so its id names nothing: use `responses({ store: false })`';

/** Whether nothing is left of a reasoning item when its id names nothing. */
function isBareReasoning({ block, native }: OutputItem): boolean {
  const { encrypted_content: sealed, content } = native;
  const isBare = !sealed && !(Array.isArray(content) && content.length > 0);
  return block.kind === 'reasoning' && block.state === 'finished' && isBare;
}

function isError(wire: JsonObject, type: unknown, name: string | undefined): boolean {
  const hasError = wire['error'] !== undefined && wire['error'] !== null;
  return type === 'error' || name === 'error' || (typeof wire['type'] !== 'string' && hasError);
}

/** The ChatGPT backend may end with `response.done`, of which only the response's status says how it ended. */
function outcomeOf(type: unknown, status: unknown): Outcome {
  const isTerminal = typeof type === 'string' && /^response\.(completed|incomplete|failed|done)$/.test(type);
  if (!isTerminal) return null;
  if (status === 'incomplete' || status === 'failed') return status;
  if (status === 'cancelled') return 'failed';
  if (type === 'response.done') return status === 'completed' ? status : null;
  return type === 'response.incomplete' ? 'incomplete' : type === 'response.failed' ? 'failed' : 'completed';
}

function incompleteReason({ incomplete_details: details }: JsonObject): string {
  const reason = isJsonObject(details) ? details['reason'] : undefined;
  return typeof reason === 'string' && reason !== '' ? reason : 'incomplete';
}

function failureOf({ error, status }: JsonObject): JsonObject {
  const said = typeof status === 'string' ? status : 'failed';
  return { error: isJsonObject(error) ? error : `The response is ${said}, and does not say why` };
}
