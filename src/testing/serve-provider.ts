import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { StrictProvider } from './strict-provider.ts';

/** A provider that listens. */
export interface ServedProvider {
  /** Its address, on the loopback interface alone. */
  readonly url: string;
  /** Stops it, and closes every connection, those in the middle of an answer too. */
  close(): Promise<void>;
}

/**
 * Serves a provider on a free port of 127.0.0.1, for clients whose `fetch` cannot be replaced.
 *
 * A client that hangs up aborts the signal of its request.
 *
 * @example
 * ```ts
 * const { url, close } = await serveProvider(strictProvider(anthropic, { script, secret }));
 * const client = new Anthropic({ apiKey: 'any', baseURL: url });
 * ```
 */
export async function serveProvider(provider: StrictProvider): Promise<ServedProvider> {
  const server = createServer((incoming, outgoing) => {
    // A client that hangs up makes reading and writing fail; nobody is left to be told.
    serve(provider, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`Expected a TCP address, got ${address}`);
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(provider: StrictProvider, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const hangUp = new AbortController();
  outgoing.once('close', () => hangUp.abort());
  const response = await provider(await requestOf(incoming, hangUp.signal));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  if (!response.body) return void outgoing.end();
  await pipeline(Readable.fromWeb(response.body as NodeReadableStream<Uint8Array>), outgoing);
}

async function requestOf(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const parts: Uint8Array[] = [];
  for await (const part of incoming) parts.push(part as Uint8Array);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, [value].flat().join(', '));
  const { method = 'GET', url = '/' } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url, 'http://127.0.0.1'), {
    method,
    headers,
    signal,
    ...(hasBody && { body: Buffer.concat(parts) }),
  });
}
