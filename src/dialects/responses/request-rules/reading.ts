import type { Finding } from '../../../core/finding.ts';
import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import { isOpenAiModel } from './models.ts';

/** What a rule says of one place; the rule's own code is added to it. */
export type Found = Omit<Finding, 'code'>;

/** One item of the input, and where it stands. */
export interface PlacedItem {
  readonly item: JsonObject;
  /** `message` for the short form of a message, which says no type. */
  readonly type: string;
  readonly index: number;
  /** Such as `input[3]`. */
  readonly path: string;
}

/** The items of a request; none where it asks with a mere text. What is no object is passed over. */
export function itemsOf({ input }: JsonObject): readonly PlacedItem[] {
  if (!Array.isArray(input)) return [];
  return (input as readonly unknown[]).flatMap((item, index): PlacedItem[] => {
    if (!isJsonObject(item)) return [];
    const { type = 'message' } = item;
    return [{ item, type: String(type), index, path: `input[${index}]` }];
  });
}

/** The parts of a message's content, each with where it stands. */
export function partsOf({ item, path }: PlacedItem): readonly { readonly part: JsonObject; readonly path: string }[] {
  const { content } = item;
  if (!Array.isArray(content)) return [];
  return (content as readonly unknown[]).flatMap((part, index) =>
    isJsonObject(part) ? [{ part, path: `${path}.content[${index}]` }] : [],
  );
}

/** A text with something in it; undefined for any other value. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether a part of the history stands at the service, and not in the body. */
export function hasStoredHistory(body: JsonObject): boolean {
  const { previous_response_id: previous, conversation } = body;
  return textOf(previous) !== undefined || textOf(conversation) !== undefined || isJsonObject(conversation);
}

/** Whether an item is of the kinds that a model never writes: a message to it, or the output of a client's tool. */
function isToModel({ item, type }: PlacedItem): boolean {
  if (type === 'message') return item['role'] !== 'assistant';
  return clientOutputs.has(type);
}

/** Whether an item was written by the model; unknown types count as such, references do not. */
export function isOfModel(placed: PlacedItem): boolean {
  return !isToModel(placed) && placed.type !== 'item_reference';
}

/** What a client answers to a call. */
export const clientOutputs: ReadonlySet<string> = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'local_shell_call_output',
  'computer_call_output',
  'apply_patch_call_output',
  'shell_call_output',
  'mcp_approval_response',
]);

/** What the service refuses. */
export function error(path: string, message: string): Found {
  return { path, message, severity: 'error' };
}

/** What the service takes, to the conversation's harm, or what only some servers refuse. */
export function warning(path: string, message: string): Found {
  return { path, message, severity: 'warning' };
}

/** What OpenAI's own service refuses: of other servers, and of models under names of one's own, it is not certain. */
export function refused(body: JsonObject, path: string, message: string): Found {
  return isOpenAiModel(body['model']) ? error(path, message) : warning(path, message);
}
