import type { JsonObject } from '../../../core/json-object.ts';
import type { HistoryRule, RequestContext } from '../../../core/request-rule.ts';
import type { AssembledTurn } from '../../../core/turn.ts';
import { type Found, isOfModel, itemsOf, type PlacedItem, partsOf, refused, textOf, warning } from './reading.ts';

/** An item that reasoning led to goes back only with it, or without its id. */
export const itemWithoutReasoning: HistoryRule = {
  code: 'item_without_reasoning',
  source: 'https://github.com/openai/openai-node/issues/1791',
  *find(body, context) {
    if (textOf(body['previous_response_id']) !== undefined) return;
    const { needed, isFirst, idOfCiphertext } = knownPairs(context);
    if (needed.size === 0) return;
    const sent = new Set<string>();
    let before: string | undefined;
    for (const placed of itemsOf(body)) {
      const { item, type, path } = placed;
      const id = textOf(item['id']);
      if (type === 'reasoning' || type === 'item_reference') {
        for (const known of [id, idOfCiphertext.get(String(item['encrypted_content']))]) if (known) sent.add(known);
      }
      const reasoning = id === undefined ? undefined : needed.get(id);
      const isApart = id !== undefined && isFirst.has(id) && before !== 'reasoning' && before !== 'item_reference';
      before = type;
      if (reasoning === undefined || (sent.has(reasoning) && !isApart)) continue;
      yield missingReasoning(body, placed, reasoning, path);
    }
  },
};

function missingReasoning(body: JsonObject, { item, type }: PlacedItem, reasoning: string, path: string): Found {
  const message =
    `Item '${String(item['id'])}' of type '${type}' was provided without its required 'reasoning' item: ` +
    `'${reasoning}'. Send that item directly before it, or this one without its id.`;
  // Where nothing is stored, the service may not know what led to it.
  return body['store'] === false ? warning(path, message) : refused(body, path, message);
}

/** What is known of reasoning: by the id of the item that it led to, and by its ciphertext. */
interface KnownPairs {
  readonly needed: ReadonlyMap<string, string>;
  /** The ids of the items that stood directly behind it. */
  readonly isFirst: ReadonlySet<string>;
  readonly idOfCiphertext: ReadonlyMap<string, string>;
}

function knownPairs({ turns = [], previous }: RequestContext): KnownPairs {
  const needed = new Map<string, string>();
  const isFirst = new Set<string>();
  const idOfCiphertext = new Map<string, string>();
  const lists = [...turns.map(itemsOfTurn), ...(previous ? [itemsOf(previous)] : [])];
  for (const items of lists) {
    let reasoning: string | undefined;
    let isDirect = false;
    for (const placed of items) {
      const id = textOf(placed.item['id']);
      if (isDirect && placed.type !== 'reasoning' && id !== undefined) isFirst.add(id);
      isDirect = placed.type === 'reasoning';
      if (isDirect) {
        reasoning = id;
        const ciphertext = textOf(placed.item['encrypted_content']);
        if (id !== undefined && ciphertext !== undefined) idOfCiphertext.set(ciphertext, id);
      } else if (!isOfModel(placed)) reasoning = undefined;
      else if (id !== undefined && reasoning !== undefined) needed.set(id, reasoning);
    }
  }
  return { needed, isFirst, idOfCiphertext };
}

/** What goes back of a turn; of one that is not complete, what came whole. */
function itemsOfTurn({ entries, blocks }: AssembledTurn): readonly PlacedItem[] {
  const finished = blocks.filter(({ state }) => state === 'finished').map(({ native }) => native);
  return itemsOf({ input: entries.length > 0 ? entries : finished });
}

/** An id and a ciphertext are one pair. */
export const mismatchedCiphertext: HistoryRule = {
  code: 'mismatched_ciphertext',
  source: 'https://github.com/can1357/oh-my-pi/issues/290',
  *find(body, { turns = [] }) {
    const ciphertexts = new Map<string, string>();
    const ids = new Map<string, string>();
    for (const { item } of turns.flatMap(itemsOfTurn)) {
      const [id, ciphertext] = [textOf(item['id']), textOf(item['encrypted_content'])];
      if (id === undefined || ciphertext === undefined) continue;
      ciphertexts.set(id, ciphertext);
      ids.set(ciphertext, id);
    }
    for (const { item, path } of itemsOf(body)) {
      const [id, ciphertext] = [textOf(item['id']), textOf(item['encrypted_content'])];
      if (id === undefined || ciphertext === undefined) continue;
      if ((ids.get(ciphertext) ?? id) === id && (ciphertexts.get(id) ?? ciphertext) === ciphertext) continue;
      const message =
        `The encrypted content for item ${id} could not be verified. Reason: Encrypted content item_id did not match ` +
        'the target item id. Take id and ciphertext from one event: that of `output_item.done`.';
      yield refused(body, path, message);
    }
  },
};

/** A message keeps its phase. */
export const phaseDropped: HistoryRule = {
  code: 'phase_dropped',
  source: 'https://github.com/UKGovernmentBEIS/inspect_ai/issues/3334',
  *find(body, { turns = [] }) {
    const phases = new Map<string, string>();
    for (const placed of turns.flatMap(itemsOfTurn)) {
      const phase = textOf(placed.item['phase']);
      if (phase !== undefined) for (const name of namesOf(placed)) phases.set(name, phase);
    }
    if (phases.size === 0) return;
    for (const placed of itemsOf(body)) {
      if (placed.item['role'] !== 'assistant') continue;
      const phase = namesOf(placed)
        .map((name) => phases.get(name))
        .find((known) => known !== undefined);
      if (phase === undefined || placed.item['phase'] === phase) continue;
      const message = `The message came with the phase '${phase}'; without it the model tends to stop early. Send it along.`;
      yield warning(`${placed.path}.phase`, message);
    }
  },
};

/** What a message is known by: its id, and its text. */
function namesOf(placed: PlacedItem): string[] {
  const { id, content } = placed.item;
  const texts = typeof content === 'string' ? [content] : partsOf(placed).map(({ part }) => String(part['text']));
  const text = texts.join('');
  return [...(textOf(id) === undefined ? [] : [`id ${String(id)}`]), ...(text === '' ? [] : [`text ${text}`])];
}
