import type { IncomingHttpHeaders } from 'node:http';
import type { Refusal } from '../messages.ts';
import { type ScriptedAnswer, script as usualScript } from '../script.ts';
import { headInBody, type Service } from '../service.ts';
import { framesOf } from './frames.ts';
import { blockOf, isItem, itemsOf, readItems } from './items.ts';
import { verifyItems } from './verify.ts';

/**
 * Makes a service that speaks OpenAI's Responses, stores nothing, and answers with a script.
 *
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
export function createResponsesService(script: readonly ScriptedAnswer[] = usualScript): Service {
  return {
    basePath: '/v1',
    endpoint: /^\/responses$/,
    requestIdHeader: 'x-request-id',
    answers: script.map((answer) => ({
      blocks: itemsOf(answer).map((item, index) => blockOf(JSON.stringify(item), index)),
      frames: (options) => framesOf(answer, options),
    })),
    findWrongHeader,
    readHead: headInBody,
    history: { field: 'input', unit: 'item', shape: 'an item with all that its type needs' },
    isMessage: isItem,
    readMessages: readItems,
    verify: verifyItems,
    errorBody: ({ type, message, param = null, code = null }) => ({ error: { message, type, param, code } }),
  };
}

function findWrongHeader({ authorization = '' }: IncomingHttpHeaders): Refusal | null {
  if (/^Bearer \S/.test(authorization)) return null;
  const message = "You didn't provide an API key. You need to provide your API key in an Authorization header.";
  return { status: 401, type: 'invalid_request_error', message };
}
