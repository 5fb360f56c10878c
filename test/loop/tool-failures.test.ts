import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Tools } from '../../src/index.ts';
import { call, messageEnd, text } from '../dialects/anthropic/wire-events.ts';
import { answer, gist, type Loop, play, resultsIn } from './scripted-loop.ts';

const done = answer('msg_2', text(0, 'Low.'), messageEnd());

/** Plays a turn with one call and these tools, and returns what the model is told. */
async function told(tools: Tools, options: Partial<Loop> = {}, input = '{"port": "Harlow"}'): Promise<unknown> {
  const turn = answer('msg_1', call(0, { name: 'tide', id: 'toolu_a' }, input), messageEnd('tool_use'));
  const { sent } = await play([turn, done], { tools, ...options });
  return resultsIn(sent[1] ?? [])[0];
}

describe('what goes wrong with a tool is told to the model', () => {
  test.each<[string, Tools, Partial<Loop>, string]>([
    ['an error that it throws', { tide: () => Promise.reject(new Error('no such port')) }, {}, 'no such port'],
    ['something else that it throws', { tide: () => Promise.reject('gone') }, {}, 'gone'],
    ['a name that does not exist', { wind: () => '' }, {}, 'There is no tool tide. There are: wind.'],
    ['a name of the language', {}, {}, 'There is no tool tide. There are: .'],
    [
      'a tool that takes too long',
      { tide: { run: () => new Promise(() => {}), timeout: 5 } },
      {},
      'The tool tide took longer than 5 ms and was stopped.',
    ],
    [
      'one that takes longer than the loop allows',
      { tide: () => new Promise(() => {}) },
      { toolTimeout: 5 },
      'The tool tide took longer than 5 ms and was stopped.',
    ],
    ['a refused approval', { tide: () => 'low' }, { approve: () => false }, 'The call was not approved.'],
    [
      'an approval refused for a reason',
      { tide: () => 'low' },
      { approve: async () => ({ reason: 'Not on a Sunday.' }) },
      'Not on a Sunday.',
    ],
    [
      'an input that its schema does not allow',
      { tide: { run: () => 'low', schema: z.object({ port: z.literal('Fleet') }) } },
      {},
      'The input does not fit the tool: port: ',
    ],
  ])('%s', async (_what, tools, options, message) => {
    expect(await told(tools, options)).toEqual({
      type: 'tool_result',
      tool_use_id: 'toolu_a',
      content: expect.stringContaining(message),
      is_error: true,
    });
  });

  test('an input that is no JSON, without the tool being run', async () => {
    let runs = 0;
    const tools = { tide: () => (runs += 1) };
    expect(await told(tools, {}, '{"port": "Har')).toMatchObject({ tool_use_id: 'toolu_a', is_error: true });
    expect(runs).toBe(0);
  });

  test('the tool gets the signal that its time is over', async () => {
    let isAborted = false;
    const run = (_input: never, { signal }: { signal: AbortSignal }): Promise<string> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isAborted = true;
          reject(new Error('stopped'));
        });
      });
    await told({ tide: { run, timeout: 5 } });
    expect(isAborted).toBe(true);
  });
});

describe('the schema of a tool', () => {
  test('may change the input', async () => {
    const schema = z.object({ port: z.string().transform((port) => port.toUpperCase()) });
    const tools = { tide: { run: ({ port }: { port: string }) => port, schema } };
    expect(await told(tools)).toMatchObject({ content: 'HARLOW' });
  });
});

describe('an approval', () => {
  test('is waited for, with the call and the signal', async () => {
    const seen: unknown[] = [];
    const approve: Loop['approve'] = async (asked, { signal, turnNumber }) => {
      await new Promise((resolve) => setTimeout(resolve, 3));
      seen.push([asked.name, asked.inputText, signal.aborted, turnNumber]);
      return true;
    };
    expect(await told({ tide: () => 'low' }, { approve })).toMatchObject({ content: 'low' });
    expect(seen).toEqual([['tide', '{"port": "Harlow"}', false, 1]]);
  });
});

describe('concurrency', () => {
  test('bounds how many tools run at once, and keeps the order of the results', async () => {
    const calls = [0, 1, 2, 3, 4].map((n) => call(n, { name: 'tide', id: `toolu_${n}` }, `{"n":${n}}`));
    const turn = answer('msg_1', ...calls, messageEnd('tool_use'));
    let running = 0;
    let most = 0;
    const tide = async ({ n }: { n: number }): Promise<string> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 6 - n));
      running -= 1;
      return String(n);
    };
    const { events, sent } = await play([turn, done], { tools: { tide }, concurrency: 2 });
    expect(most).toBe(2);
    expect(gist(events).filter((line) => line.includes('result'))).toHaveLength(5);
    expect(resultsIn(sent[1] ?? []).map((result) => (result as { content: string }).content)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
    ]);
  });
});
