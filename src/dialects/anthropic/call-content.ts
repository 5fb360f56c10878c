import { isJsonObject } from '../../core/json-object.ts';
import type { ToolCall } from '../../core/turn.ts';
import { readToolInput } from '../../text/tool-input.ts';
import { sourceTextAt } from '../../text/verbatim-json.ts';
import type { BlockContent, ContentContext } from './content-block.ts';

/**
 * A call of a tool, the client's or the server's.
 *
 * Its input comes in deltas, or whole in the start: then `input` there is not the usual empty object. Deltas with text
 * win over an input that came whole.
 */
export function createCallContent({ record, block, native, sourceOf }: ContentContext): BlockContent {
  let whole = wholeInput();
  let isFaithful = true;
  let toolCall: ToolCall | undefined;

  return {
    begin() {},
    grow(type, delta) {
      if (type !== 'input_json_delta') return false;
      const piece = delta['partial_json'];
      if (typeof piece === 'string') growInput(piece);
      return typeof piece === 'string' || piece === undefined || piece === null || lose();
    },
    lose,
    finish() {
      showWhole();
      const input = readToolInput(block.text, record.limits.inputDepth);
      const isValid = input.isValid && isFaithful;
      native['input'] = isValid ? input.value : { INVALID_JSON: block.text };
      if (!isValid || !block.name) return 'invalid';
      if (block.kind === 'tool_call') {
        // A copy of its own: a tool that changes its input must not change what goes back.
        const copy: unknown = JSON.parse(input.text);
        toolCall = { id: block.id ?? '', name: block.name, input: copy, inputText: input.text };
      }
      return 'finished';
    },
    get toolCall() {
      return toolCall;
    },
    cut: showWhole,
  };

  /** The source text of an input that stands in the start; undefined for what only holds its place. */
  function wholeInput(): string | undefined {
    const { input } = native;
    const isPlaceholder = isJsonObject(input)
      ? Object.keys(input).length === 0
      : input === undefined || input === null || input === '';
    if (isPlaceholder) return undefined;
    const source = sourceOf();
    return (source && sourceTextAt(source, ['input'])) ?? JSON.stringify(input);
  }

  function growInput(piece: string): void {
    if (whole !== undefined) {
      if (piece.trim() === '') return;
      whole = undefined;
      record.warn('input_replaced', 'A tool input came whole, and then again in pieces; the pieces count', block.index);
    }
    record.grow(block, piece);
  }

  function showWhole(): void {
    if (whole !== undefined) record.grow(block, whole);
  }

  /** A call that lost a piece of its input must not be executed, even if what is left can be read. */
  function lose(): false {
    isFaithful = false;
    return false;
  }
}
