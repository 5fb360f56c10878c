import type { Anthropic } from '@anthropic-ai/sdk';
import type { Wire } from '../wire.ts';
import { createAnthropicClient } from './client.ts';
import { createAnthropicService } from './service.ts';

/** The Messages API, through its official client. */
export const anthropicWire: Wire<Anthropic.MessageParam> = {
  service: createAnthropicService(),
  live: {
    keyVariable: 'ANTHROPIC_API_KEY',
    urlVariable: 'ANTHROPIC_BASE_URL',
    url: 'https://api.anthropic.com',
    model: 'claude-sonnet-4-6',
  },
  connect: createAnthropicClient,
};
