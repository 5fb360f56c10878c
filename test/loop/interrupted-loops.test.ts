import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../src/index.ts';
import { call, messageEnd, messageStart, sse, start, text, thinking } from '../dialects/anthropic/wire-events.ts';
import { answer, asked, fed, gist, play, resultsIn, scripted, until } from './scripted-loop.ts';

const beginning = [
  messageStart({ id: 'msg_1' }),
  ...thinking(0, 'Both.'),
  ...call(1, { name: 'tide', id: 'toolu_a' }, '{}'),
  ...call(2, { name: 'wind', id: 'toolu_b' }, '{}'),
];
const twoCalls = [...beginning, ...messageEnd('tool_use')];
const done = answer('msg_2', text(0, 'Low.'), messageEnd());
const never = (): Promise<never> => new Promise(() => {});

describe('a turn that is cut', () => {
  test('ends the loop; what is finished of it is kept, and its calls are answered', async () => {
    const { events, transcript } = await play([beginning], { tools: { tide: never, wind: never } });
    expect(gist(events)).toEqual(['turn 1', 'stop interrupted 1']);
    expect(transcript.pending).toEqual([]);
    expect(transcript.entries.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(resultsIn(transcript.entries)).toMatchObject([{ tool_use_id: 'toolu_a', is_error: true }]);
  });

  test('keeps the results of tools that ran already, and runs none of them twice', async () => {
    const runs: string[] = [];
    const tools = {
      tide: async () => {
        runs.push('tide');
        await new Promise((resolve) => setTimeout(resolve, 5));
        return 'low';
      },
      wind: () => runs.push('wind'),
    };
    const { events, transcript } = await play([beginning], { tools, eager: true });
    expect(runs).toEqual(['tide']);
    expect(gist(events)).toEqual(['turn 1', '1 start tide', '1 result tide', 'stop interrupted 1']);
    expect(resultsIn(transcript.entries)).toEqual([{ type: 'tool_result', tool_use_id: 'toolu_a', content: 'low' }]);
  });

  test('leaves nothing, if that is asked for', async () => {
    const { transcript } = await play([beginning], { ifInterrupted: 'drop' });
    expect(transcript.entries).toHaveLength(1);
  });

  test('ends the loop as well when the provider reports an error', async () => {
    const failing = [...beginning, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }];
    const { events } = await play([failing]);
    expect(events.at(-1)).toMatchObject({ reason: 'interrupted', turn: { status: 'failed' } });
  });

  test('ends the loop when the request cannot be made', async () => {
    const { events, transcript } = await play([]);
    expect(events.at(-1)).toMatchObject({ reason: 'interrupted', turn: { status: 'failed' } });
    expect(transcript.entries).toHaveLength(1);
  });
});

describe('eager tools', () => {
  test('start while the turn still streams, once each', async () => {
    const chunks = fed();
    const runs: string[] = [];
    const transcript = asked();
    const tools = { tide: () => runs.push('tide'), wind: () => runs.push('wind') };
    const { loop } = scripted([chunks, done], transcript, { tools, eager: true });
    const events: LoopEvent[] = [];
    loop.subscribe((event) => events.push(event));
    chunks.next(sse(...beginning));
    await until(() => runs.length === 1);
    expect(runs).toEqual(['tide']);
    chunks.next(sse(...messageEnd('tool_use')));
    await until(() => events.at(-1)?.type === 'loop_stop');
    expect(runs).toEqual(['tide', 'wind']);
    expect(resultsIn(transcript.entries)).toMatchObject([{ content: '1' }, { content: '2' }]);
  });
});

describe('stopping', () => {
  test('by the signal while tools run: finished ones keep their results, the others get an error', async () => {
    const stop = new AbortController();
    const transcript = asked();
    const tools = { tide: () => 'low', wind: never };
    const { loop } = scripted([twoCalls], transcript, { tools, signal: stop.signal });
    const events: LoopEvent[] = [];
    loop.subscribe((event) => events.push(event));
    await until(() => events.some(({ type }) => type === 'tool_result'));
    stop.abort();
    await until(() => events.at(-1)?.type === 'loop_stop');
    expect(events.at(-1)).toMatchObject({ reason: 'aborted' });
    expect(resultsIn(transcript.entries)).toMatchObject([{ content: 'low' }, { is_error: true }]);
    expect(transcript.pending).toEqual([]);
  });

  test('by unsubscribing in the middle of a turn: the source is cancelled, and the transcript is right', async () => {
    const chunks = fed();
    const transcript = asked();
    const { loop } = scripted([chunks], transcript);
    const subscription = loop.subscribe();
    chunks.next(sse(messageStart({ id: 'msg_1' }), ...text(0, 'High.'), start(1, { type: 'text', text: '' })));
    await until(() => chunks.observed);
    subscription.unsubscribe();
    await until(() => transcript.entries.length === 2);
    expect(chunks.observed).toBe(false);
    expect(transcript.entries[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'High.' }] });
  });

  test('before it begins asks for nothing', async () => {
    const { events, sent } = await play([done], { signal: AbortSignal.abort() });
    expect(gist(events)).toEqual(['stop aborted 0']);
    expect(sent).toEqual([]);
  });

  test('leaves no listener at the signal', async () => {
    const stop = new AbortController();
    let listeners = 0;
    const { signal } = stop;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    Object.assign(signal, {
      addEventListener: (...args: Parameters<typeof add>) => {
        listeners += 1;
        add(...args);
      },
      removeEventListener: (...args: Parameters<typeof remove>) => {
        listeners -= 1;
        remove(...args);
      },
    });
    await play([twoCalls, done], { tools: { tide: () => 'low', wind: () => 'NW' }, signal });
    expect(listeners).toBe(0);
  });
});
