import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { framesOf } from './frames.ts';
import { invalidRequest, type MessagesRequest, type Refusal, readRequest } from './request.ts';
import { script as defaultScript, type ScriptedAnswer, sourceOf } from './script.ts';
import { type BlockReport, compareBlocks, verifyMessages } from './verify.ts';

/** What the local provider found in one request. */
export interface RequestReport {
  /** The blocks of the assistant messages that came back. */
  readonly blocks: readonly BlockReport[];
  /** Why the request is refused; null if it is accepted. */
  readonly refusal: Refusal | null;
}

/** What the local provider can be told. */
export interface ProviderOptions {
  /** What it answers; the n-th answer goes to a request with n assistant messages before it, the last one to longer ones. */
  readonly script?: readonly ScriptedAnswer[];
  /** How many times faster than a model it writes; 0 for without any pause. 1 by default. */
  readonly speed?: number;
  /** Told of each request that could be read, before it is answered. */
  readonly onRequest?: (report: RequestReport) => void;
}

/** An Anthropic-compatible service on this machine. */
export interface Provider {
  /** Its address, for the client's `baseURL`. */
  readonly url: string;
  /** Stops it and closes every connection, those in the middle of an answer too. */
  close(): Promise<void>;
}

/** Far more than the demo sends, and too little to matter. */
const maxBodyLength = 1024 * 1024;

/**
 * Starts a local provider on a free port of 127.0.0.1.
 *
 * 1. It answers `POST /v1/messages` with the script's answers, as an event stream at a model's pace.
 * 2. It remembers each answer, block by block, and refuses a request in which one was dropped, edited or moved, with
 *    the provider's status, error shape and sentence.
 * 3. A client that hangs up ends its answer at once.
 */
export async function createProvider(options: ProviderOptions = {}): Promise<Provider> {
  const { script = defaultScript, speed = 1, onRequest } = options;
  const sources = script.map(({ blocks }) => blocks.map(sourceOf));
  let given = 0;
  let requests = 0;

  const server = createServer((request, response) => {
    requests += 1;
    const requestId = `req_demo_${String(requests).padStart(2, '0')}`;
    response.setHeader('request-id', requestId);
    // A client that hangs up makes reading and waiting fail; nobody is left to be told.
    serve(request, response, requestId).catch(() => response.destroy());
  });
  const url = await listen(server);
  return { url, close: () => close(server) };

  async function serve(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
    const refusal = findWrongHeader(request);
    const body = refusal ?? (await readBody(request));
    const read = typeof body === 'string' ? readRequest(body) : body;
    if (isRefusal(read)) return refuse(response, read, requestId);
    const verdict = verify(read);
    if (verdict) return refuse(response, verdict, requestId);
    await answer(response, read);
  }

  function verify({ messages }: MessagesRequest): Refusal | null {
    const sent = sources.slice(0, given);
    const refusal = verifyMessages(messages, sent);
    onRequest?.({ blocks: compareBlocks(messages, sent), refusal });
    return refusal;
  }

  async function answer(response: ServerResponse, { model, messages }: MessagesRequest): Promise<void> {
    const turns = messages.filter(({ role }) => role === 'assistant').length;
    const index = Math.min(turns, script.length - 1);
    const scripted = script[index];
    if (!scripted) throw new RangeError('The script of the local provider has no answers');
    given = Math.max(given, index + 1);
    const inputTokens = messages.flatMap(({ content }) => content).reduce((sum, { source }) => sum + source.length, 0);
    const frames = framesOf(scripted, { model, inputTokens: Math.ceil(inputTokens / 4) });

    const hangUp = new AbortController();
    response.once('close', () => hangUp.abort());
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    response.flushHeaders();
    for (const { text, delay } of frames) {
      if (speed > 0 && delay > 0) await wait(delay / speed, undefined, { signal: hangUp.signal });
      response.write(text);
    }
    response.end();
  }
}

function findWrongHeader({ method, url = '', headers }: IncomingMessage): Refusal | null {
  const { pathname } = new URL(url, 'http://127.0.0.1');
  if (method !== 'POST' || pathname !== '/v1/messages') {
    return { status: 404, type: 'not_found_error', message: `${method} ${pathname} is not found` };
  }
  // The client has sent either, depending on its version; the service says only this.
  const hasKey = headers['x-api-key'] || headers.authorization;
  if (!hasKey) return { status: 401, type: 'authentication_error', message: 'x-api-key header is required' };
  if (!headers['anthropic-version']) return invalidRequest('anthropic-version: header is required');
  return null;
}

async function readBody(request: IncomingMessage): Promise<string | Refusal> {
  let body = '';
  request.setEncoding('utf8');
  // Read to its end even if it is too long: a client that is cut off while it sends never sees the answer.
  for await (const text of request) if (body.length <= maxBodyLength) body += String(text);
  return body.length > maxBodyLength ? tooLarge : body;
}

const tooLarge: Refusal = { status: 413, type: 'request_too_large', message: 'Request exceeds the maximum size' };

function isRefusal(value: MessagesRequest | Refusal): value is Refusal {
  return 'status' in value;
}

function refuse(response: ServerResponse, { status, type, message }: Refusal, requestId: string): void {
  // What is left of a body that was not read would otherwise be taken for the next request.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ type: 'error', error: { type, message }, request_id: requestId }));
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`Expected a TCP address, got ${address}`);
  return `http://127.0.0.1:${address.port}`;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
