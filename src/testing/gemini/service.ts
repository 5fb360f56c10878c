import { invalidRequest, type Refusal } from '../refusal.ts';
import type { StrictService } from '../service.ts';
import { conversationOf } from './conversation.ts';
import { framesOf } from './frames.ts';
import { speakParts } from './parts.ts';

const endpoint = /\/models\/([^/:]+):streamGenerateContent$/;

/** What Google calls a status. */
const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** Gemini's `streamGenerateContent` from the side of the provider. */
export const geminiService: StrictService = {
  endpoint,
  required: ['contents'],
  alsoRefused: new Map(),
  hasStart: false,
  // What is missing of the thoughts shows in the signature behind them, and a missing signature breaks a rule.
  needsReasoning: () => false,
  findWrongHeader,
  // The model stands in the address, and so does what the answer is to be.
  headOf: ({ pathname, searchParams }) => ({
    model: endpoint.exec(pathname)?.[1],
    isStreaming: searchParams.get('alt') === 'sse',
  }),
  conversationOf,
  answer(scene, speaker, context) {
    return framesOf(speakParts(scene, speaker), scene.stopReason ?? 'STOP', context);
  },
  refusalOf: () => invalidRequest('Corrupted thought signature.'),
  refusalOfFinding: ({ message }) => invalidRequest(message),
  errorBody: ({ status, message }) => ({
    error: { code: status, message, status: statusNames[status] ?? 'UNKNOWN' },
  }),
  // As it is: no SSE message, but the bare body of an error.
  errorEvent: () =>
    `${JSON.stringify({ error: { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' } })}\n`,
};

function findWrongHeader(headers: Headers): Refusal | undefined {
  if (headers.get('x-goog-api-key') || headers.get('authorization')) return undefined;
  const message =
    "Method doesn't allow unregistered callers. Please use API Key or other form of API consumer identity.";
  return { status: 403, type: 'permission_denied', message };
}
