import { createHash } from 'node:crypto';
import { type Dialect, requireDialect } from '../core/dialect.ts';
import type { Finding } from '../core/finding.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import { checkRequest } from '../replay/check-request.ts';
import { answerBody, type Pace } from './answer-body.ts';
import type { Conversation } from './conversation.ts';
import { createFaultQueue, type Fault, type Faults } from './fault.ts';
import { createGivenTurns } from './given-turns.ts';
import { invalidRequest, type Refusal } from './refusal.ts';
import { type Scene, type Script, sceneOf } from './script.ts';
import { createSealer } from './sealer.ts';
import type { StrictService } from './service.ts';
import { serviceOf } from './services.ts';
import { createSpeaker } from './speaker.ts';
import { verifyConversation } from './verify.ts';

/** What a strict provider is made with. */
export interface StrictProviderOptions {
  /** What the model says. Its n-th turn answers a request with n − 1 turns of the model in it. */
  readonly script: Script;
  /** What signatures are made with; two providers with one secret take each other's. */
  readonly secret: string;
  /** Whether signatures are bound to all that stands before them in the request. True by default, as of newest models. */
  readonly bindPrefix?: boolean | undefined;
  /** The only model there is; by default whichever a request names. */
  readonly model?: string | undefined;
  /** Milliseconds before each chunk; 0 by default. */
  readonly pace?: number | undefined;
  /** Chunks of one event each, which is the default, or of as many bytes. */
  readonly chunking?: 'event' | number | undefined;
  /** What goes wrong, by the number of the turn. */
  readonly faults?: Faults | undefined;
}

/** A provider: takes what `fetch` takes, and answers as the real one would. It is a `fetch` for official clients. */
export type StrictProvider = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

/** A request that could be read. */
interface ReadRequest {
  readonly body: JsonObject;
  readonly model: string;
  readonly conversation: Conversation;
  readonly inputTokens: number;
}

/**
 * Makes a provider for tests that refuses what the real one refuses, in its words and with its status: what breaks a
 * rule of `checkRequest`; reasoning that was edited, moved, dropped, or whose prefix is another one than when it was
 * signed; calls that are not those it made.
 *
 * 1. It streams the turns of a script, byte for byte as the wire has them, at a pace and in any chunks.
 * 2. It signs reasoning with an HMAC over what is said and all that stands before it, and encrypts where the wire does.
 * 3. It is stricter than a real service where that would notice later, or never: a changed call is refused at once.
 * 4. It makes no connection, keeps its conversations in memory, and is deterministic.
 *
 * @example
 * ```ts
 * const provider = strictProvider(anthropic, {
 *   secret: 'any',
 *   script: [
 *     [{ reasoning: 'I have to look.' }, { call: 'weather', input: '{"city":"Harlow"}' }],
 *     [{ text: 'It rains in Harlow.' }],
 *   ],
 * });
 * const client = new Anthropic({ apiKey: 'any', fetch: provider });   // as fetch
 * http.post(url, ({ request }) => provider(request));                  // as a handler of msw
 * const { url, close } = await serveProvider(provider);                // as a server
 * ```
 *
 * @throws TypeError for a dialect that it does not speak, and for options that cannot be meant.
 */
export function strictProvider(dialect: Dialect, options: StrictProviderOptions): StrictProvider {
  requireDialect(dialect);
  const { script, secret, bindPrefix = true, model: onlyModel, faults = {} } = options;
  const service = serviceOf(dialect);
  const pace = paceOf(options);
  requireFaults(service, faults, dialect);
  const sealer = createSealer(secret, bindPrefix);
  const given = createGivenTurns();
  const nextFault = createFaultQueue(faults);
  let requests = 0;

  return async (input, init) => {
    const request = new Request(input, init);
    const untouched = request.clone();
    requests += 1;
    const requestId = `req_${idOf(secret, requests)}`;
    const read = await readRequest(request);
    if ('status' in read) return refuse(read, requestId);
    const { problem, chain } = verifyConversation(read.conversation, {
      sealer,
      given,
      needsReasoning: (unit, isOpen) => service.needsReasoning(unit, isOpen, read.model),
    });
    if (problem) return refuse(service.refusalOf(problem, read.model), requestId);
    const turnNumber = read.conversation.messages.filter(({ by }) => by === 'model').length + 1;
    const fault = nextFault(turnNumber);
    if (fault?.type === 'status') return refuse(failureOf(fault), requestId);
    const scene = await sceneFor(untouched, turnNumber);
    if (!scene) return refuse(invalidRequest(`The script has no turn ${turnNumber}.`), requestId);
    const turn = createHash('sha256').update(`${secret}\n${requests}\n${chain.place.prefix}`).digest();
    const speaker = createSpeaker(turn.subarray(0, 9).toString('base64'), chain, sealer);
    const events = service.answer(scene, speaker, { ...read, id: turn.toString('hex').slice(0, 24) });
    given.remember(speaker);
    return respond(events, fault, requestId, request.signal);
  };

  async function readRequest(request: Request): Promise<ReadRequest | Refusal> {
    const url = new URL(request.url);
    if (request.method !== 'POST' || !service.endpoint.test(url.pathname)) {
      return { status: 404, type: 'not_found_error', message: `${request.method} ${url.pathname} is not found` };
    }
    const wrongHeader = service.findWrongHeader(request.headers);
    if (wrongHeader) return wrongHeader;
    const text = await request.text();
    const body = parseBody(text);
    if (!body) return invalidRequest('The request body is not valid JSON');
    const { model, isStreaming } = service.headOf(url, body);
    if (typeof model !== 'string') return invalidRequest('model: Field required');
    if (onlyModel !== undefined && model !== onlyModel) {
      return { status: 404, type: 'not_found_error', message: `model: ${model}` };
    }
    const missing = service.required.find((name) => body[name] === undefined);
    if (missing !== undefined) return invalidRequest(`${missing}: Field required`);
    if (!isStreaming) return invalidRequest('stream: this provider only streams');
    const unserved = service.findUnserved?.(body, model);
    if (unserved) return unserved;
    const wrong = findWrong({ ...body, model });
    if (wrong) return service.refusalOfFinding(wrong);
    return { body, model, conversation: service.conversationOf(body), inputTokens: Math.ceil(text.length / 4) };
  }

  function findWrong(body: JsonObject): Finding | undefined {
    for (const finding of checkRequest(body, dialect)) {
      if (finding.severity === 'error') return finding;
      const message = service.alsoRefused.get(finding.code);
      if (message !== undefined) return { ...finding, message };
    }
    return undefined;
  }

  async function sceneFor(request: Request, turnNumber: number): Promise<Scene | undefined> {
    const turn = typeof script === 'function' ? await script(request, turnNumber) : script[turnNumber - 1];
    return turn && sceneOf(turn);
  }

  function refuse(refusal: Refusal, requestId: string): Response {
    const headers = new Headers({ 'content-type': 'application/json', ...idHeader(service, requestId) });
    if (refusal.retryAfter !== undefined) headers.set('retry-after', String(refusal.retryAfter));
    const body = JSON.stringify(service.errorBody(refusal, requestId));
    return new Response(body, { status: refusal.status, headers });
  }

  function respond(
    events: readonly string[],
    fault: Fault | undefined,
    requestId: string,
    signal: AbortSignal,
  ): Response {
    const body = answerBody(events, pace, fault, (count) => service.errorEvent(requestId, count), signal);
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
    return new Response(body, { headers: { ...headers, ...idHeader(service, requestId) } });
  }
}

function idHeader({ requestIdHeader }: StrictService, requestId: string): Record<string, string> {
  return requestIdHeader === undefined ? {} : { [requestIdHeader]: requestId };
}

function idOf(secret: string, count: number): string {
  return createHash('sha256').update(`${secret}\nrequest ${count}`).digest('hex').slice(0, 24);
}

function parseBody(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const failures: Readonly<Record<number, readonly [type: string, message: string]>> = {
  429: ['rate_limit_error', 'This request would exceed the rate limit. Please try again later.'],
  500: ['api_error', 'Internal server error'],
  503: ['overloaded_error', 'The model is overloaded. Please try again later.'],
  529: ['overloaded_error', 'Overloaded'],
};

function failureOf({ status, retryAfter }: Extract<Fault, { type: 'status' }>): Refusal {
  const [type, message] = failures[status] ?? ['api_error', `Failed with status ${status}`];
  return { status, type, message, retryAfter };
}

function paceOf({ pace = 0, chunking = 'event' }: StrictProviderOptions): Pace {
  if (!(pace >= 0)) throw new TypeError(`pace must be milliseconds from 0 up, got ${String(pace)}.`);
  if (chunking !== 'event' && !(Number.isInteger(chunking) && chunking > 0)) {
    throw new TypeError(`chunking must be 'event' or a number of bytes from 1 up, got ${String(chunking)}.`);
  }
  return { pace, chunking };
}

function requireFaults({ hasStart }: StrictService, faults: Faults, { name }: Dialect): void {
  const all = Object.values(faults).flat() as Fault[];
  if (hasStart || !all.some(({ type }) => type === 'repeated_start')) return;
  throw new TypeError(`The wire of ${name} has no event that starts a turn, so none can be repeated.`);
}
