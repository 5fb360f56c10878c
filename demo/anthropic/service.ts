import type { IncomingHttpHeaders } from 'node:http';
import { invalidRequest, type Refusal, refusalOf } from '../messages.ts';
import { type ScriptedAnswer, script as usualScript } from '../script.ts';
import { headInBody, messageHistory, type Service } from '../service.ts';
import { verifyMessages } from '../verify.ts';
import { framesOf } from './frames.ts';
import { blockOf, findWrongField, isMessage, readMessages, sourceOf } from './messages.ts';

/** Makes an Anthropic-compatible service that answers with a script. */
export function createAnthropicService(script: readonly ScriptedAnswer[] = usualScript): Service {
  return {
    basePath: '',
    endpoint: /^\/v1\/messages$/,
    requestIdHeader: 'request-id',
    answers: script.map((answer) => ({
      blocks: answer.blocks.map(sourceOf).map(blockOf),
      frames: (options) => framesOf(answer, options),
    })),
    findWrongHeader,
    readHead: headInBody,
    history: messageHistory,
    isMessage,
    readMessages,
    verify: (messages, sent) => refusalOf(findWrongField(messages) ?? verifyMessages(messages, sent)),
    errorBody: ({ type, message }, requestId) => ({ type: 'error', error: { type, message }, request_id: requestId }),
  };
}

function findWrongHeader(headers: IncomingHttpHeaders): Refusal | null {
  // The client has sent either, depending on its version; the service says only this.
  const hasKey = headers['x-api-key'] || headers.authorization;
  if (!hasKey) return { status: 401, type: 'authentication_error', message: 'x-api-key header is required' };
  if (!headers['anthropic-version']) return invalidRequest('anthropic-version: header is required');
  return null;
}
