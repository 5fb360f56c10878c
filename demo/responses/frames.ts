import { delays, type Frame, type FrameOptions, slices, words } from '../frames.ts';
import type { ScriptedAnswer } from '../script.ts';
import { type Item, itemsOf, suffixOf } from './items.ts';

/** An event before it is numbered. */
interface Step {
  readonly delay: number;
  readonly type: string;
  readonly fields: object;
}

type ReasoningItem = Extract<Item, { type: 'reasoning' }>;
type MessageItem = Extract<Item, { type: 'message' }>;
type CallItem = Extract<Item, { type: 'function_call' }>;

/** Makes the SSE messages of an answer, cut as the service cuts them; parallel calls grow side by side. */
export function framesOf(answer: ScriptedAnswer, { model, inputTokens }: FrameOptions): Frame[] {
  const output = itemsOf(answer);
  const itemSteps = inArrivalOrder(output);
  const response = responseOf(answer, model);
  const usage = usageOf(itemSteps, inputTokens);
  const steps = [
    step(delays.start, 'response.created', { response }),
    step(0, 'response.in_progress', { response }),
    ...itemSteps,
    step(0, 'response.completed', {
      response: { ...response, status: 'completed', completed_at: createdAt + 4, output, usage },
    }),
  ];
  return steps.map(({ delay, type, fields }, sequence_number) => ({
    delay,
    text: `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...fields })}\n\n`,
  }));
}

const createdAt = 1796000000;

function responseOf(answer: ScriptedAnswer, model: string): object {
  return {
    id: `resp_${suffixOf(answer)}`,
    object: 'response',
    created_at: createdAt,
    status: 'in_progress',
    background: false,
    completed_at: null,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    prompt_cache_key: null,
    reasoning: { effort: 'medium', summary: 'detailed' },
    service_tier: 'auto',
    store: false,
    temperature: 1,
    text: { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: 'auto',
    tools: [],
    top_logprobs: 0,
    top_p: 1,
    truncation: 'disabled',
    usage: null,
    user: null,
    metadata: {},
  };
}

function usageOf(steps: readonly Step[], input_tokens: number): object {
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

/** Calls that stand side by side come in turns, some events of each, everything else one item after the other. */
function inArrivalOrder(items: readonly Item[]): Step[] {
  const groups: Step[][][] = [];
  for (const [output_index, item] of items.entries()) {
    const steps = stepsOf(item, output_index);
    const isParallel = item.type === 'function_call' && items[output_index - 1]?.type === 'function_call';
    if (isParallel) groups.at(-1)?.push(steps);
    else groups.push([steps]);
  }
  return groups.flatMap(inTurns);
}

/** How many events of a call come before it is the next one's turn. */
const portion = 6;

function inTurns(lists: readonly (readonly Step[])[]): Step[] {
  const rounds = Math.ceil(Math.max(...lists.map((list) => list.length)) / portion);
  return Array.from({ length: rounds }, (_, round) =>
    lists.flatMap((list) => list.slice(round * portion, (round + 1) * portion)),
  ).flat();
}

function stepsOf(item: Item, output_index: number): Step[] {
  return [
    step(delays.block, 'response.output_item.added', { output_index, item: startOf(item) }),
    ...growthOf(item, output_index),
    step(0, 'response.output_item.done', { output_index, item }),
  ];
}

/** The item as it is announced. Its ciphertext is that of what was thought so far, and good for nothing. */
function startOf(item: Item): object {
  switch (item.type) {
    case 'reasoning': {
      const { encrypted_content: whole } = item;
      return { ...item, encrypted_content: whole.slice(0, Math.ceil(whole.length * 0.8)), summary: [] };
    }
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
  }
}

function growthOf(item: Item, output_index: number): Step[] {
  const at = { item_id: item.id, output_index };
  switch (item.type) {
    case 'reasoning':
      return summarySteps(item, at);
    case 'message':
      return textSteps(item, at);
    case 'function_call':
      return argumentSteps(item, at);
  }
}

function summarySteps({ summary }: ReasoningItem, at: object): Step[] {
  return summary.flatMap((part, summary_index) => {
    const place = { ...at, summary_index };
    return [
      step(0, 'response.reasoning_summary_part.added', { ...place, part: { ...part, text: '' } }),
      ...words(part.text).map((delta) =>
        step(delays.delta, 'response.reasoning_summary_text.delta', { ...place, delta, ...paddingOf(delta) }),
      ),
      step(0, 'response.reasoning_summary_text.done', { ...place, text: part.text }),
      step(0, 'response.reasoning_summary_part.done', { ...place, part }),
    ];
  });
}

function textSteps({ content }: MessageItem, at: object): Step[] {
  return content.flatMap((part, content_index) => {
    const place = { ...at, content_index };
    return [
      step(0, 'response.content_part.added', { ...place, part: { ...part, text: '' } }),
      ...words(part.text).map((delta) =>
        step(delays.delta, 'response.output_text.delta', { ...place, delta, logprobs: [], ...paddingOf(delta) }),
      ),
      step(0, 'response.output_text.done', { ...place, text: part.text, logprobs: [] }),
      step(0, 'response.content_part.done', { ...place, part }),
    ];
  });
}

function argumentSteps({ arguments: text }: CallItem, at: object): Step[] {
  return [
    ...slices(text).map((delta) =>
      step(delays.delta, 'response.function_call_arguments.delta', { ...at, delta, ...paddingOf(delta) }),
    ),
    step(0, 'response.function_call_arguments.done', { ...at, arguments: text }),
  ];
}

const padding = 'k3VbqX0tWz7LmPdY';

/** Fills up to a whole number of 16 characters, so that the length of an event does not tell that of its text. */
function paddingOf({ length }: string): { readonly obfuscation: string } {
  return { obfuscation: padding.slice(length % padding.length) };
}

function step(delay: number, type: string, fields: object): Step {
  return { delay, type, fields };
}
