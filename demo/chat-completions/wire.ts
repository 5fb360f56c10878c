import type OpenAI from 'openai';
import type { Wire } from '../wire.ts';
import { createChatCompletionsClient } from './client.ts';
import { createChatCompletionsService } from './service.ts';

/** Chat completions with `reasoning_details`, through the official client of the format. */
export const chatCompletionsWire: Wire<OpenAI.ChatCompletionMessageParam> = {
  service: createChatCompletionsService(),
  live: {
    keyVariable: 'OPENROUTER_API_KEY',
    urlVariable: 'OPENROUTER_BASE_URL',
    url: 'https://openrouter.ai/api/v1',
    model: 'anthropic/claude-sonnet-4.6',
  },
  connect: createChatCompletionsClient,
};
