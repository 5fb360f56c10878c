import { from } from 'rxjs';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { Limits } from '../../../src/core/limits.ts';
import type { AssembledTurn } from '../../../src/core/turn.ts';
import type { UiEvent } from '../../../src/core/turn-event.ts';
import { type GeminiEntry, type GeminiOptions, gemini } from '../../../src/gemini.ts';
import { assembleTurn } from '../../../src/rx/assemble-turn.ts';
import { stringifyRequest } from '../../../src/text/verbatim-json.ts';

const head = { modelVersion: 'gemini-test', responseId: 'resp1' };

/** A chunk of the one candidate with these parts; members of the candidate may be added. */
export function chunk(parts: readonly unknown[] | undefined, candidate: JsonObject = {}): JsonObject {
  const content = parts && { parts, role: 'model' };
  return { candidates: [{ ...(content && { content }), index: 0, ...candidate }], ...head };
}

/** Parts as chunks, one each, then a finish reason in a chunk without parts. */
export function chunks(parts: readonly unknown[], finishReason = 'STOP'): JsonObject[] {
  return [...parts.map((part) => chunk([part])), chunk(undefined, { finishReason })];
}

/** A part with a function call. */
export function call(functionCall: JsonObject, members: JsonObject = {}): JsonObject {
  return { functionCall, ...members };
}

/** A part with pieces of a call that goes on: a path and the members of its piece, each. */
export function pieces(...list: readonly (readonly [jsonPath: string, piece: JsonObject])[]): JsonObject {
  return call({ partialArgs: list.map(([jsonPath, piece]) => ({ jsonPath, ...piece })), willContinue: true });
}

/** An SSE body of chunks, framed as the service frames it. */
export function sse(...events: readonly JsonObject[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join('');
}

/** A turn and what a person saw of it. */
export interface Assembled {
  readonly turn: AssembledTurn<GeminiEntry>;
  readonly ui: readonly UiEvent[];
}

/** Assembles a body that is all there. */
export async function assemble(
  body: string | readonly JsonObject[],
  options: Partial<GeminiOptions> = {},
  limits: Partial<Limits> = {},
): Promise<Assembled> {
  // A source that waits a moment, so that the subscriber below is there from the start.
  const source = from(Promise.resolve(typeof body === 'string' ? body : sse(...body)));
  const turn = assembleTurn(source, gemini(options), { clock: () => 0, limits });
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

/** The parts of the one content that goes back, as the next request would hold them; `[]` if there is none. */
export function parts({ turn }: Assembled): JsonObject[] {
  const [entry] = JSON.parse(stringifyRequest(turn.entries)) as { parts: JsonObject[] }[];
  return entry?.parts ?? [];
}

/** The codes of the repairs. */
export function repairs({ turn }: Assembled): string[] {
  return turn.repairs.map(({ code, index }) => `${code} ${index}`);
}

/** The codes of the warnings. */
export function warnings({ turn }: Assembled): string[] {
  return turn.warnings.map(({ code }) => code);
}

/** The events in one line each: their type, their block, and what is shown. */
export function story({ ui }: Assembled): string[] {
  return ui.map((event) => {
    switch (event.type) {
      case 'text_delta':
      case 'reasoning_delta':
        return `${event.type} ${event.index} ${event.text}`;
      case 'tool_input_delta':
        return `${event.type} ${event.index} ${event.json}`;
      case 'block_start':
        return [event.type, event.index, event.kind, event.id, event.name]
          .filter((word) => word !== undefined)
          .join(' ');
      case 'block_stop':
        return `${event.type} ${event.index} ${event.state}`;
      case 'citation':
        return `${event.type} ${event.index} ${JSON.stringify(event.citation)}`;
      case 'block_content':
        return `${event.type} ${event.index} ${JSON.stringify(event.content)}`;
      default:
        return event.type;
    }
  });
}
