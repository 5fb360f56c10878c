import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { namedEvent, slices, words } from '../pieces.ts';
import type { AnswerContext } from '../service.ts';
import type { Item } from './items.ts';

/** An event before it is numbered. */
interface Step {
  readonly type: string;
  readonly fields: object;
}

/**
 * The SSE messages of an answer; calls that stand side by side grow side by side.
 *
 * @param reason Why it is incomplete; undefined where it is not.
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
export function framesOf(
  output: readonly Item[],
  reason: string | undefined,
  context: AnswerContext,
): readonly string[] {
  const response = responseOf(context);
  const items = inArrivalOrder(output);
  const status = reason === undefined ? 'completed' : 'incomplete';
  const incomplete_details = reason === undefined ? null : { reason };
  const end = { ...response, status, incomplete_details, output, usage: usageOf(items, context.inputTokens) };
  const steps = [
    step('response.created', { response }),
    step('response.in_progress', { response }),
    ...items,
    step(`response.${status}`, { response: end }),
  ];
  return steps.map(({ type, fields }, sequence_number) => namedEvent({ type, sequence_number, ...fields }));
}

const createdAt = 1796000000;

function responseOf({ id, model, body }: AnswerContext): JsonObject {
  const { store = true, instructions = null, tools = [], text, reasoning } = body;
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: createdAt,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions,
    max_output_tokens: null,
    model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: isJsonObject(reasoning) ? reasoning : { effort: 'medium', summary: null },
    service_tier: 'auto',
    store,
    temperature: 1,
    text: isJsonObject(text) ? text : { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: 'auto',
    tools,
    top_p: 1,
    truncation: 'disabled',
    usage: null,
    user: null,
    metadata: {},
  };
}

function usageOf(steps: readonly Step[], input_tokens: number): JsonObject {
  const count = (ending: string): number => steps.filter(({ type }) => type.endsWith(ending)).length;
  const output_tokens = count('.delta');
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: count('reasoning_summary_text.delta') },
    total_tokens: input_tokens + output_tokens,
  };
}

function inArrivalOrder(items: readonly Item[]): readonly Step[] {
  const groups: (readonly Step[])[][] = [];
  for (const [output_index, item] of items.entries()) {
    const steps = stepsOf(item, output_index);
    const isParallel = item.type === 'function_call' && items[output_index - 1]?.type === 'function_call';
    if (isParallel) groups.at(-1)?.push(steps);
    else groups.push([steps]);
  }
  return groups.flatMap(inTurns);
}

/** How many events of a call come before it is the next one's turn. */
const portion = 3;

function inTurns(lists: readonly (readonly Step[])[]): readonly Step[] {
  const rounds = Math.ceil(Math.max(...lists.map((list) => list.length)) / portion);
  return Array.from({ length: rounds }, (_, round) =>
    lists.flatMap((list) => list.slice(round * portion, (round + 1) * portion)),
  ).flat();
}

function stepsOf(item: Item, output_index: number): readonly Step[] {
  return [
    step('response.output_item.added', { output_index, item: startOf(item) }),
    ...growthOf(item, output_index),
    step('response.output_item.done', { output_index, item }),
  ];
}

/** An item as it begins; the ciphertext of reasoning is not the one that it ends with. */
function startOf(item: Item): object {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] };
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' };
  const { encrypted_content: whole, ...rest } = item;
  const early = whole === undefined ? {} : { encrypted_content: whole.slice(0, Math.ceil(whole.length * 0.8)) };
  return { ...rest, ...early, summary: [] };
}

function growthOf(item: Item, output_index: number): readonly Step[] {
  const at = { item_id: item.id, output_index };
  if (item.type === 'function_call') {
    return [
      ...slices(item.arguments).map((delta) => step('response.function_call_arguments.delta', { ...at, delta })),
      step('response.function_call_arguments.done', { ...at, arguments: item.arguments }),
    ];
  }
  if (item.type === 'reasoning') {
    return item.summary.flatMap((part, summary_index) => {
      const place = { ...at, summary_index };
      return [
        step('response.reasoning_summary_part.added', { ...place, part: { ...part, text: '' } }),
        ...words(part.text).map((delta) => step('response.reasoning_summary_text.delta', { ...place, delta })),
        step('response.reasoning_summary_text.done', { ...place, text: part.text }),
        step('response.reasoning_summary_part.done', { ...place, part }),
      ];
    });
  }
  return item.content.flatMap((part, content_index) => {
    const place = { ...at, content_index };
    return [
      step('response.content_part.added', { ...place, part: { ...part, text: '' } }),
      ...words(part.text).map((delta) => step('response.output_text.delta', { ...place, delta, logprobs: [] })),
      step('response.output_text.done', { ...place, text: part.text, logprobs: [] }),
      step('response.content_part.done', { ...place, part }),
    ];
  });
}

function step(type: string, fields: object): Step {
  return { type, fields };
}
