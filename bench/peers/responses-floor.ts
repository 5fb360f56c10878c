import type OpenAI from 'openai';
import type { FloorReader } from './floor-reader.ts';
import type { Tally } from './tally.ts';

interface FloorItem {
  text: string;
  input: string;
  done: OpenAI.Responses.ResponseOutputItem | undefined;
}

/** Appends each delta to its item, and keeps the item that is done: it is what goes back. */
export function createResponsesFloor(tally: Tally): FloorReader {
  const items: FloorItem[] = [];
  let usage: OpenAI.Responses.ResponseUsage | undefined;
  return {
    take(data) {
      const wire: OpenAI.Responses.ResponseStreamEvent = JSON.parse(data);
      if (wire.type === 'response.output_item.added')
        items[wire.output_index] = { text: '', input: '', done: undefined };
      else if (wire.type === 'response.completed') usage = wire.response.usage;
      else if ('output_index' in wire) append(items[wire.output_index], wire, tally);
    },
    outcome: () => ({
      textLength: items.reduce((length, { done }) => length + saidText(done).length, 0),
      inputLength: items.reduce(
        (length, { done }) => length + (done?.type === 'function_call' ? done.arguments.length : 0),
        0,
      ),
      blocks: usage ? items.filter(({ text, input }) => text !== '' || input !== '').length : 0,
    }),
  };
}

function append(item: FloorItem | undefined, wire: OpenAI.Responses.ResponseStreamEvent, tally: Tally): void {
  if (!item) return;
  switch (wire.type) {
    case 'response.output_text.delta':
      item.text += wire.delta;
      return tally.add({ type: 'text_delta', index: wire.output_index, text: wire.delta });
    case 'response.reasoning_summary_text.delta':
      item.text += wire.delta;
      return tally.add({ type: 'reasoning_delta', index: wire.output_index, text: wire.delta });
    case 'response.function_call_arguments.delta':
      item.input += wire.delta;
      return tally.add({ type: 'tool_input_delta', index: wire.output_index, json: wire.delta });
    case 'response.output_item.done':
      item.done = wire.item;
  }
}

function saidText(item: OpenAI.Responses.ResponseOutputItem | undefined): string {
  if (item?.type === 'reasoning') return item.summary.map(({ text }) => text).join('');
  if (item?.type !== 'message') return '';
  return item.content.map((part) => (part.type === 'output_text' ? part.text : part.refusal)).join('');
}
