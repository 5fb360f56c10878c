import type { Dialect } from '../core/dialect.ts';
import { anthropicService } from './anthropic/service.ts';
import { chatCompletionsService } from './chat-completions/service.ts';
import { geminiService } from './gemini/service.ts';
import { responsesService } from './responses/service.ts';
import type { StrictService } from './service.ts';

const services: Readonly<Record<string, StrictService>> = {
  anthropic: anthropicService,
  chatCompletions: chatCompletionsService,
  responses: responsesService,
  gemini: geminiService,
};

/** The side of the provider of a dialect. */
export function serviceOf({ name }: Dialect): StrictService {
  const service = services[name];
  if (!service)
    throw new TypeError(`There is no strict provider for ${name}; there are ${Object.keys(services).join(', ')}.`);
  return service;
}
