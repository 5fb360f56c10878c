import { http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { serveProvider, strictProvider } from '../../src/testing.ts';
import { longScript, runLoop } from './loop.ts';
import { anthropicSide, deepseekSide, gatewaySide, geminiSide, responsesSide, type Side } from './sides.ts';

const secret = 'long loops';
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function itRuns<Entry, Item>(side: Side<Entry, Item>): void {
  test('goes through 100 cycles by the official client without a refusal', async () => {
    const provider = strictProvider(side.dialect, { secret, script: longScript(100), chunking: 97 });
    server.use(http.post(side.url.replace(/\?.*/, ''), ({ request }) => provider(request)));
    const { last, transcript } = await runLoop(side, {}, 101);
    expect(last).toMatchObject({ type: 'loop_stop', reason: 'done', turns: 101 });
    expect(transcript.reports).toHaveLength(101);
  }, 60_000);

  test('goes through 12 cycles with the provider as the fetch of the client', async () => {
    const provider = strictProvider(side.dialect, { secret, script: longScript(12), bindPrefix: false });
    const { last } = await runLoop(side, { fetch: provider }, 13);
    expect(last).toMatchObject({ type: 'loop_stop', reason: 'done', turns: 13 });
  });

  test('goes through 100 cycles on loopback', async () => {
    const provider = strictProvider(side.dialect, { secret, script: longScript(100) });
    const { url, close } = await serveProvider(provider);
    const { last } = await runLoop(side, { url }, 101).finally(close);
    expect(last).toMatchObject({ type: 'loop_stop', reason: 'done', turns: 101 });
  }, 60_000);
}

describe('the tool loop over Anthropic', () => itRuns(anthropicSide));
describe('the tool loop over chat completions with reasoning_details', () => itRuns(gatewaySide));
describe('the tool loop over chat completions with reasoning_content', () => itRuns(deepseekSide));
describe('the tool loop over Responses', () => itRuns(responsesSide));
describe('the tool loop over Gemini', () => itRuns(geminiSide));
