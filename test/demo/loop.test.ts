import { afterEach, describe, expect, test } from 'vitest';
import { anthropicWire } from '../../demo/anthropic/wire.ts';
import { chatCompletionsWire } from '../../demo/chat-completions/wire.ts';
import { geminiWire } from '../../demo/gemini/wire.ts';
import { ask, type Conversation, converse } from '../../demo/loop.ts';
import { createProvider, type Provider, type RequestReport } from '../../demo/provider.ts';
import { responsesWire } from '../../demo/responses/wire.ts';
import type { Wire } from '../../demo/wire.ts';
import type { UiEvent } from '../../src/index.ts';
import { userOf } from './histories.ts';

const started: Provider[] = [];
const question = 'Northern lights?';

afterEach(async () => {
  await Promise.all(started.splice(0).map((provider) => provider.close()));
});

loopOf('anthropic', anthropicWire, 'msg_demo_02');
loopOf('chat completions', chatCompletionsWire, 'gen-msg_demo_02');
loopOf('responses', responsesWire, 'resp_demo_02');
loopOf('gemini', geminiWire, 'demo_02');

function loopOf<Entry>(name: string, wire: Wire<Entry>, lastId: string): void {
  const { answers } = wire.service;

  describe(`converse: ${name}`, () => {
    test('sends every block back as it came', async () => {
      const { conversation, reports } = await start(wire);
      const { turn } = await converse(conversation, question);
      expect(turn).toMatchObject({ status: 'complete', turnId: lastId });
      expect(reports.map(({ refusal }) => refusal)).toEqual([null, null]);
      expect(reports[1]?.blocks.map(({ match }) => match)).toEqual(answers[0]?.blocks.map(() => 'equal'));
    });

    test('ends with what arrived when it is stopped in the middle of an answer', async () => {
      const stop = new AbortController();
      const { conversation, reports } = await start(wire, 20);
      const show = async (events: AsyncIterable<UiEvent>): Promise<void> => {
        for await (const { type } of events) if (type === 'reasoning_delta') stop.abort();
      };
      const { turn, firstReplay } = await converse({ ...conversation, signal: stop.signal, show }, question);
      expect(turn).toMatchObject({ status: 'aborted', entries: [], toolCalls: [] });
      expect(turn.blocks[0]?.state).toBe('cut');
      expect(firstReplay).toBeUndefined();
      expect(reports).toHaveLength(1);
    });
  });

  describe(`ask: ${name}`, () => {
    test('reports the refusal of each mistake with the sentence of the provider', async () => {
      const { conversation, reports } = await start(wire);
      const { firstReplay = [] } = await converse(conversation, question);
      const { mistakes } = conversation.client;
      for (const { make } of mistakes) {
        const { status, error } = await ask(conversation, make(firstReplay));
        expect(status).toBe('failed');
        const sentence = reports.at(-1)?.refusal?.message ?? 'none';
        expect(error).toMatchObject({ code: 'http_status', status: 400, message: expect.stringContaining(sentence) });
      }
      expect(reports.slice(2)).toHaveLength(mistakes.length);
    });

    test('reports a service that cannot be reached', async () => {
      const { conversation } = await start(wire);
      await Promise.all(started.splice(0).map((provider) => provider.close()));
      const { status, error } = await ask(conversation, [userOf(conversation.client, question)]);
      expect(status).toBe('failed');
      expect(error).toMatchObject({ code: 'transport' });
    });
  });
}

async function start<Entry>({ service, connect }: Wire<Entry>, speed = 0) {
  const reports: RequestReport[] = [];
  const provider = await createProvider({ service, speed, onRequest: (report) => void reports.push(report) });
  started.push(provider);
  const client = connect({ baseURL: provider.url, apiKey: 'local', model: 'claude-local', maxRetries: 0 });
  const { signal } = new AbortController();
  const conversation: Conversation<Entry> = { client, signal, show: async () => undefined };
  return { conversation, reports };
}
