import type { TurnAssembler } from '../../core/dialect.ts';
import { LimitExceededError, type TurnError, toTurnError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { mergeInto, mergeSaid } from '../../core/merge-fields.ts';
import { providerError } from '../../core/provider-error.ts';
import type { AssembledTurn, TurnStatus } from '../../core/turn.ts';
import type { TurnRecord } from '../../core/turn-record.ts';
import { describeUnknownEvent } from '../../core/unknown-event.ts';
import { sourceTextAt } from '../../text/verbatim-json.ts';
import { type Answer, createAnswer } from './answer.ts';
import type { ChoiceOptions } from './choice.ts';
import type { ChatCompletionsEntry } from './entries.ts';
import { findUsage, readUsage } from './usage.ts';

/** Options that change how a stream is read. */
export interface AssemblerOptions extends ChoiceOptions {
  /** The `index` of the choice that is the turn. */
  readonly choice: number;
  /** Whether several choices are parts of one answer. */
  readonly mergeChoices: boolean;
}

/** Members of a chunk that are read elsewhere, or are padding. */
const notOfTheHead = new Set(['choices', 'usage', 'error', 'obfuscation']);

/**
 * Makes the state machine for one stream of chat completion chunks.
 *
 * The stream ends with `[DONE]`, or with its bytes when a finish reason was seen. What comes after a finish reason still
 * belongs to the answer: servers close the reasoning with one.
 *
 * @see https://platform.openai.com/docs/api-reference/chat-streaming
 */
export function createTurnAssembler(
  record: TurnRecord<ChatCompletionsEntry>,
  options: AssemblerOptions,
): TurnAssembler {
  const envelope: JsonObject = {};
  const usage: JsonObject = {};
  let lastUsage = '';
  let isStarted = false;
  const chosen = createAnswer(record, options);
  const others = new Map<number, Answer>();

  return {
    event(wire, source, name) {
      const choices = Array.isArray(wire['choices']) ? wire['choices'].filter(isJsonObject) : undefined;
      const error = errorOf(wire, choices ?? [], name);
      if (!choices && !error && wire['object'] !== 'chat.completion.chunk' && wire['usage'] === undefined) {
        return record.warn('unknown_event', describeUnknownEvent(wire, wire['type'] ?? wire['object'] ?? name));
      }
      readHead(wire);
      if (choices) pushChoices(wire['choices'], source);
      const counted = findUsage(wire, choices ?? []);
      if (counted) mergeUsage(counted);
      if (error) stop('failed', providerError(error));
    },
    done() {
      if (chosen.finishReason === null) {
        record.warn('missing_finish_reason', 'The stream ended with [DONE] and without a finish reason');
      }
      stop('complete');
    },
    end(end) {
      if (end.type === 'failed') return stop('failed', end.error);
      if (end.type === 'aborted') return stop('aborted');
      stop(chosen.finishReason === null ? 'truncated' : 'complete');
    },
  };

  function pushChoices(list: unknown, source: string | undefined): void {
    if (!Array.isArray(list)) return;
    for (const [at, choice] of list.entries()) {
      if (!isJsonObject(choice)) continue;
      answerOf(choice).push(choice, (path) => source && sourceTextAt(source, ['choices', at, ...path]));
    }
  }

  function answerOf({ index }: JsonObject): Answer {
    const place = typeof index === 'number' ? index : 0;
    if (options.mergeChoices || place === options.choice) return chosen;
    const known = others.get(place);
    if (known) return known;
    if (others.size >= record.limits.blocks) throw new LimitExceededError('blocks', record.limits.blocks);
    const branch = record.branch();
    branch.start(stringOrNull(envelope['id']), stringOrNull(envelope['model']));
    const answer = createAnswer(branch, options);
    others.set(place, answer);
    return answer;
  }

  /** The first chunk of Azure has an empty id and no choices; the turn starts with the first that says more. */
  function readHead(wire: JsonObject): void {
    mergeSaid(envelope, wire, notOfTheHead);
    if (isStarted && record.turnId !== null) return;
    const { id, model } = envelope;
    const { choices } = wire;
    if (typeof id !== 'string' && !(Array.isArray(choices) && choices.length > 0)) return;
    isStarted = true;
    record.start(stringOrNull(id), stringOrNull(model));
  }

  /** Some servers repeat it on every chunk; only what changed is told. */
  function mergeUsage(later: JsonObject): void {
    const text = JSON.stringify(later);
    if (text === lastUsage) return;
    lastUsage = text;
    envelope['usage'] = usage;
    mergeInto(usage, later);
    record.usage(readUsage(usage, later));
  }

  function stop(status: TurnStatus, error?: TurnError): void {
    const choices: AssembledTurn<ChatCompletionsEntry>[] = [...others.values()].map((answer) => {
      const isWhole = status === 'complete' && answer.finishReason !== null;
      try {
        return answer.stop({ status: isWhole || status !== 'complete' ? status : 'truncated', envelope, error });
      } catch (cause) {
        // What is wrong with another choice is not wrong with the one that was asked for.
        return answer.stop({ status: 'failed', envelope, error: toTurnError(cause) });
      }
    });
    const counted = lastUsage === '' ? undefined : readUsage(usage);
    chosen.stop({ status, envelope, choices, usage: counted, error });
  }
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Some servers always send the member, and leave it empty. */
function saysError(error: unknown): boolean {
  return error !== undefined && error !== null && error !== false && error !== '';
}

/** Errors come at the top, at a choice, as an object that is one, or as nothing but a finish reason. */
function errorOf(wire: JsonObject, choices: readonly JsonObject[], name: string | undefined): JsonObject | undefined {
  if (saysError(wire['error']) || name === 'error') return wire;
  if (choices.length === 0) return wire['object'] === 'error' || wire['type'] === 'error' ? wire : undefined;
  const failed = choices.find(({ error, finish_reason: reason }) => saysError(error) || reason === 'error');
  if (!failed) return undefined;
  return { error: saysError(failed['error']) ? failed['error'] : 'The provider ended the answer with an error' };
}
