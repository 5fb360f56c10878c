import type { ToolCall } from '../../core/turn.ts';
import { readToolInput } from '../../text/tool-input.ts';
import type { BlockContent, ContentContext } from './content-block.ts';

/**
 * A call of a tool, the client's or the server's.
 *
 * Its input comes in deltas, or whole in the start: then `input` there is not the usual empty object. Deltas with text
 * win over an input that came whole.
 */
export function createCallContent({ record, block, native, inputSource }: ContentContext): BlockContent {
  let whole = inputSource;
  let toolCall: ToolCall | undefined;

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

  return {
    begin() {},
    grow(type, delta) {
      if (type !== 'input_json_delta') return false;
      if (typeof delta['partial_json'] === 'string') growInput(delta['partial_json']);
      return true;
    },
    finish() {
      showWhole();
      const input = readToolInput(block.text, record.limits.inputDepth);
      native['input'] = input.value;
      if (!input.isValid || !block.name) return 'invalid';
      if (block.kind === 'tool_call') {
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
}
