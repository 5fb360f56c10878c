import { from, of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { call, messageEnd, sse, text, thinking } from '../dialects/anthropic/wire-events.ts';
import { answer, asked, gist, play, response, resultsIn } from './scripted-loop.ts';

const twoCalls = answer(
  'msg_1',
  thinking(0, 'Both, then.'),
  call(1, { name: 'tide', id: 'toolu_a' }, '{"port": "Harlow"}'),
  call(2, { name: 'wind', id: 'toolu_b' }, '{}'),
  messageEnd('tool_use'),
);
const oneCall = answer('msg_1', call(0, { name: 'tide', id: 'toolu_a' }, '{"port": "Harlow"}'), messageEnd('tool_use'));
const done = answer('msg_2', text(0, 'Low.'), messageEnd());

describe('toolLoop', () => {
  test('runs the tools of a turn, answers all calls at once in their order, and asks again until there is no call', async () => {
    const inputs: unknown[] = [];
    const { events, transcript, sent } = await play([twoCalls, done], {
      tools: {
        tide: async (input: { port: string }) => {
          inputs.push(input);
          await new Promise((resolve) => setTimeout(resolve, 5));
          return { metres: 1.5 };
        },
        wind: () => 'NW 5',
      },
    });
    expect(inputs).toEqual([{ port: 'Harlow' }]);
    expect(gist(events)).toEqual([
      'turn 1',
      '1 start tide',
      '1 start wind',
      '1 result wind',
      '1 result tide',
      'turn 2',
      'stop done 2',
    ]);
    expect(sent[1]?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(resultsIn(sent[1] ?? [])).toEqual([
      { type: 'tool_result', tool_use_id: 'toolu_a', content: '{"metres":1.5}' },
      { type: 'tool_result', tool_use_id: 'toolu_b', content: 'NW 5' },
    ]);
    expect(transcript.entries).toHaveLength(4);
    expect([transcript.isCycleOpen, transcript.pending]).toEqual([false, []]);
  });

  test('ends with the reason, the number of turns, the usage of all, and the last turn', async () => {
    const { events } = await play([oneCall, done], { tools: { tide: () => 'low' } });
    expect(events.filter(({ type }) => type === 'loop_stop')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({
      type: 'loop_stop',
      reason: 'done',
      turns: 2,
      usage: { inputTokens: 20, outputTokens: 40, cacheReadTokens: null, wire: null },
      turn: { turnId: 'msg_2', status: 'complete' },
    });
  });

  test('hands on the events of each turn with its number', async () => {
    const { events } = await play([oneCall, done], { tools: { tide: () => 'low' } });
    const stops = events.flatMap((event) => (event.type === 'turn_stop' ? [event.turnNumber] : []));
    expect(stops).toEqual([1, 2]);
    expect(events).toContainEqual({ type: 'text_delta', index: 0, text: 'Low.', turnNumber: 2 });
  });

  test.each([
    ['a response', response(done)],
    ['a promise of one', Promise.resolve(response(done))],
    ['a function that makes one', () => response(done)],
    ['an observable of chunks', of(sse(...done))],
    ['an observable of parsed events', from(done)],
  ])('takes from send %s', async (_what, source) => {
    const { events } = await play([source]);
    expect(events.at(-1)).toMatchObject({ reason: 'done', turn: { turnId: 'msg_2' } });
  });

  test('tells send the number of the turn and what the one before carries', async () => {
    const container = { container: { id: 'cont_1' } };
    const change = { type: 'message_delta', delta: { stop_reason: 'tool_use', ...container }, usage: {} };
    const carrying = [...oneCall.slice(0, -2), change, { type: 'message_stop' }];
    const { contexts } = await play([carrying, done], { tools: { tide: () => 'low' } });
    expect(contexts.map(({ turnNumber, carry }) => [turnNumber, carry])).toEqual([
      [1, {}],
      [2, container],
    ]);
  });

  test('sends a paused turn again as it is', async () => {
    const paused = answer('msg_1', text(0, 'Searching.'), messageEnd('pause_turn'));
    const { events, sent } = await play([paused, done]);
    expect(gist(events)).toEqual(['turn 1', 'turn 2', 'stop done 2']);
    expect(sent[1]?.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  test('stops after so many turns, with their calls answered', async () => {
    const again = answer('msg_2', call(0, { name: 'tide', id: 'toolu_b' }, '{}'), messageEnd('tool_use'));
    const { events, transcript } = await play([oneCall, again], { tools: { tide: () => 'low' }, maxTurns: 2 });
    expect(gist(events).slice(-2)).toEqual(['2 result tide', 'stop max_turns 2']);
    expect(transcript.pending).toEqual([]);
    expect(transcript.entries).toHaveLength(5);
  });

  test('goes on from calls that wait for their results', async () => {
    const first = await play([oneCall], { tools: { tide: () => 'low' }, maxTurns: 1 });
    const transcript = asked();
    const turn = first.events.find((event) => event.type === 'turn');
    if (turn?.type !== 'turn') throw new Error('there was a turn');
    transcript.commit(turn.turn);
    const { events, sent } = await play([done], { transcript, tools: { tide: () => 'high' } });
    expect(gist(events)).toEqual(['0 start tide', '0 result tide', 'turn 1', 'stop done 1']);
    expect(resultsIn(sent[0] ?? [])).toMatchObject([{ content: 'high' }]);
  });

  test('leaves a refused turn out, and says so', async () => {
    const refused = answer('msg_1', text(0, 'I will'), messageEnd('refusal'));
    const { events, transcript } = await play([refused]);
    expect(gist(events)).toEqual(['turn 1', 'stop refused 1']);
    expect(transcript.entries).toHaveLength(1);
  });

  test.each([{ maxTurns: 0 }, { concurrency: 0 }, { concurrency: Number.NaN }])('refuses %j', async (options) => {
    await expect(play([done], options)).rejects.toThrow(TypeError);
  });
});
