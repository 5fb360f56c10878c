import type { Finding } from '../../core/finding.ts';
import type { JsonObject } from '../../core/json-object.ts';
import type { Unit } from '../conversation.ts';
import { namedEvent } from '../pieces.ts';
import { invalidRequest, type Refusal } from '../refusal.ts';
import type { StrictService } from '../service.ts';
import type { Problem } from '../verify.ts';
import { conversationOf } from './conversation.ts';
import { framesOf } from './frames.ts';
import { speakItem } from './items.ts';

/** OpenAI's Responses from the side of the provider; a response cannot be gone on with by its id. */
export const responsesService: StrictService = {
  endpoint: /\/responses$/,
  requestIdHeader: 'x-request-id',
  required: ['input'],
  alsoRefused: new Map(),
  hasStart: true,
  // The service keeps the two together by the id of an item; without one it is only noticed in an open cycle.
  needsReasoning: ({ kind, itemId }, isOpen) => itemId !== undefined || (kind === 'call' && isOpen),
  findWrongHeader,
  findUnserved,
  headOf: (_url, { model, stream }) => ({ model, isStreaming: stream === true }),
  conversationOf,
  answer({ blocks, stopReason }, speaker, context) {
    const { include } = context.body;
    const isSealed = Array.isArray(include) && include.includes('reasoning.encrypted_content');
    const items = blocks.map((block, at) => speakItem(block, speaker, `${context.id}${at}`, isSealed));
    return framesOf(items, stopReason === 'completed' ? undefined : stopReason, context);
  },
  refusalOf,
  refusalOfFinding,
  errorBody: ({ type, message, param = null, code = null }) => ({ error: { message, type, param, code } }),
  errorEvent: (_requestId, sequence_number) =>
    namedEvent({
      type: 'error',
      code: 'server_error',
      message: 'The server had an error while processing your request. Sorry about that!',
      param: null,
      sequence_number,
    }),
};

function findWrongHeader(headers: Headers): Refusal | undefined {
  if (/^Bearer \S/.test(headers.get('authorization') ?? '')) return undefined;
  const message = "You didn't provide an API key. You need to provide your API key in an Authorization header.";
  return { status: 401, type: 'invalid_request_error', message };
}

function findUnserved({ previous_response_id: id }: JsonObject): Refusal | undefined {
  if (id === undefined || id === null) return undefined;
  const message = `Previous response with id '${String(id)}' not found.`;
  return { ...invalidRequest(message), param: 'previous_response_id', code: 'previous_response_not_found' };
}

/** Some findings name the status that the service answers with. */
function refusalOfFinding({ path, message }: Finding): Refusal {
  const [, status, sentence] = /^(\d{3}): (.*)$/s.exec(message) ?? [undefined, '400', message];
  return { ...invalidRequest(sentence ?? message), status: Number(status), param: path };
}

function refusalOf(problem: Problem): Refusal {
  const { type, unit } = problem;
  if (problem.type === 'reasoning_missing') {
    const message = `${named(unit)} without its required 'reasoning' item: '${problem.missing.itemId}'.`;
    return { ...invalidRequest(message), param: 'input' };
  }
  if (type === 'item_id') return unverified(unit, 'Encrypted content item_id did not match the target item id.');
  if (unit.kind === 'reasoning' && unit.seal === undefined) return notFound(unit);
  if (unit.kind === 'reasoning') return unverified(unit, 'Encrypted content could not be decrypted or parsed.');
  return { ...invalidRequest(`${named(unit)} that is not in the response it is from.`), param: unit.path };
}

function named({ itemId, id, content }: Unit): string {
  return `Item '${itemId ?? id}' of type '${String(content['type'])}' was provided`;
}

function unverified({ itemId, seal = '' }: Unit, reason: string): Refusal {
  const subject = itemId === undefined ? `${seal.slice(0, 4)}...${seal.slice(-4)}` : `for item ${itemId}`;
  const message = `The encrypted content ${subject} could not be verified. Reason: ${reason}`;
  return { ...invalidRequest(message), code: 'invalid_encrypted_content' };
}

function notFound({ itemId }: Unit): Refusal {
  return { ...invalidRequest(`Item with id '${itemId}' not found.`), status: 404, param: 'input' };
}
