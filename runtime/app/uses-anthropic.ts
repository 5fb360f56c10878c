// A user of the official SDK: its stream in, entries that its next request takes.
import type Anthropic from '@anthropic-ai/sdk';
import { assembleTurn } from 'wholeturn';
import { anthropic } from 'wholeturn/anthropic';

export async function answer(client: Anthropic, messages: Anthropic.MessageParam[]): Promise<void> {
  const stream = client.messages.create({ model: 'claude-opus-5', max_tokens: 1024, messages, stream: true });
  const turn = await assembleTurn(stream, anthropic({ unsignedThinking: 'keep' })).finalTurn();
  messages.push(...turn.entries);
}
