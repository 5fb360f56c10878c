import { filter, firstValueFrom } from 'rxjs';
import { type AnthropicEntry, anthropic } from '../../src/anthropic.ts';
import { type AssembleTurnOptions, assembleTurn, type JsonObject, type Turn, type UiEvent } from '../../src/index.ts';
import { delta, messageEnd, messageStart, sse, start, stop, thinking } from '../dialects/anthropic/wire-events.ts';
import type { LoopbackClient } from './loopback-clients.ts';
import type { Exchange, LoopbackServer } from './loopback-server.ts';

/** A turn that is streaming, and its server's side. */
export interface Conversation {
  readonly turn: Turn<AnthropicEntry>;
  readonly exchange: Exchange;
  /** What a person has seen so far. */
  readonly seen: readonly UiEvent[];
}

/** The first half of an answer: thinking, and a text that has begun. */
export const beginning: string = sse(
  messageStart(),
  ...thinking(0, 'hm'),
  start(1, { type: 'text', text: '' }),
  textDelta('Hel'),
);

/** The second half. */
export const rest: string = sse(textDelta('lo'), stop(1), ...messageEnd());

/** What the turn of both halves matches. */
export const whole: object = {
  status: 'complete',
  entries: [{ content: [{ type: 'thinking' }, { type: 'text', text: 'Hello' }] }],
};

/** A piece of the text that `beginning` began. */
export function textDelta(piece: string): JsonObject {
  return delta(1, 'text_delta', { text: piece });
}

/** Makes a request, and has the server begin its answer. */
export async function converse(
  server: LoopbackServer,
  client: LoopbackClient,
  options?: AssembleTurnOptions,
): Promise<Conversation> {
  const turn = assembleTurn(client.open(server.url), anthropic, options);
  const seen: UiEvent[] = [];
  turn.ui.subscribe((event) => seen.push(event));
  const exchange = await server.nextExchange();
  exchange.head();
  return { turn, exchange, seen };
}

/** Settles when the turn has shown some text. */
export async function untilText({ ui }: Turn<AnthropicEntry>): Promise<void> {
  await firstValueFrom(ui.pipe(filter(({ type }) => type === 'text_delta')));
}
