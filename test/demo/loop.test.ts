import { afterEach, describe, expect, test } from 'vitest';
import { createClient } from '../../demo/client.ts';
import { ask, type Conversation, converse, onlyToolCalls } from '../../demo/loop.ts';
import { createProvider, type Provider, type ProviderOptions, type RequestReport } from '../../demo/provider.ts';
import type { UiEvent } from '../../src/index.ts';

const started: Provider[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((provider) => provider.close()));
});

describe('converse', () => {
  test('sends every block back as it came, and all results in one message', async () => {
    const { conversation, reports } = await start();
    const { turn, firstReplay } = await converse(conversation, 'Northern lights?');
    expect(turn).toMatchObject({ status: 'complete', turnId: 'msg_demo_02', stopReason: 'end_turn' });
    expect(reports.map(({ refusal }) => refusal)).toEqual([null, null]);
    expect(reports[1]?.blocks.map(({ isEqual }) => isEqual)).toEqual(Array(7).fill(true));
    expect(firstReplay?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(firstReplay?.[2]?.content).toMatchObject([
      { type: 'tool_result', tool_use_id: 'toolu_demo_aurora', content: '{"kp":4.7,"peak":"22:30"}' },
      { type: 'tool_result', tool_use_id: 'toolu_demo_clouds' },
    ]);
  });

  test('ends with what arrived when it is stopped in the middle of an answer', async () => {
    const stop = new AbortController();
    const { conversation, reports } = await start({ speed: 20 });
    const show = async (events: AsyncIterable<UiEvent>): Promise<void> => {
      for await (const { type } of events) if (type === 'reasoning_delta') stop.abort();
    };
    const { turn, firstReplay } = await converse({ ...conversation, signal: stop.signal, show }, 'Northern lights?');
    expect(turn).toMatchObject({ status: 'aborted', entries: [], toolCalls: [] });
    expect(turn.blocks[0]?.state).toBe('cut');
    expect(firstReplay).toBeUndefined();
    expect(reports).toHaveLength(1);
  });
});

describe('ask', () => {
  test('reports a refusal with the sentence of the provider', async () => {
    const { conversation } = await start();
    const { firstReplay = [] } = await converse(conversation, 'Northern lights?');
    const { status, error } = await ask(conversation, onlyToolCalls(firstReplay));
    expect(status).toBe('failed');
    expect(error).toMatchObject({
      code: 'http_status',
      status: 400,
      message: expect.stringContaining('messages.1.content.0.type: Expected `thinking` or `redacted_thinking`'),
    });
  });

  test('reports a service that cannot be reached', async () => {
    const { conversation } = await start();
    await Promise.all(started.splice(0).map((provider) => provider.close()));
    const { status, error } = await ask(conversation, [{ role: 'user', content: 'Northern lights?' }]);
    expect(status).toBe('failed');
    expect(error).toMatchObject({ code: 'transport' });
  });
});

describe('onlyToolCalls', () => {
  test('keeps what was not an answer', () => {
    const calls = onlyToolCalls([
      { role: 'user', content: 'Why?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'a' },
          { type: 'tool_use', id: 'b', name: 'c', input: {} },
        ],
      },
    ]);
    expect(calls).toEqual([
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'b', name: 'c', input: {} }] },
    ]);
  });
});

async function start(options: ProviderOptions = {}) {
  const reports: RequestReport[] = [];
  const provider = await createProvider({ speed: 0, onRequest: (report) => reports.push(report), ...options });
  started.push(provider);
  const client = createClient({ baseURL: provider.url, apiKey: 'local', authToken: null, maxRetries: 0 });
  const { signal } = new AbortController();
  const conversation: Conversation = { client, model: 'claude-local', signal, show: async () => undefined };
  return { conversation, reports };
}
