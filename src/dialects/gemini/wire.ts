import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { BlockKind } from '../../core/turn.ts';

/** The member that says what a part is, and the kind of its block. */
const kinds: readonly (readonly [member: string, kind: BlockKind])[] = [
  ['executableCode', 'server_tool_call'],
  ['toolCall', 'server_tool_call'],
  ['codeExecutionResult', 'server_tool_result'],
  ['toolResponse', 'server_tool_result'],
  ['functionResponse', 'server_tool_result'],
  ['inlineData', 'media'],
  ['fileData', 'media'],
];

/** What a part is for a reader, if it is no function call. A text beside another member is not what the part is. */
export function kindOf(part: JsonObject): BlockKind {
  for (const [member, kind] of kinds) if (isJsonObject(part[member])) return kind;
  if (typeof part['text'] !== 'string') return 'other';
  return part['thought'] === true ? 'reasoning' : 'text';
}

/** The name of a tool that the provider runs. */
export function serverToolName({ executableCode, toolCall }: JsonObject): string | undefined {
  if (isJsonObject(executableCode)) return 'code_execution';
  const { toolType, toolName, name } = isJsonObject(toolCall) ? toolCall : {};
  return [toolType, toolName, name].find(isText);
}

/**
 * The text of a part that says nothing else, so that it may join its neighbours; undefined for any other part.
 *
 * Members that are null or empty are as good as absent, as everywhere in this format. A part that says nothing at all
 * has the text `''`.
 */
export function plainText(part: JsonObject): string | undefined {
  let text = '';
  for (const name in part) {
    const value = part[name];
    if (name === 'text' && typeof value === 'string') text = value;
    else if (name !== 'thought' && value !== null && value !== undefined && value !== '') return undefined;
  }
  return text;
}

/** Whether a block of this kind may be a part only, although the wire sent it whole. */
export function needsConfirmation(kind: BlockKind): boolean {
  return kind === 'tool_call' || kind === 'server_tool_call' || kind === 'reasoning';
}

/** Finish reasons under which the last call or reasoning may be a part only. */
const cuttingReasons = new Set([
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
]);

/** Whether a finish reason cuts what came last. Unknown ones do not. */
export function isCutting(finishReason: string | null): boolean {
  return finishReason !== null && cuttingReasons.has(finishReason);
}

/** A reason as the wire gives it; null for one that says nothing. */
export function readReason(value: unknown): string | null {
  return isText(value) && !value.endsWith('_REASON_UNSPECIFIED') ? value : null;
}

/** Whether a value is a text with something in it. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
