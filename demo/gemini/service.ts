import type { IncomingHttpHeaders } from 'node:http';
import { type Refusal, refusalOf } from '../messages.ts';
import { type ScriptedAnswer, script as usualScript } from '../script.ts';
import type { Service } from '../service.ts';
import { blockOf, isContent, partsOf, readContents, sourceOf } from './contents.ts';
import { framesOf } from './frames.ts';
import { verifyContents } from './verify.ts';

const endpoint = /^\/v1beta\/models\/([^/:]+):streamGenerateContent$/;

/** What Google calls a status. */
const statusNames: Readonly<Record<number, string>> = { 403: 'PERMISSION_DENIED', 404: 'NOT_FOUND' };

/**
 * Makes a service that speaks the Gemini API's streamGenerateContent, and answers with a script.
 *
 * @see https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 */
export function createGeminiService(script: readonly ScriptedAnswer[] = usualScript): Service {
  return {
    basePath: '',
    endpoint,
    answers: script.map((answer) => ({
      blocks: partsOf(answer).map(sourceOf).map(blockOf),
      frames: (options) => framesOf(answer, options),
    })),
    findWrongHeader,
    // The model stands in the address, and so does what the answer is to be.
    readHead: ({ pathname, searchParams }) => ({
      model: endpoint.exec(pathname)?.[1],
      isStreaming: searchParams.get('alt') === 'sse',
    }),
    history: { field: 'contents', unit: 'content', shape: 'a content with parts, of the role user or model' },
    isMessage: isContent,
    readMessages: readContents,
    verify: (messages, sent) => refusalOf(verifyContents(messages, sent)),
    errorBody: ({ status, message }) => ({
      error: { code: status, message, status: statusNames[status] ?? 'INVALID_ARGUMENT' },
    }),
  };
}

function findWrongHeader({ 'x-goog-api-key': key }: IncomingHttpHeaders): Refusal | null {
  if (key) return null;
  const message =
    "Method doesn't allow unregistered callers. Please use API Key or other form of API consumer identity.";
  return { status: 403, type: 'permission_denied', message };
}
