import { from } from 'rxjs';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { AssembledTurn } from '../../../src/core/turn.ts';
import type { UiEvent } from '../../../src/core/turn-event.ts';
import {
  type ChatCompletionsOptions,
  chatCompletions,
} from '../../../src/dialects/chat-completions/chat-completions.ts';
import type { ChatCompletionsEntry } from '../../../src/dialects/chat-completions/entries.ts';
import { assembleTurn } from '../../../src/rx/assemble-turn.ts';
import { stringifyRequest } from '../../../src/text/verbatim-json.ts';

/** A chunk of the one choice; members of the chunk itself may be added. */
export function chunk(delta: JsonObject, finishReason: string | null = null, members: JsonObject = {}): JsonObject {
  return { ...head, choices: [{ index: 0, delta, finish_reason: finishReason }], ...members };
}

const head = { id: 'chat_1', object: 'chat.completion.chunk', created: 1, model: 'model-test' };

/** Deltas as chunks, one each, then a finish reason. */
export function chunks(deltas: readonly JsonObject[], finishReason = 'stop'): JsonObject[] {
  return [...deltas.map((delta) => chunk(delta)), chunk({}, finishReason)];
}

/** A delta of one tool call: its index, id and so on, and its function. */
export function call(head: JsonObject, called?: JsonObject): JsonObject {
  return { tool_calls: [{ ...head, ...(called && { function: called }) }] };
}

/** An SSE body of chunks, without its end. */
export function sse(...events: readonly JsonObject[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

/** The sentinel at the end of most bodies. */
export const done = 'data: [DONE]\n\n';

/** A turn and what a person saw of it. */
export interface Assembled {
  readonly turn: AssembledTurn<ChatCompletionsEntry>;
  readonly ui: readonly UiEvent[];
}

/** Assembles a body that is all there; a list of chunks gets `[DONE]` behind it. */
export async function assemble(
  body: string | readonly JsonObject[],
  options: Partial<ChatCompletionsOptions> = {},
): Promise<Assembled> {
  // A source that waits a moment, so that the subscriber below is there from the start.
  const source = from(Promise.resolve(typeof body === 'string' ? body : sse(...body) + done));
  const turn = assembleTurn(source, chatCompletions(options), { clock: () => 0 });
  const ui: UiEvent[] = [];
  turn.ui.subscribe((event) => ui.push(event));
  return { turn: await turn.settled(), ui };
}

/** The blocks' kinds, states and texts in one line each. */
export function blocks({ turn }: Assembled): string[] {
  return turn.blocks.map(({ kind, state, text }) => `${kind} ${state} ${text}`);
}

/** The executable calls in one line each. */
export function toolCalls({ turn }: Assembled): string[] {
  return turn.toolCalls.map(({ id, name, inputText }) => `${id} ${name} ${inputText}`);
}

/** The one message that goes back, as the next request would hold it; undefined if there is none. */
export function message({ turn }: Assembled): JsonObject | undefined {
  return (JSON.parse(stringifyRequest(turn.entries)) as JsonObject[])[0];
}

/** What was shown of one kind, one string a delta. */
export function shown({ ui }: Assembled, type: 'text_delta' | 'reasoning_delta'): string[] {
  return ui.flatMap((event) => (event.type === type ? [event.text] : []));
}
