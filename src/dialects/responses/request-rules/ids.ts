import type { HistoryRule } from '../../../core/request-rule.ts';
import { isOpenAiModel } from './models.ts';
import { error, itemsOf, refused, textOf, warning } from './reading.ts';

/** How the service begins the ids of its items. */
const prefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
  web_search_call: 'ws',
  file_search_call: 'fs',
  code_interpreter_call: 'ci',
  image_generation_call: 'ig',
  computer_call: 'cu',
  compaction: 'cmp',
};

/** Ids that cannot be of the kind: of calls, of other items, of a client's making. */
const foreignId = /^(call|item|msg|rs|fc|ctc|ws|fs|ci|ig|cu|cmp|resp|toolu|chatcmpl)[_-]|^[0-9a-f]{8}-[0-9a-f]{4}-/;

/** No item is sent twice. */
export const duplicateItemId: HistoryRule = {
  code: 'duplicate_item_id',
  source: 'https://github.com/vercel/ai/issues/7883',
  *find(body) {
    const seen = new Set<string>();
    for (const { item, type, path } of itemsOf(body)) {
      const id = textOf(item['id']);
      // What a local shell gave is known by the id of its call.
      if (id === undefined || type === 'local_shell_call_output') continue;
      const message = `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`;
      if (seen.has(id)) yield refused(body, path, message);
      seen.add(id);
    }
  },
};

/** The id of an item says what it is. */
export const idPrefix: HistoryRule = {
  code: 'invalid_id_prefix',
  source: 'https://github.com/poe-platform/poe-code/issues/372',
  *find(body) {
    if (!isOpenAiModel(body['model'])) return;
    for (const { item, type, path } of itemsOf(body)) {
      const id = textOf(item['id']);
      const prefix = Object.hasOwn(prefixes, type) ? prefixes[type] : undefined;
      if (id === undefined || prefix === undefined || id.startsWith(prefix)) continue;
      const place = `${path}.id`;
      const message = `Invalid '${place}': '${id}'. Expected an ID that begins with '${prefix}'.`;
      // Gateways with ids of their own take them back, so a form that nobody knows is not certain to be refused.
      const isForeign = foreignId.test(id) || id === item['call_id'];
      const found = isForeign ? error : warning;
      yield found(place, `${message} Send the item's own id, or leave it out: \`call_id\` pairs the output.`);
    }
  },
};

/** Ids have a longest length. */
export const idLength: HistoryRule = {
  code: 'id_too_long',
  source: 'https://platform.openai.com/docs/api-reference/responses/create#responses-create-input',
  *find(body) {
    if (!isOpenAiModel(body['model'])) return;
    for (const { item, path } of itemsOf(body)) {
      for (const name of ['id', 'call_id'] as const) {
        const id = textOf(item[name]);
        if (id === undefined || id.length <= 64) continue;
        const place = `${path}.${name}`;
        const message = `Invalid '${place}': string too long. Expected a string with maximum length 64, but got ${id.length}.`;
        // Copilot's own item ids are longer than that, and are taken back there.
        yield (name === 'id' ? warning : error)(place, `${message} Do not hide anything else in an id.`);
      }
    }
  },
};

/** A reference names what the service keeps. */
export const unstoredReference: HistoryRule = {
  code: 'reference_not_stored',
  source: 'https://github.com/can1357/oh-my-pi/issues/41',
  *find(body) {
    if (body['store'] !== false) return;
    for (const { item, type, path } of itemsOf(body)) {
      if (type !== 'item_reference') continue;
      const message = `404: Item with id '${String(item['id'])}' not found. Items are not persisted when \`store\` is set to false.`;
      yield refused(body, path, `${message} Send the item itself.`);
    }
  },
};
