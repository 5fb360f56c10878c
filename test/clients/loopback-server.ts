import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';

/** One request, whose answer the test writes piece by piece. */
export interface Exchange {
  /** The body of the request. */
  readonly body: string;
  /** Sends status and headers; an event stream with status 200, if nothing else is said. */
  head(status?: number, headers?: OutgoingHttpHeaders): void;
  /**
   * Sends a piece as one chunk of the chunked encoding; settles a moment after it has left, or cannot any more: a client
   * joins what it has not read yet.
   */
  send(piece: string | Uint8Array): Promise<void>;
  /** Ends the answer. */
  end(): void;
  /** Destroys the connection in the middle of the answer. */
  cut(): void;
  /** Settles when the answer is ended or its connection gone. */
  readonly closed: Promise<void>;
}

/** A provider on 127.0.0.1 that answers as the test wishes, and nothing by itself. */
export interface LoopbackServer {
  readonly url: string;
  /** Connections that are open now. */
  readonly openSockets: number;
  /** The next request that comes, or has come and was not asked for yet. */
  nextExchange(): Promise<Exchange>;
  /** Stops it, and cuts what is still open. */
  close(): Promise<void>;
}

/** Starts a server on a free port. */
export async function startLoopbackServer(): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  const arrived: Exchange[] = [];
  const waiting: ((exchange: Exchange) => void)[] = [];
  const server = createServer(async (request, response) => {
    const exchange = createExchange(await readBody(request), response);
    const first = waiting.shift();
    if (first) first(exchange);
    else arrived.push(exchange);
  });
  server.on('connection', (socket) => {
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    get openSockets() {
      return sockets.size;
    },
    nextExchange() {
      const first = arrived.shift();
      return first ? Promise.resolve(first) : new Promise((resolve) => waiting.push(resolve));
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function createExchange(body: string, response: ServerResponse): Exchange {
  // A client that goes away in the middle is what is tested, and no failure of the server.
  response.on('error', () => {});
  return {
    body,
    head(status = 200, headers = {}) {
      response.writeHead(status, { 'content-type': 'text/event-stream', ...headers });
      response.flushHeaders();
    },
    async send(piece) {
      await new Promise<void>((resolve) => response.write(piece, () => resolve()));
      await nextRound();
    },
    end() {
      response.end();
    },
    cut() {
      response.destroy();
    },
    closed: new Promise((resolve) => response.once('close', resolve)),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  request.setEncoding('utf8');
  for await (const piece of request) body += String(piece);
  return body;
}
