import { isJsonObject, type JsonObject } from '../../core/json-object.ts';

/**
 * Where a text of an item comes from and where in the item it stands.
 *
 * The wire sends each text in deltas, and then whole again, up to four times: in its `.done`, in its part, in its item,
 * and in the response.
 */
export interface TextChannel {
  /** The type of the items that have such texts. */
  readonly itemType: string;
  /** What the events of it are called, without `.delta` and `.done`. */
  readonly event: string;
  /** The member of `.done` that holds the whole text. */
  readonly whole: string;
  /** The way to it in the item: to the text itself, or to a list of texts or of parts. */
  readonly path: readonly string[];
  /** The member of its events that numbers the element of the list; absent where there is one text. */
  readonly indexMember?: 'content_index' | 'summary_index' | 'command_index';
  /** What such a part of the list is called, and which of its members is the text. */
  readonly part?: { readonly type: string; readonly member: string };
}

/** Of several channels with one path (text and refusal), each takes the parts of its own type. */
const textChannels: readonly TextChannel[] = [
  inParts('message', 'content', 'content_index', 'output_text', 'response.output_text'),
  inParts('message', 'content', 'content_index', 'refusal', 'response.refusal', 'refusal'),
  inParts('reasoning', 'summary', 'summary_index', 'summary_text', 'response.reasoning_summary_text'),
  inParts('reasoning', 'content', 'content_index', 'reasoning_text', 'response.reasoning_text'),
  alone('function_call', ['arguments'], 'response.function_call_arguments'),
  alone('custom_tool_call', ['input'], 'response.custom_tool_call_input'),
  alone('mcp_call', ['arguments'], 'response.mcp_call_arguments'),
  alone('code_interpreter_call', ['code'], 'response.code_interpreter_call_code'),
  alone('apply_patch_call', ['operation', 'diff'], 'response.apply_patch_call_operation_diff'),
  {
    itemType: 'shell_call',
    event: 'response.shell_call_command',
    whole: 'command',
    path: ['action', 'commands'],
    indexMember: 'command_index',
  },
];

function inParts(
  itemType: string,
  list: string,
  indexMember: 'content_index' | 'summary_index',
  type: string,
  event: string,
  member = 'text',
): TextChannel {
  return { itemType, event, whole: member, path: [list], indexMember, part: { type, member } };
}

function alone(itemType: string, path: readonly string[], event: string): TextChannel {
  return { itemType, event, whole: path.at(-1) ?? '', path };
}

/** An event that brings a text. */
export interface TextEvent {
  readonly channel: TextChannel;
  /** Whether it brings the whole text, not a piece of it. */
  readonly isWhole: boolean;
}

/** By the types of the events. */
export const textEvents: ReadonlyMap<unknown, TextEvent> = new Map(
  textChannels.flatMap((channel): [string, TextEvent][] => [
    [`${channel.event}.delta`, { channel, isWhole: false }],
    [`${channel.event}.done`, { channel, isWhole: true }],
  ]),
);

const channelsByPart: ReadonlyMap<unknown, TextChannel> = new Map(
  textChannels.flatMap((channel) => (channel.part ? [[channel.part.type, channel]] : [])),
);

/** The channel of a part; undefined for a part that has no text. */
export function channelOfPart(part: unknown): TextChannel | undefined {
  return isJsonObject(part) ? channelsByPart.get(part['type']) : undefined;
}

/** One text of an item: its channel, its place among the texts of the channel's list, and the text. */
export type PlacedText = readonly [channel: TextChannel, index: number, text: string];

/** All texts that stand in an item, in the order of its lists. */
export function textsOf(item: JsonObject): PlacedText[] {
  return textChannels.flatMap((channel) => (channel.itemType === item['type'] ? textsOfChannel(item, channel) : []));
}

function textsOfChannel(item: JsonObject, channel: TextChannel): PlacedText[] {
  const value = valueAt(item, channel.path);
  if (channel.indexMember === undefined) return typeof value === 'string' ? [[channel, 0, value]] : [];
  if (!Array.isArray(value)) return [];
  return value.flatMap((element: unknown, index): PlacedText[] => {
    const text = textOfElement(element, channel);
    return text === undefined ? [] : [[channel, index, text]];
  });
}

/** The text of an element that is one, or that is a part of the channel's type. */
function textOfElement(element: unknown, { part }: TextChannel): string | undefined {
  const text = part && isJsonObject(element) && element['type'] === part.type ? element[part.member] : element;
  return typeof text === 'string' ? text : undefined;
}

function valueAt(item: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), item);
}

/** An item as it was begun, with texts in their places: what is known of one that was cut. */
export function withTexts(item: JsonObject, texts: readonly PlacedText[]): JsonObject {
  let known = item;
  for (const path of new Set(texts.map(([channel]) => channel.path))) {
    const inPlace = texts.filter(([channel]) => channel.path.join() === path.join());
    known = withValue(known, path, textOrList(inPlace));
  }
  return known;
}

/** One text, or the list of them; in order and without gaps, whatever numbers the wire gave them. */
function textOrList(texts: readonly PlacedText[]): unknown {
  const [first] = texts;
  if (first && first[0].indexMember === undefined) return first[2];
  const inOrder = [...texts].sort(([, a], [, b]) => a - b);
  return inOrder.map(([{ part }, , text]) => (part ? { type: part.type, [part.member]: text } : text));
}

function withValue(item: JsonObject, [name = '', ...rest]: readonly string[], value: unknown): JsonObject {
  const inner = item[name];
  return { ...item, [name]: rest.length > 0 ? withValue(isJsonObject(inner) ? inner : {}, rest, value) : value };
}
