import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import type { HistoryRule } from '../../../core/request-rule.ts';
import { isDeepSeekModel, isOpenAiModel } from './models.ts';
import { error, type Found, isOfModel, itemsOf, type PlacedItem, refused, textOf, warning } from './reading.ts';

/** Reasoning goes back only with the item that it led to. */
export const reasoningWithoutFollower: HistoryRule = {
  code: 'reasoning_without_following_item',
  source: 'https://github.com/openai/openai-agents-js/issues/326',
  find: (body) => lonelyReasoning(itemsOf(body)).map((placed) => lonelyFinding(body, placed)),
};

/** The reasoning items behind which nothing stands that the model wrote; those of one run stand and fall together. */
function lonelyReasoning(items: readonly PlacedItem[]): PlacedItem[] {
  const lonely: PlacedItem[] = [];
  let follower: PlacedItem | undefined;
  for (const placed of [...items].reverse()) {
    if (placed.type !== 'reasoning') follower = placed;
    else if (!follower || !(isOfModel(follower) || follower.type === 'item_reference')) lonely.push(placed);
  }
  return lonely.reverse();
}

function lonelyFinding(body: JsonObject, { item, path }: PlacedItem): Found {
  const id = textOf(item['id']);
  const message =
    `Item '${id ?? 'rs_…'}' of type 'reasoning' was provided without its required following item. ` +
    'Send the message or the call that came behind it, or leave both out.';
  // Without an id it is not certain that the service looks for what it led to.
  return id === undefined ? warning(path, message) : refused(body, path, message);
}

/** Where nothing is stored, an id alone names no reasoning. */
export const unsealedReasoning: HistoryRule = {
  code: 'reasoning_not_stored',
  source: 'https://github.com/anomalyco/opencode/issues/7724',
  *find(body) {
    if (body['store'] !== false || !isOpenAiModel(body['model'])) return;
    for (const { item, type, path } of itemsOf(body)) {
      const id = textOf(item['id']);
      if (type !== 'reasoning' || id === undefined || textOf(item['encrypted_content']) !== undefined) continue;
      const message =
        `404: Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. ` +
        'Ask for `reasoning.encrypted_content` and send the item with it, or leave the item out.';
      yield error(path, message);
    }
  },
};

/** The list of summaries may be empty, but not absent. */
export const missingSummary: HistoryRule = {
  code: 'missing_summary',
  source: 'https://github.com/newo-ether/Agora/issues/141',
  *find(body) {
    for (const { item, type, index, path } of itemsOf(body)) {
      if (type !== 'reasoning' || Array.isArray(item['summary'])) continue;
      yield error(path, `Input[${index}] missing required field \`summary\`. Send it as it came, be it \`[]\`.`);
    }
  },
};

/** DeepSeek wants the reasoning before a call back, in every later request. */
export const missingReasoningText: HistoryRule = {
  code: 'missing_reasoning_text',
  source: 'https://github.com/rikkahub/rikkahub/issues/1690',
  *find(body) {
    const { model, reasoning } = body;
    if (!isDeepSeekModel(model) || (isJsonObject(reasoning) && reasoning['effort'] === 'none')) return;
    const said = 'The `reasoning_text` in the thinking mode must be passed back to the API.';
    let before: 'nothing' | 'reasoning' | 'call' = 'nothing';
    for (const placed of itemsOf(body)) {
      if (placed.type === 'reasoning') before = 'reasoning';
      else if (!isOfModel(placed)) before = 'nothing';
      if (placed.type !== 'function_call') continue;
      if (before === 'nothing') yield error(placed.path, `${said} Send the reasoning item before this call.`);
      if (before === 'call') yield warning(placed.path, `${said} It was asked for before each of several calls, too.`);
      before = 'call';
    }
  },
};
