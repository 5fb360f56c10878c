import { lastValueFrom, Subject, toArray } from 'rxjs';
import { type AnthropicEntry, type AnthropicMessage, anthropic } from '../../src/anthropic.ts';
import type { JsonObject } from '../../src/core/json-object.ts';
import {
  createTranscript,
  type LoopEvent,
  type SendContext,
  type ToolLoopOptions,
  type Transcript,
  type TurnSource,
  toolLoop,
} from '../../src/index.ts';
import { messageStart, sse } from '../dialects/anthropic/wire-events.ts';

/** The loop of a conversation whose turns are scripted. */
export type Loop = ToolLoopOptions<AnthropicEntry, AnthropicMessage>;

/** What came of a loop, and what it sent. */
export interface Played {
  readonly events: readonly LoopEvent<AnthropicEntry>[];
  readonly transcript: Transcript<AnthropicEntry, AnthropicMessage>;
  /** The histories that were sent. */
  readonly sent: readonly (readonly AnthropicMessage[])[];
  readonly contexts: readonly SendContext[];
}

/** The answer of one turn: what stands between its start and its end, and the end. */
export function answer(id: string, ...events: readonly JsonObject[][]): JsonObject[] {
  return [messageStart({ id }), ...events.flat()];
}

/** A transcript in which the user has asked something. */
export function asked(): Transcript<AnthropicEntry, AnthropicMessage> {
  const transcript = createTranscript(anthropic);
  transcript.user('How high is the tide?');
  return transcript;
}

/** A response with the events of one turn. */
export function response(events: readonly JsonObject[]): Response {
  return new Response(sse(...events), { headers: { 'content-type': 'text/event-stream' } });
}

/** Plays a loop to its end: each request gets the next of these turns. */
export async function play(
  turns: readonly (readonly JsonObject[] | TurnSource)[],
  options: Partial<Loop> = {},
): Promise<Played> {
  const { transcript = asked() } = options;
  const { loop, sent, contexts } = scripted(turns, transcript, options);
  const events = await lastValueFrom(loop.pipe(toArray()));
  return { events, transcript, sent, contexts };
}

/** A loop whose requests get these turns. */
export function scripted(
  turns: readonly (readonly JsonObject[] | TurnSource)[],
  transcript: Transcript<AnthropicEntry, AnthropicMessage>,
  options: Partial<Loop> = {},
): Pick<Played, 'sent' | 'contexts'> & {
  readonly loop: ReturnType<typeof toolLoop<AnthropicEntry, AnthropicMessage>>;
} {
  const sent: (readonly AnthropicMessage[])[] = [];
  const contexts: SendContext[] = [];
  const loop = toolLoop({
    dialect: anthropic,
    transcript,
    tools: {},
    clock: () => 0,
    ...options,
    send(entries, context) {
      const turn = turns[sent.length];
      sent.push(entries);
      contexts.push(context);
      if (turn === undefined) throw new Error('The script has no more turns');
      return Array.isArray(turn) ? response(turn as readonly JsonObject[]) : (turn as TurnSource);
    },
  });
  return { loop, sent, contexts };
}

/** What happened, in one line each, without the deltas. */
export function gist(events: readonly LoopEvent[]): string[] {
  return events.flatMap((event) => {
    switch (event.type) {
      case 'turn_start':
        return `turn ${event.turnNumber}`;
      case 'tool_start':
        return `${event.turnNumber} start ${event.call.name}`;
      case 'tool_result':
        return `${event.turnNumber} result ${event.call.name}${event.result.isError ? ' error' : ''}`;
      case 'loop_stop':
        return `stop ${event.reason} ${event.turns}`;
      default:
        return [];
    }
  });
}

/** The results in the last message that was sent back. */
export function resultsIn(messages: readonly AnthropicMessage[]): unknown[] {
  const last = messages.findLast(({ content }) => JSON.stringify(content).includes('"tool_result"'));
  return Array.isArray(last?.content) ? last.content.map((block) => ({ ...block })) : [];
}

/** Waits until a condition holds. */
export async function until(isMet: () => boolean): Promise<void> {
  for (let tries = 0; !isMet(); tries += 1) {
    if (tries > 500) throw new Error('What was waited for did not happen');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** A stream that is fed by hand. */
export function fed(): Subject<string> {
  return new Subject<string>();
}
