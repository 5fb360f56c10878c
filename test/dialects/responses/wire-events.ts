import { from } from 'rxjs';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { Limits } from '../../../src/core/limits.ts';
import type { AssembledTurn } from '../../../src/core/turn.ts';
import type { UiEvent } from '../../../src/core/turn-event.ts';
import type { ResponsesEntry } from '../../../src/dialects/responses/entries.ts';
import { type ResponsesOptions, responses } from '../../../src/dialects/responses/responses.ts';
import { assembleTurn } from '../../../src/rx/assemble-turn.ts';
import { stringifyRequest } from '../../../src/text/verbatim-json.ts';

/** An SSE body of wire events, each with its `event` line. */
export function sse(...events: readonly JsonObject[]): string {
  return events
    .map((event) => {
      const { type } = event;
      return `event: ${typeof type === 'string' ? type : 'message'}\ndata: ${JSON.stringify(event)}\n\n`;
    })
    .join('');
}

const head = { id: 'resp_1', object: 'response', model: 'model-test', usage: null, error: null };

/** The start of a response; members of the response itself may be replaced. */
export function created(response: JsonObject = {}): JsonObject {
  return { type: 'response.created', response: { ...head, status: 'in_progress', output: [], ...response } };
}

/** The end of a response that says it is whole. */
export function completed(output: unknown = [], response: JsonObject = {}): JsonObject {
  return { type: 'response.completed', response: { ...head, status: 'completed', output, ...response } };
}

/** The end of a response that was stopped. */
export function incomplete(reason?: string, response: JsonObject = {}): JsonObject {
  const details = reason === undefined ? null : { reason };
  const body = { ...head, status: 'incomplete', incomplete_details: details, output: [], ...response };
  return { type: 'response.incomplete', response: body };
}

export function added(index: number, item: unknown): JsonObject {
  return { type: 'response.output_item.added', output_index: index, item };
}

export function done(index: number, item: unknown): JsonObject {
  return { type: 'response.output_item.done', output_index: index, item };
}

/** An event `response.<name>` about the item at an index. */
export function of(name: string, index: number, members: JsonObject = {}): JsonObject {
  return { type: `response.${name}`, output_index: index, ...members };
}

/** A piece of a text of the item at an index. */
export function delta(name: string, index: number, piece: unknown, members: JsonObject = {}): JsonObject {
  return of(`${name}.delta`, index, { delta: piece, ...members });
}

/** A message of one text. */
export function messageItem(index: number, text: string, members: JsonObject = {}): JsonObject {
  const part = { type: 'output_text', text, annotations: [] };
  return { id: `msg_${index}`, type: 'message', status: 'completed', role: 'assistant', content: [part], ...members };
}

/** A reasoning item with ciphertext and summaries. */
export function reasoningItem(index: number, summaries: readonly string[] = [], members: JsonObject = {}): JsonObject {
  const summary = summaries.map((text) => ({ type: 'summary_text', text }));
  return { id: `rs_${index}`, type: 'reasoning', summary, encrypted_content: `c2VhbGVk${index}`, ...members };
}

/** A call of a function. */
export function callItem(index: number, args: string, members: JsonObject = {}): JsonObject {
  const ids = { id: `fc_${index}`, call_id: `call_${index}` };
  return { ...ids, type: 'function_call', status: 'completed', name: 'tool', arguments: args, ...members };
}

/** A whole message, its text in these pieces. */
export function message(index: number, ...pieces: readonly string[]): JsonObject[] {
  const place = { content_index: 0 };
  return [
    added(index, { ...messageItem(index, ''), status: 'in_progress', content: [] }),
    of('content_part.added', index, { ...place, part: { type: 'output_text', text: '', annotations: [] } }),
    ...pieces.map((piece) => delta('output_text', index, piece, place)),
    of('output_text.done', index, { ...place, text: pieces.join('') }),
    of('content_part.done', index, { ...place, part: { type: 'output_text', text: pieces.join(''), annotations: [] } }),
    done(index, messageItem(index, pieces.join(''))),
  ];
}

/** A whole reasoning item, each of its summaries in one piece; its ciphertext at the start is a stub. */
export function reasoning(index: number, ...summaries: readonly string[]): JsonObject[] {
  return [
    added(index, { ...reasoningItem(index), encrypted_content: 'c3R1Yg==' }),
    ...summaries.flatMap((text, summary_index) => [
      delta('reasoning_summary_text', index, text, { summary_index }),
      of('reasoning_summary_text.done', index, { summary_index, text }),
    ]),
    done(index, reasoningItem(index, summaries)),
  ];
}

/** A whole call, its arguments in these pieces. */
export function call(index: number, ...pieces: readonly string[]): JsonObject[] {
  return [
    added(index, { ...callItem(index, ''), status: 'in_progress' }),
    ...pieces.map((piece) => delta('function_call_arguments', index, piece)),
    of('function_call_arguments.done', index, { arguments: pieces.join('') }),
    done(index, callItem(index, pieces.join(''))),
  ];
}

/** A turn and what a person saw of it. */
export interface Assembled {
  readonly turn: AssembledTurn<ResponsesEntry>;
  readonly ui: readonly UiEvent[];
}

/** Assembles a body that is all there. */
export async function assemble(
  body: string | readonly JsonObject[],
  options: Partial<ResponsesOptions> = {},
  limits: Partial<Limits> = {},
): Promise<Assembled> {
  // A source that waits a moment, so that the subscriber below is there from the start.
  const source = from(Promise.resolve(typeof body === 'string' ? body : sse(...body)));
  const turn = assembleTurn(source, responses(options), { clock: () => 0, limits });
  const ui: UiEvent[] = [];
  turn.ui.subscribe((event) => ui.push(event));
  return { turn: await turn.settled(), ui };
}

/** The blocks' kinds, states and texts in one line each. */
export function blocks({ turn }: Assembled): string[] {
  return turn.blocks.map(({ kind, state, text }) => `${kind} ${state} ${text}`.trimEnd());
}

/** The items that go back, as the next request would hold them. */
export function items({ turn }: Assembled): JsonObject[] {
  return JSON.parse(stringifyRequest(turn.entries)) as JsonObject[];
}

/** The executable calls in one line each. */
export function toolCalls({ turn }: Assembled): string[] {
  return turn.toolCalls.map(({ id, name, inputText }) => `${id} ${name} ${inputText}`);
}

/** The codes of repairs or warnings. */
export function codes(list: readonly { readonly code: string }[]): string[] {
  return list.map(({ code }) => code);
}

/** All that was shown between the turn's start and stop, in one line each. */
export function story({ ui }: Assembled): string[] {
  return ui.slice(1, -1).map((event) => {
    switch (event.type) {
      case 'block_start':
        return ['start', event.index, event.kind, event.id, event.name].filter((word) => word !== undefined).join(' ');
      case 'text_delta':
      case 'reasoning_delta':
        return `${event.type} ${event.index} ${event.text}`;
      case 'tool_input_delta':
        return `input ${event.index} ${event.json}`;
      case 'block_stop':
        return `stop ${event.index} ${event.state}`;
      case 'citation':
        return `citation ${event.index} ${JSON.stringify(event.citation)}`;
      case 'block_content':
        return `content ${event.index} ${JSON.stringify(event.content)}`;
      case 'warning':
        return `warning ${event.code}`;
      default:
        return event.type;
    }
  });
}
