import { from } from 'rxjs';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { AssembledTurn } from '../../../src/core/turn.ts';
import type { UiEvent } from '../../../src/core/turn-event.ts';
import { type AnthropicOptions, anthropic } from '../../../src/dialects/anthropic/anthropic.ts';
import type { AnthropicEntry } from '../../../src/dialects/anthropic/entries.ts';
import { assembleTurn } from '../../../src/rx/assemble-turn.ts';

/** An SSE body of wire events. */
export function sse(...events: JsonObject[]): string {
  return events
    .map((event) => `event: ${String(event['type'] ?? 'message')}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

/** The start of a message; members of the message itself may be replaced. */
export function messageStart(message: JsonObject = {}): JsonObject {
  const usage = { input_tokens: 10, output_tokens: 1 };
  const base = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content: [],
    stop_reason: null,
  };
  return { type: 'message_start', message: { ...base, usage, ...message } };
}

export function start(index: number, block: JsonObject): JsonObject {
  return { type: 'content_block_start', index, content_block: block };
}

export function delta(index: number, type: string, members: JsonObject): JsonObject {
  return { type: 'content_block_delta', index, delta: { type, ...members } };
}

export function stop(index: number): JsonObject {
  return { type: 'content_block_stop', index };
}

/** A whole text block. */
export function text(index: number, ...pieces: string[]): JsonObject[] {
  const deltas = pieces.map((piece) => delta(index, 'text_delta', { text: piece }));
  return [start(index, { type: 'text', text: '' }), ...deltas, stop(index)];
}

/** A whole thinking block, signed. */
export function thinking(index: number, thought: string, signature = `c2lnbmF0dXJl${index}`): JsonObject[] {
  return [
    start(index, { type: 'thinking', thinking: '', signature: '' }),
    delta(index, 'thinking_delta', { thinking: thought }),
    delta(index, 'signature_delta', { signature }),
    stop(index),
  ];
}

/** A whole tool call, its input in these pieces. */
export function call(index: number, head: JsonObject, ...pieces: string[]): JsonObject[] {
  const deltas = pieces.map((piece) => delta(index, 'input_json_delta', { partial_json: piece }));
  return [
    start(index, { type: 'tool_use', id: `toolu_${index}`, name: 'tool', input: {}, ...head }),
    ...deltas,
    stop(index),
  ];
}

/** The end of a message. */
export function messageEnd(stopReason = 'end_turn', members: JsonObject = {}): JsonObject[] {
  const change = { stop_reason: stopReason, stop_sequence: null };
  return [{ type: 'message_delta', delta: change, usage: { output_tokens: 20 }, ...members }, { type: 'message_stop' }];
}

/** A turn and what a person saw of it. */
export interface Assembled {
  readonly turn: AssembledTurn<AnthropicEntry>;
  readonly ui: readonly UiEvent[];
}

/** Assembles a body that is all there. */
export async function assemble(
  body: string | JsonObject[],
  options: Partial<AnthropicOptions> = {},
): Promise<Assembled> {
  // A source that waits a moment, so that the subscriber below is there from the start.
  const source = from(Promise.resolve(typeof body === 'string' ? body : sse(...body)));
  const turn = assembleTurn(source, anthropic(options), { clock: () => 0 });
  const ui: UiEvent[] = [];
  turn.ui.subscribe((event) => ui.push(event));
  return { turn: await turn.settled(), ui };
}

/** The blocks' kinds and states in one line each. */
export function states({ turn }: Assembled): string[] {
  return turn.blocks.map(({ kind, state }) => `${kind} ${state}`);
}

/** The content of the one entry, or undefined if there is none. */
export function content({ turn }: Assembled): readonly JsonObject[] | undefined {
  return turn.entries[0]?.content.map((block) => ({ ...block }));
}
