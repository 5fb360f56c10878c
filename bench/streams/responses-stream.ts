import type { Random } from '../random.ts';
import { toolInputText } from '../tool-input-text.ts';
import { inputPieces, inTurns, signature, someWords } from '../words.ts';
import { type AnswerSizes, type Stream, totalLength } from './stream.ts';

/** One output item: how it begins, what its deltas say, and what it is when it is done. */
interface ItemScript {
  /** The item as `response.output_item.added` has it. */
  readonly added: object;
  /** The events between its beginning and its end, without `item_id` and `output_index`. */
  readonly events: readonly WireEvent[];
  /** The events that say its texts once more, whole; they come directly before it is done. */
  readonly wholes: readonly WireEvent[];
  readonly done: { readonly id: string; readonly [member: string]: unknown };
}

interface WireEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Deltas of one part of a summary; a longer one has several parts. */
const summaryPartLength = 200;

/**
 * Makes the stream of one response: a reasoning item with its summary in parts, a message, and function calls whose
 * arguments come in turns. Each text is said three times more: when it is done, in its item, in the whole response.
 */
export function responsesStream(random: Random, sizes: AnswerSizes): Stream {
  const reasoning = someWords(random, sizes.reasoning, 0);
  const text = someWords(random, sizes.text, sizes.foreign ?? 0);
  const calls = Array.from({ length: sizes.calls }, () =>
    inputPieces(random, toolInputText(random, sizes.callLength ?? 0)),
  );
  const said = [
    ...(reasoning.length > 0 ? [reasoningItem(random, reasoning)] : []),
    ...(text.length > 0 ? [messageItem(random, text, calls.length > 0)] : []),
  ];
  const called = calls.map((pieces, call) => callItem(random, pieces, call));
  const pieces = calls.flat();
  return {
    dialect: 'responses',
    messages: streamMessages(
      [
        ...said.flatMap((item, index) => [
          addedEvent(item, index),
          ...deltaEvents(item, index),
          ...doneEvents(item, index),
        ]),
        ...called.map((item, place) => addedEvent(item, said.length + place)),
        ...inTurns(called.map((item, place) => deltaEvents(item, said.length + place))),
        ...called.flatMap((item, place) => doneEvents(item, said.length + place)),
      ],
      [...said, ...called].map(({ done }) => done),
    ),
    textLength: totalLength(text) + totalLength(reasoning),
    reasoningLength: totalLength(reasoning),
    inputLength: totalLength(pieces),
    blocks: said.length + called.length,
    inputPieces: pieces,
  };
}

function reasoningItem(random: Random, words: readonly string[]): ItemScript {
  const parts = Array.from({ length: Math.ceil(words.length / summaryPartLength) }, (_, part) =>
    words.slice(part * summaryPartLength, (part + 1) * summaryPartLength),
  );
  const id = 'rs_0bench';
  return {
    // What stands here of the ciphertext is not the whole of it, and not what counts.
    added: { id, type: 'reasoning', encrypted_content: `gAAAA${signature(random)}`, summary: [] },
    events: parts.flatMap((part, index) => summaryPartEvents(random, part, index)),
    wholes: [],
    done: {
      id,
      type: 'reasoning',
      encrypted_content: `gAAAA${signature(random, 800)}`,
      summary: parts.map((part) => ({ type: 'summary_text', text: part.join('') })),
    },
  };
}

function summaryPartEvents(random: Random, words: readonly string[], summary_index: number): WireEvent[] {
  const text = words.join('');
  const type = 'response.reasoning_summary';
  return [
    { type: `${type}_part.added`, part: { type: 'summary_text', text: '' }, summary_index },
    ...words.map((delta) => ({ type: `${type}_text.delta`, delta, ...padding(random, delta), summary_index })),
    { type: `${type}_text.done`, summary_index, text },
    { type: `${type}_part.done`, part: { type: 'summary_text', text }, summary_index },
  ];
}

function messageItem(random: Random, words: readonly string[], callsTools: boolean): ItemScript {
  const id = 'msg_0bench';
  const text = words.join('');
  const part = (said: string): object => ({ type: 'output_text', annotations: [], logprobs: [], text: said });
  const message = (status: string, content: readonly object[]) => ({
    id,
    type: 'message',
    status,
    content,
    phase: callsTools ? 'commentary' : 'final_answer',
    role: 'assistant',
  });
  const events = words.map((delta) => ({
    type: 'response.output_text.delta',
    content_index: 0,
    delta,
    logprobs: [],
    ...padding(random, delta),
  }));
  return {
    added: message('in_progress', []),
    events: [{ type: 'response.content_part.added', content_index: 0, part: part('') }, ...events],
    wholes: [
      { type: 'response.output_text.done', content_index: 0, logprobs: [], text },
      { type: 'response.content_part.done', content_index: 0, part: part(text) },
    ],
    done: message('completed', [part(text)]),
  };
}

function callItem(random: Random, pieces: readonly string[], call: number): ItemScript {
  const item = (status: string, text: string) => ({
    id: `fc_0bench${call}`,
    type: 'function_call',
    status,
    arguments: text,
    call_id: `call_0${call}`,
    name: 'write_rows',
  });
  const text = pieces.join('');
  return {
    added: item('in_progress', ''),
    events: pieces.map((delta) => ({
      type: 'response.function_call_arguments.delta',
      delta,
      ...padding(random, delta),
    })),
    wholes: [{ type: 'response.function_call_arguments.done', arguments: text }],
    done: item('completed', text),
  };
}

/** Random characters that fill a delta up to a multiple of 16, so that its length tells nothing. */
function padding(random: Random, delta: string): { obfuscation: string } {
  return { obfuscation: signature(random, 16 - (delta.length % 16)) };
}

function addedEvent({ added }: ItemScript, output_index: number): WireEvent {
  return { type: 'response.output_item.added', item: added, output_index };
}

function deltaEvents({ events, done }: ItemScript, output_index: number): WireEvent[] {
  return events.map((event) => ({ ...event, item_id: done.id, output_index }));
}

function doneEvents({ wholes, done }: ItemScript, output_index: number): WireEvent[] {
  return [
    ...wholes.map((event) => ({ ...event, item_id: done.id, output_index })),
    { type: 'response.output_item.done', item: done, output_index },
  ];
}

function streamMessages(events: readonly WireEvent[], output: readonly object[]): string[] {
  const begun = { ...head, status: 'in_progress', output: [], usage: null };
  return [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...events,
    { type: 'response.completed', response: { ...head, status: 'completed', output, usage } },
  ].map((event, sequence_number) => sseMessage({ ...event, sequence_number }));
}

/** The service sorts the members behind the type. */
function sseMessage({ type, ...members }: WireEvent): string {
  const sorted = Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...sorted })}\n\n`;
}

/** A response says again what was asked for. */
const head = {
  id: 'resp_0bench',
  object: 'response',
  created_at: 1_796_000_000,
  background: false,
  error: null,
  incomplete_details: null,
  instructions: 'Answer with the rows.',
  max_output_tokens: null,
  model: 'gpt-5.6',
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: 'high', summary: 'detailed' },
  service_tier: 'default',
  store: false,
  temperature: 1,
  text: { format: { type: 'text' } },
  top_p: 1,
  tool_choice: 'auto',
  tools: [
    {
      type: 'function',
      name: 'write_rows',
      description: 'Writes rows.',
      strict: false,
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  ],
  truncation: 'disabled',
  user: null,
  metadata: {},
};

const usage = {
  input_tokens: 1200,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20_000,
  output_tokens_details: { reasoning_tokens: 6000 },
  total_tokens: 21_200,
};
