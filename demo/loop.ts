import type { Anthropic } from '@anthropic-ai/sdk';
import { anthropic } from '../src/anthropic.ts';
import { type AssembledTurn, assembleTurn, type UiEvent } from '../src/index.ts';
import { runTool, tools } from './tools.ts';

type MessageParam = Anthropic.MessageParam;

/** A conversation's two ends, and its watcher. */
export interface Conversation {
  readonly client: Anthropic;
  readonly model: string;
  /** Stops the conversation in the middle of an answer. */
  readonly signal: AbortSignal;
  /** Shows one answer while it streams; settles when it is over. */
  show(events: AsyncIterable<UiEvent>): Promise<void>;
  /** Told of each request's history before it is sent. */
  onSend?(messages: readonly MessageParam[]): void;
}

/** How a conversation ended. */
export interface Outcome {
  /** The last answer: an incomplete one, or one without calls. */
  readonly turn: AssembledTurn;
  /** The history of the first request that sent an answer back; undefined if none did. */
  readonly firstReplay: readonly MessageParam[] | undefined;
}

/** More turns than any answer to the demo's question needs. */
const maxTurns = 8;

/**
 * Asks, runs the tools, sends everything back, until an answer has no calls.
 *
 * This is the whole tool loop by hand: a turn's `entries` go back as they are, then all results in one user message.
 */
export async function converse(conversation: Conversation, question: string): Promise<Outcome> {
  const messages: MessageParam[] = [{ role: 'user', content: question }];
  let firstReplay: readonly MessageParam[] | undefined;
  let turn = await ask(conversation, messages);
  for (let turns = 1; turn.toolCalls.length > 0 && turns < maxTurns; turns += 1) {
    messages.push(...turn.entries, { role: 'user', content: turn.toolCalls.map(runTool) });
    firstReplay ??= [...messages];
    turn = await ask(conversation, messages);
  }
  return { turn, firstReplay };
}

/** Sends one request and shows its answer. Never rejects for what the provider says: look at `status`. */
export async function ask(
  { client, model, signal, show, onSend }: Conversation,
  messages: readonly MessageParam[],
): Promise<AssembledTurn<MessageParam>> {
  onSend?.(messages);
  const params: Anthropic.MessageCreateParamsStreaming = {
    model,
    max_tokens: 4096,
    thinking: { type: 'adaptive', display: 'summarized' },
    tools,
    messages: [...messages],
    stream: true,
  };
  const turn = assembleTurn(client.messages.create(params, { signal }).asResponse(), anthropic, { signal });
  await show(turn);
  return turn.settled();
}

/** The usual mistake: of each answer only the tool calls are kept, since they are all that the tools need. */
export function onlyToolCalls(messages: readonly MessageParam[]): MessageParam[] {
  return messages.map((message) =>
    message.role === 'assistant' && typeof message.content !== 'string'
      ? { ...message, content: message.content.filter(({ type }) => type === 'tool_use') }
      : message,
  );
}
