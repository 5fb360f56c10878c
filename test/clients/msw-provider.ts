import { http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** A provider inside this process, whom no other tests see. */
export interface MswProvider {
  /**
   * Answers all requests of the running test.
   *
   * @param respond Called for each request.
   * @returns The bodies of the requests so far, in order.
   */
  answerWith(respond: () => Response): readonly string[];
}

/**
 * Starts one for the tests of a file; it is gone behind them. A request to any other address fails.
 *
 * @param url Where it takes requests.
 */
export function useMswProvider(url: string | RegExp): MswProvider {
  const server = setupServer();
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());
  return {
    answerWith(respond) {
      const bodies: string[] = [];
      const handler = http.post(url, async ({ request }) => {
        bodies.push(await request.text());
        return respond();
      });
      server.use(handler);
      return bodies;
    },
  };
}

/** An answer that is all there. */
export function eventStream(body: Uint8Array | string): Response {
  return new Response(typeof body === 'string' ? body : new Uint8Array(body), {
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
  });
}
