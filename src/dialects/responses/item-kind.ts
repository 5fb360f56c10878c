import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { BlockKind } from '../../core/turn.ts';

/** Calls that the client runs, and the member that holds their input. */
const clientCalls: Readonly<Record<string, string>> = {
  function_call: 'arguments',
  custom_tool_call: 'input',
  local_shell_call: 'action',
  apply_patch_call: 'operation',
  computer_call: 'action',
  shell_call: 'action',
  tool_search_call: 'arguments',
};

/** Steps of the server that are not called a call. */
const serverSteps = new Set(['mcp_list_tools', 'program']);

/**
 * What an item is for a reader.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/object#responses-object-output
 */
export function kindOf(item: JsonObject): BlockKind {
  const type = typeOf(item);
  if (type === 'message') return holdsRefusalsOnly(item) ? 'refusal' : 'text';
  if (type === 'reasoning') return 'reasoning';
  if (isClientCall(item)) return 'tool_call';
  if (type.endsWith('_call') || serverSteps.has(type)) return 'server_tool_call';
  return type.endsWith('_output') ? 'server_tool_result' : 'other';
}

/** Whether the client runs a call, and not the service. */
export function isClientCall(item: JsonObject): boolean {
  const { type, environment, execution } = item;
  if (type === 'tool_search_call') return execution === 'client';
  if (type === 'shell_call') return !isContainer(environment);
  return typeof type === 'string' && Object.hasOwn(clientCalls, type);
}

function isContainer(environment: unknown): boolean {
  return isJsonObject(environment) && typeOf(environment).startsWith('container');
}

function holdsRefusalsOnly({ content }: JsonObject): boolean {
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return parts.length > 0 && parts.every(({ type }) => type === 'refusal');
}

/**
 * The member of a client's call that holds its input. A computer call that does several things at once has `actions`.
 */
export function inputMember(item: JsonObject): string {
  const member = clientCalls[typeOf(item)] ?? 'input';
  return item[member] === undefined && Array.isArray(item['actions']) ? 'actions' : member;
}

/** The id under which a block is known: of a client's call the one that its output names. */
export function blockId(item: JsonObject, kind: BlockKind): string | undefined {
  if (kind === 'server_tool_call') return textOrUndefined(item['id']);
  return kind === 'tool_call' ? (textOrUndefined(item['call_id']) ?? textOrUndefined(item['id'])) : undefined;
}

/** The name of a call; what has none is called by its type. */
export function blockName(item: JsonObject, kind: BlockKind): string | undefined {
  if (kind !== 'tool_call' && kind !== 'server_tool_call') return undefined;
  const { name } = item;
  const type = typeOf(item);
  if (type === 'function_call' || type === 'custom_tool_call') return textOrUndefined(name);
  return textOrUndefined(name) ?? textOrUndefined(type.replace(/_call$/, ''));
}

/** Whether the end of an item on the wire leaves open if it is whole: a limit closes calls and reasoning all the same. */
export function needsConfirmation(kind: BlockKind): boolean {
  return kind === 'tool_call' || kind === 'server_tool_call' || kind === 'reasoning';
}

/** The type of an item; an empty text where it is none: not everything that JSON can hold has a text. */
function typeOf({ type }: JsonObject): string {
  return typeof type === 'string' ? type : '';
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
