import type { Content } from '@google/genai';
import type { Wire } from '../wire.ts';
import { createGeminiClient } from './client.ts';
import { createGeminiService } from './service.ts';

/** The Gemini API's streamGenerateContent, through its official client. */
export const geminiWire: Wire<Content> = {
  service: createGeminiService(),
  live: {
    keyVariable: 'GEMINI_API_KEY',
    urlVariable: 'GOOGLE_GEMINI_BASE_URL',
    url: 'https://generativelanguage.googleapis.com',
    model: 'gemini-3.5-flash',
  },
  connect: createGeminiClient,
};
