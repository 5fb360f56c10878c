import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import type { HistoryRule, RequestContext } from '../../../core/request-rule.ts';
import { isSame } from './is-same.ts';
import { error, type Found, isOfModel, itemsOf, refused, textOf, warning } from './reading.ts';

/** A response's id stands for all that was said up to it. */
export const previousResponseWithHistory: HistoryRule = {
  code: 'previous_response_with_history',
  source: 'https://github.com/vercel/ai/issues/7883',
  *find(body, context) {
    const previous = textOf(body['previous_response_id']);
    if (previous === undefined) return;
    const known = idsOf(context);
    for (const placed of itemsOf(body)) {
      const id = textOf(placed.item['id']);
      const message = `${previous} already stands for this item. Send only what is new, or the history without that id.`;
      if (id !== undefined && known.has(id)) {
        yield refused(body, placed.path, `Duplicate item found with id ${id}. ${message}`);
      } else if (isOfModel(placed)) yield warning(placed.path, message);
    }
    const repeated = repeatedHistory(body, context);
    if (repeated) yield repeated;
  },
};

/** The ids of what this process assembled. */
function idsOf({ turns = [] }: RequestContext): ReadonlySet<string> {
  const natives = turns.flatMap(({ blocks }) => blocks.map(({ native }) => native));
  return new Set(natives.flatMap((native) => (isJsonObject(native) ? (textOf(native['id']) ?? []) : [])));
}

/** A history that begins as that of the request before it was not meant to be told twice. */
function repeatedHistory({ input }: JsonObject, { previous }: RequestContext): Found | undefined {
  const before = previous?.['input'];
  if (!Array.isArray(input) || !Array.isArray(before)) return undefined;
  // One item alone may be said again; two or more in a row are a history.
  const isRepeated = before.length > 0 && input.length > before.length && isSame(input.slice(0, before.length), before);
  if (!isRepeated) return undefined;
  return warning(
    'input[0]',
    'The input of the request before goes again, and the model reads it twice. Send what is new.',
  );
}

/** Only what was stored can be gone on from. */
export const previousResponseNotStored: HistoryRule = {
  code: 'previous_response_not_found',
  source: 'https://platform.openai.com/docs/guides/conversation-state (recorded: 400, previous_response_not_found)',
  *find(body, { previous, turns = [] }) {
    const id = textOf(body['previous_response_id']);
    if (id === undefined || previous?.['store'] !== false) return;
    // Of an older response than the last one it is not known how it was asked for.
    if (turns.some(({ turnId }) => turnId === id) && turns.at(-1)?.turnId !== id) return;
    const message = `Previous response with id '${id}' not found: it was asked for with \`store: false\`.`;
    yield refused(body, 'previous_response_id', `${message} Send the history, or let it be stored.`);
  },
};

/** Two ways to go on, of which one is taken. */
export const previousResponseWithConversation: HistoryRule = {
  code: 'previous_response_with_conversation',
  source: 'https://platform.openai.com/docs/api-reference/responses/create',
  *find(body) {
    const { previous_response_id: previous, conversation } = body;
    if (textOf(previous) === undefined || (textOf(conversation) === undefined && !isJsonObject(conversation))) return;
    const message = 'Mutually exclusive parameters: use one of `previous_response_id` and `conversation`.';
    yield error('previous_response_id', message);
  },
};

/** What is said to the model at the top stays as it was, or the cache is lost. */
export const effortChanged: HistoryRule = {
  code: 'effort_changed',
  source: 'https://platform.openai.com/docs/guides/prompt-caching',
  *find(body, { previous }) {
    if (!previous || isSame(readPath(body, 'reasoning.effort'), readPath(previous, 'reasoning.effort'))) return;
    const message =
      'The effort differs from that of the request before: the prompt cache is lost, and the newest models drop the ' +
      'reasoning so far. Keep it, or append a `configuration_update` item.';
    yield warning('reasoning.effort', message);
  },
};

const boundMembers = ['model', 'instructions', 'tools', 'text.format'] as const;

/** Reasoning is bound to all that stands before it. */
export const prefixChanged: HistoryRule = {
  code: 'prefix_changed',
  source: 'https://platform.openai.com/docs/guides/reasoning',
  *find(body, { previous }) {
    // By id the service has the items; instructions and tools are given anew with each request.
    if (!previous || textOf(body['previous_response_id']) !== undefined) return;
    for (const path of boundMembers) {
      if (!isSame(readPath(body, path), readPath(previous, path))) yield warning(path, prefixMessage);
    }
    const { input } = body;
    const { input: before } = previous;
    if (!Array.isArray(input) || !Array.isArray(before)) return;
    const place = before.findIndex((item, index) => !isSame(item, input[index]));
    if (place >= 0) yield warning(`input[${place}]`, prefixMessage);
  },
};

const prefixMessage =
  'It differs from the request before: the prompt cache is lost from here on, and the newest models drop the reasoning ' +
  'behind it without a word. Keep what was sent, and append: a developer message, `additional_tools`, a new item.';

function readPath(body: JsonObject, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), body);
}
