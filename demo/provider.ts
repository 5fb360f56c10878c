import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type BlockReport, compareBlocks } from './compare.ts';
import type { Refusal } from './messages.ts';
import { type ChatRequest, readRequest } from './request.ts';
import type { Service } from './service.ts';

/** What the local provider found in one request. */
export interface RequestReport {
  /** The blocks of the assistant messages that came back. */
  readonly blocks: readonly BlockReport[];
  /** Why the request is refused; null if it is accepted. */
  readonly refusal: Refusal | null;
}

/** What the local provider can be told. */
export interface ProviderOptions {
  /** What it speaks; its n-th answer goes to a request with n assistant messages before it, the last one to longer ones. */
  readonly service: Service;
  /** How many times faster than a model it writes; 0 for without any pause. 1 by default. */
  readonly speed?: number;
  /** Told of each request that could be read, before it is answered. */
  readonly onRequest?: (report: RequestReport) => void;
}

/** A model provider on this machine. */
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
 * 1. It answers with the answers of its service, as an event stream at a model's pace.
 * 2. It remembers each answer, block by block, and refuses a request in which one was dropped, edited or moved, with
 *    the status, error shape and sentence of the real one.
 * 3. A client that hangs up ends its answer at once.
 */
export async function createProvider({ service, speed = 1, onRequest }: ProviderOptions): Promise<Provider> {
  const { answers } = service;
  let given = 0;
  let requests = 0;

  const server = createServer((request, response) => {
    requests += 1;
    const requestId = `req_demo_${String(requests).padStart(2, '0')}`;
    if (service.requestIdHeader) response.setHeader(service.requestIdHeader, requestId);
    // A client that hangs up makes reading and waiting fail; nobody is left to be told.
    serve(request, response, requestId).catch(() => response.destroy());
  });
  const url = await listen(server);
  return { url: `${url}${service.basePath}`, close: () => close(server) };

  async function serve(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
    const address = new URL(request.url ?? '', 'http://127.0.0.1');
    const refusal = findWrongAddress(request.method, address, service) ?? service.findWrongHeader(request.headers);
    const body = refusal ?? (await readBody(request));
    const read = typeof body === 'string' ? readRequest(address, body, service) : body;
    if (isRefusal(read)) return refuse(response, read, service.errorBody(read, requestId));
    const verdict = verify(read);
    if (verdict) return refuse(response, verdict, service.errorBody(verdict, requestId));
    await answer(response, read);
  }

  function verify({ messages }: ChatRequest): Refusal | null {
    const sent = answers.slice(0, given).map(({ blocks }) => blocks);
    const refusal = service.verify(messages, sent);
    onRequest?.({ blocks: compareBlocks(messages, sent), refusal });
    return refusal;
  }

  async function answer(response: ServerResponse, { model, messages }: ChatRequest): Promise<void> {
    const turns = messages.filter(({ role }) => role === 'assistant').length;
    const index = Math.min(turns, answers.length - 1);
    const scripted = answers[index];
    if (!scripted) throw new RangeError('The service of the local provider has no answers');
    given = Math.max(given, index + 1);
    const inputTokens = messages.flatMap(({ content }) => content).reduce((sum, { source }) => sum + source.length, 0);
    const frames = scripted.frames({ model, inputTokens: Math.ceil(inputTokens / 4) });

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

function findWrongAddress(
  method: string | undefined,
  { pathname }: URL,
  { basePath, endpoint }: Service,
): Refusal | null {
  const isBelow = pathname.startsWith(basePath);
  if (method === 'POST' && isBelow && endpoint.test(pathname.slice(basePath.length))) return null;
  return { status: 404, type: 'not_found_error', message: `${method} ${pathname} is not found` };
}

async function readBody(request: IncomingMessage): Promise<string | Refusal> {
  let body = '';
  request.setEncoding('utf8');
  // Read to its end even if it is too long: a client that is cut off while it sends never sees the answer.
  for await (const text of request) if (body.length <= maxBodyLength) body += String(text);
  return body.length > maxBodyLength ? tooLarge : body;
}

const tooLarge: Refusal = { status: 413, type: 'request_too_large', message: 'Request exceeds the maximum size' };

function isRefusal(value: ChatRequest | Refusal): value is Refusal {
  return 'status' in value;
}

function refuse(response: ServerResponse, { status }: Refusal, body: object): void {
  // What is left of a body that was not read would otherwise be taken for the next request.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify(body));
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
