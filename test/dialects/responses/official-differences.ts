import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import type { AssembledTurn } from '../../../src/index.ts';
import { doneItems, terminalOutput } from './recorded-events.ts';

/** A habit of a server on which the SDK throws, and the stream with which it can be asked all the same. */
export interface Refusal {
  readonly kind: string;
  readonly why: string;
  /** What the SDK says. */
  readonly message: RegExp;
  /** The events without the habit; the very same list if they have it not. */
  mend(events: readonly JsonObject[]): readonly JsonObject[];
}

/** What a difference is told from. */
export interface Evidence {
  readonly events: readonly JsonObject[];
  readonly turn: AssembledTurn;
}

/** Something in which the SDK's output is not what we send back. */
export interface Difference {
  readonly kind: string;
  readonly why: string;
  /** The SDK's output as it would be without this difference; the very same list where there is none. */
  undo(output: readonly JsonObject[], evidence: Evidence): readonly JsonObject[];
}

/** All refusals. */
export const refusals: readonly Refusal[] = [
  {
    kind: 'unknown_event',
    why: 'The SDK throws on an event that it has no type for: those of the ChatGPT backend, of patches, of next year',
    message: /Unhandled response stream event/,
    mend(events) {
      const isKnown = ({ type }: JsonObject): boolean => {
        const name = String(type);
        return name !== 'undefined' && !/^codex\.|apply_patch|\.(tide|moon)\.|gloss_part|^response\.rate/.test(name);
      };
      return filter(events, isKnown);
    },
  },
  {
    kind: 'rotating_ids',
    why: 'The SDK wants one id for an item in all events; of Copilot each has another, and the output_index tells',
    message: /expected (output item id|item_id) '/,
    mend: (events) =>
      map(events, (event) => {
        const { output_index: place, item } = event;
        const id = doneItems(events.filter(({ output_index: index }) => index === place))[0]?.['id'];
        if (id === undefined) return event;
        return { ...event, item_id: id, ...(isJsonObject(item) && { item: { ...item, id } }) };
      }),
  },
  {
    kind: 'no_item_id',
    why: 'The SDK wants an item_id in each event about an item; some servers have the output_index only',
    message: /expected a non-empty item_id/,
    mend: (events) =>
      map(events, (event) => {
        const { output_index: place, item_id: known, item } = event;
        const id = doneItems(events.filter(({ output_index: index }) => index === place))[0]?.['id'];
        return known === undefined && item === undefined && id !== undefined ? { ...event, item_id: id } : event;
      }),
  },
  {
    kind: 'no_created',
    why: 'The SDK wants response.created first; one that is read from the middle on begins with response.queued',
    message: /expected 'response.created' event/,
    mend: ([first, ...rest]) => [{ ...first, type: 'response.created' }, ...rest],
  },
  {
    kind: 'created_again',
    why: 'The SDK begins anew with a response.created of the same id, and misses what it had',
    message: /missing output at index 0/,
    mend(events) {
      let count = 0;
      return filter(events, ({ type }) => type !== 'response.created' || ++count === 1);
    },
  },
  {
    kind: 'no_output',
    why: 'The SDK wants a list of output in the terminal event',
    message: /snapshot\.output is not iterable/,
    mend: (events) =>
      map(events, (event) => {
        const { response } = event;
        const isBare = isJsonObject(response) && response['output'] === undefined;
        return isBare ? { ...event, response: { ...response, output: [] } } : event;
      }),
  },
];

/** All differences, in the order in which they are undone. */
export const differences: readonly Difference[] = [
  {
    kind: 'short_output',
    why: 'The SDK takes the output of the terminal event, which lacks items that were done, or has none at all',
    undo(output, { events }) {
      const dones = inPlace(events);
      const isShort = output.length < dones.length && output.length === terminalOutput(events).length;
      return isShort ? dones : output;
    },
  },
  {
    kind: 'other_ids',
    why: 'The SDK takes the ids of the terminal event, which OpenRouter makes up anew',
    undo: (output, { events }) => withMember(output, inPlace(events), 'id'),
  },
  {
    kind: 'other_ciphertext',
    why: 'The SDK takes the ciphertext of the terminal event; what clients send back is that of output_item.done',
    undo: (output, { events }) => withMember(output, inPlace(events), 'encrypted_content'),
  },
  {
    kind: 'other_fingerprint',
    why: 'The same of the state of a program',
    undo: (output, { events }) => withMember(output, inPlace(events), 'fingerprint'),
  },
  leftOut('cut', 'The SDK hands out a call, or reasoning, that a limit cut as if it were whole'),
  leftOut('unpaired', 'The SDK keeps reasoning whose call is left out, which is refused in the next request'),
  leftOut('trailing_reasoning', 'The SDK keeps reasoning at the end, which is refused in the next request'),
  leftOut('nameless_call', 'The SDK hands out a call without a name'),
  leftOut('unsealed', 'The SDK cannot be told that nothing is stored, where reasoning without ciphertext is refused'),
];

/** The items of the last answer that are done, in the order of their places. */
export function inPlace(events: readonly JsonObject[]): readonly JsonObject[] {
  const answer = events.slice(events.findLastIndex(({ type }) => type === 'response.created'));
  const dones = answer.filter(({ type, item }) => type === 'response.output_item.done' && isJsonObject(item));
  const sorted = [...dones].sort((a, b) => Number(a['output_index']) - Number(b['output_index']));
  return doneItems(sorted);
}

/** The output with one member of each item as another list has it, where the lists are of the same items. */
function withMember(output: readonly JsonObject[], items: readonly JsonObject[], name: string): readonly JsonObject[] {
  if (output.length !== items.length) return output;
  return map(output, (item, place) => {
    const other = items[place] ?? {};
    return name in other && other[name] !== item[name] ? { ...item, [name]: other[name] } : item;
  });
}

/** What we leave out with a repair. */
function leftOut(code: string, why: string): Difference {
  return {
    kind: `${code}_left_out`,
    why,
    undo(output, { turn }) {
      const indexes = turn.repairs.filter((repair) => repair.code === code).map(({ index }) => index);
      const natives = indexes.map((index) => turn.blocks[index]?.native);
      return filter(output, (item) => !natives.some((native) => isDeepStrictEqual(plain(native), item)));
    },
  };
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}

/** The list without some elements; the very same one if it has none of them. */
function filter(list: readonly JsonObject[], isKept: (element: JsonObject) => boolean): readonly JsonObject[] {
  const kept = list.filter(isKept);
  return kept.length === list.length ? list : kept;
}

/** The list with other elements; the very same one if none is another. */
function map(
  list: readonly JsonObject[],
  replace: (element: JsonObject, place: number) => JsonObject,
): readonly JsonObject[] {
  const replaced = list.map(replace);
  return replaced.every((element, place) => element === list[place]) ? list : replaced;
}
