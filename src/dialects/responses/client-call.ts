import type { JsonObject } from '../../core/json-object.ts';
import type { ToolCall } from '../../core/turn.ts';
import { readToolInput, requireDepth } from '../../text/tool-input.ts';
import { sourceTextAt } from '../../text/verbatim-json.ts';
import { blockName, inputMember } from './item-kind.ts';

/** A call that the client runs, as it was read from its item. */
export interface ClientCall {
  /** The text of its input as it stood on the wire; `{}` where a function's was blank. */
  readonly inputText: string;
  /** Whether it is part of the item, and not a text of its own. */
  readonly isJson: boolean;
  /** The call that may be executed; undefined if it has no name, or if its input is none. */
  readonly toolCall: ToolCall | undefined;
}

/**
 * Reads the input of a call: of a function the JSON text of its arguments, of a custom tool any text, of the others the
 * member that says what to do.
 *
 * @param id The id that the output of the call will name.
 * @param source The source text of the item; undefined where there is none.
 * @throws LimitExceededError if the input nests deeper than `maxDepth`.
 */
export function readClientCall(item: JsonObject, id: string, source: string | undefined, maxDepth: number): ClientCall {
  const name = blockName(item, 'tool_call');
  const member = inputMember(item);
  const value = item[member];
  const isJson = typeof value !== 'string';
  const text = isJson ? ((source && sourceTextAt(source, [member])) ?? jsonOf(value)) : value;
  const callWith = (input: unknown, inputText: string): ClientCall => ({
    inputText,
    isJson,
    toolCall: name === undefined ? undefined : { id, name, input, inputText },
  });
  if (item['type'] === 'custom_tool_call') return callWith(text, text);
  if (Array.isArray(value)) {
    requireDepth(text, maxDepth);
    return callWith(JSON.parse(text), text);
  }
  const { isValid, value: input, text: inputText } = readToolInput(text, maxDepth);
  return isValid ? callWith(input, inputText) : { inputText: text, isJson, toolCall: undefined };
}

function jsonOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}
