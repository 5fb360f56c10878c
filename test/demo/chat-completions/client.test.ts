import { afterEach, describe, expect, test } from 'vitest';
import { createChatCompletionsClient } from '../../../demo/chat-completions/client.ts';
import { createChatCompletionsService, messageOf } from '../../../demo/chat-completions/service.ts';
import { createProvider, type Provider } from '../../../demo/provider.ts';
import { script } from '../../../demo/script.ts';
import { resultsOf, userOf } from '../histories.ts';

const started: Provider[] = [];
const { signal } = new AbortController();

afterEach(async () => {
  await Promise.all(started.splice(0).map((provider) => provider.close()));
});

describe('createChatCompletionsClient', () => {
  test('hands over the message of an answer whole', async () => {
    const { client } = await start();
    const { entries } = await client.send([userOf(client, 'Northern lights?')], signal).settled();
    const [first] = script;
    expect(entries).toEqual(first && [messageOf(first)]);
  });

  test('makes a tool message of each result', async () => {
    const { client } = await start();
    const turn = await client.send([userOf(client, 'Northern lights?')], signal).settled();
    expect(resultsOf(client, turn)).toEqual(
      turn.toolCalls.map(({ id }, at) => ({
        role: 'tool',
        tool_call_id: id,
        content: ['{"kp":4.7,"peak":"22:30"}', '{"21":80,"22":10,"23":10}'][at],
      })),
    );
    expect(turn.toolCalls).toHaveLength(2);
  });

  test('puts the fragments that came in the place of the details, as a mistake', async () => {
    const { client } = await start();
    const { entries } = await client.send([userOf(client, 'Northern lights?')], signal).settled();
    const [fragmented] = client.mistakes;
    const [answer = {}, other] = fragmented?.make([...entries, userOf(client, 'And?')]) ?? [];
    const { reasoning_details: details, ...rest } = withDetails(answer);
    expect(details?.length).toBeGreaterThan(50);
    expect(details?.[0]).toEqual({ type: 'reasoning.text', text: 'Two ', format: 'anthropic-claude-v1', index: 0 });
    const { reasoning_details: _details, ...message } = withDetails(entries[0] ?? {});
    expect(rest).toEqual(message);
    expect(other).toEqual(userOf(client, 'And?'));
  });

  test('leaves out every field of the reasoning, as a mistake', async () => {
    const { client } = await start();
    const { entries } = await client.send([userOf(client, 'Northern lights?')], signal).settled();
    const [answer = {}] = client.mistakes[1]?.make(entries) ?? [];
    expect(Object.keys(answer)).toEqual(['role', 'content', 'tool_calls']);
  });
});

/** The message with the gateway's own field, which the SDK does not know. */
function withDetails(message: object): { reasoning_details?: readonly unknown[] } {
  return { ...message };
}

async function start() {
  const provider = await createProvider({ service: createChatCompletionsService(), speed: 0 });
  started.push(provider);
  const access = { baseURL: provider.url, apiKey: 'local', model: 'claude-local', maxRetries: 0 };
  return { client: createChatCompletionsClient(access) };
}
