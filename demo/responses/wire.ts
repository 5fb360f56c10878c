import type OpenAI from 'openai';
import type { Wire } from '../wire.ts';
import { createResponsesClient } from './client.ts';
import { createResponsesService } from './service.ts';

/** Responses with nothing stored, through the official client. */
export const responsesWire: Wire<OpenAI.Responses.ResponseInputItem> = {
  service: createResponsesService(),
  live: {
    keyVariable: 'OPENAI_API_KEY',
    urlVariable: 'OPENAI_BASE_URL',
    url: 'https://api.openai.com/v1',
    model: 'gpt-5.4',
  },
  connect: createResponsesClient,
};
