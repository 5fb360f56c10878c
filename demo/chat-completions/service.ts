import type { IncomingHttpHeaders } from 'node:http';
import { type Refusal, refusalOf } from '../messages.ts';
import { type ScriptedAnswer, type ScriptedBlock, script as usualScript } from '../script.ts';
import { headInBody, messageHistory, type Service } from '../service.ts';
import { verifyMessages } from '../verify.ts';
import { format, framesOf, placesOf } from './frames.ts';
import { answerBlocks, findMisuse, isMessage, readMessages } from './messages.ts';

/**
 * Makes a gateway that speaks chat completions with `reasoning_details`, and answers with a script.
 *
 * @see https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks
 */
export function createChatCompletionsService(script: readonly ScriptedAnswer[] = usualScript): Service {
  return {
    basePath: '/api/v1',
    endpoint: /^\/chat\/completions$/,
    requestIdHeader: 'x-request-id',
    answers: script.map((answer) => ({
      blocks: answerBlocks(JSON.stringify(messageOf(answer))),
      frames: (options) => framesOf(answer, options),
    })),
    findWrongHeader,
    readHead: headInBody,
    history: messageHistory,
    isMessage,
    readMessages,
    verify: (messages, sent) => refusalOf(findMisuse(messages) ?? verifyMessages(messages, sent)),
    errorBody: ({ type, message }) => ({ error: { message, type, code: null, param: null } }),
  };
}

/** The message of an answer, whole: what the fragments of its stream come to. */
export function messageOf(answer: ScriptedAnswer): object {
  const { blocks } = answer;
  const details = blocks.flatMap((block, index) => detailOf(block, placesOf(answer, index).detail) ?? []);
  const calls = blocks.flatMap((block) => callOf(block) ?? []);
  return {
    role: 'assistant',
    content: blocks.map((block) => (block.type === 'text' ? block.text : '')).join('') || null,
    reasoning: blocks.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    reasoning_details: details,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function detailOf(block: ScriptedBlock, index: number): object | undefined {
  if (block.type === 'redacted_thinking') return { type: 'reasoning.encrypted', data: block.data, format, index };
  if (block.type !== 'thinking') return undefined;
  return { type: 'reasoning.text', text: block.thinking, signature: block.signature, format, index };
}

function callOf(block: ScriptedBlock): object | undefined {
  if (block.type !== 'tool_use') return undefined;
  const { id, name, inputText } = block;
  return { id, type: 'function', function: { name, arguments: inputText } };
}

function findWrongHeader({ authorization = '' }: IncomingHttpHeaders): Refusal | null {
  if (/^Bearer \S/.test(authorization)) return null;
  return { status: 401, type: 'authentication_error', message: 'No auth credentials found' };
}
