import type { Content } from './content.ts';

/** A wire event, as far as the tests look into it. */
export interface ResponsesWire {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly delta?: string;
  readonly obfuscation?: string;
  readonly item?: { readonly [member: string]: unknown };
  readonly response?: { readonly status: string; readonly output: readonly unknown[]; readonly usage: unknown };
}

/** What the messages of a Responses stream hold; its texts are those of the deltas. */
export interface ResponsesContent extends Content {
  readonly wires: readonly ResponsesWire[];
  /** Which item each piece of an input belongs to. */
  readonly callOrder: readonly (number | undefined)[];
  readonly doneItems: readonly unknown[];
}

/** Reads a Responses stream. */
export function responsesContent(messages: readonly string[]): ResponsesContent {
  const wires = messages.map((message): ResponsesWire => JSON.parse(message.split('\ndata: ')[1] ?? ''));
  const ofType = (type: string) => wires.filter((wire) => wire.type === `response.${type}`);
  const text = (type: string) => ofType(type).map(({ delta = '' }) => delta);
  const calls = ofType('function_call_arguments.delta');
  const inputs = new Map<number | undefined, string>();
  for (const { output_index, delta } of calls) inputs.set(output_index, (inputs.get(output_index) ?? '') + delta);
  const doneItems: unknown[] = [];
  for (const { output_index = -1, item } of ofType('output_item.done')) doneItems[output_index] = item;
  return {
    wires,
    text: text('output_text.delta').join(''),
    reasoning: text('reasoning_summary_text.delta').join(''),
    pieces: text('function_call_arguments.delta'),
    inputs: [...inputs.values()],
    callOrder: calls.map(({ output_index }) => output_index),
    doneItems,
  };
}
