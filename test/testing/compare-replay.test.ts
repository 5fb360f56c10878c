import { describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import { compareReplay, describeComparison } from '../../src/testing/compare-replay.ts';
import { nextTurn } from '../../src/testing/forgetful/forgetful-model.ts';
import { playTrip } from '../../src/testing/forgetful/play-trip.ts';
import { type TripTask, tripTasks } from '../../src/testing/forgetful/tasks.ts';

const history = [
  { role: 'user', content: 'Go on' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Two things.', signature: 'c2ln' },
      { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
    ],
  },
];

describe('compareReplay', () => {
  test('runs each task twice, with its history intact and stripped of reasoning', async () => {
    const seen: unknown[] = [];
    const comparison = await compareReplay({
      dialect: anthropic,
      tasks: ['a', 'b'],
      run: async (task, { replay, prepare }) => {
        seen.push([task, replay, prepare(history)]);
        return { toolCalls: replay === 'intact' ? 2 : 3, isComplete: replay === 'intact' };
      },
    });
    const stripped = [history[0], { role: 'assistant', content: [{ ...(history[1]?.content[1] as object) }] }];
    expect(seen).toEqual([
      ['a', 'intact', history],
      ['a', 'stripped', stripped],
      ['b', 'intact', history],
      ['b', 'stripped', stripped],
    ]);
    expect(comparison).toMatchObject({
      toolCalls: { intact: 2, stripped: 3, test: { larger: 2, smaller: 0, probability: 0.5 } },
      completion: { intact: 1, stripped: 0, test: { larger: 0, smaller: 2 } },
    });
    expect(describeComparison(comparison).split('\n')).toEqual([
      '2 tasks                   intact    stripped   sign test',
      'tool calls per task          2.0         3.0   p = 0.50',
      'completed                  100 %         0 %   p = 0.50',
    ]);
  });

  test('refuses to compare nothing', async () => {
    const run = async (): Promise<never> => Promise.reject(new Error('not to be run'));
    await expect(compareReplay({ dialect: anthropic, tasks: [], run })).rejects.toThrow(TypeError);
  });
});

describe('the forgetful model', () => {
  test('has thirty tasks, each with a wish that matters most', () => {
    expect(tripTasks).toHaveLength(30);
    expect(new Set(tripTasks.map(({ name }) => name)).size).toBe(30);
    for (const { wishes, hard, question } of tripTasks) {
      expect(wishes.map(({ name }) => name)).toContain(hard);
      expect(question).toContain(`the right ${hard}`);
    }
  });

  test('calls more tools and completes fewer tasks when its reasoning does not come back', async () => {
    const { toolCalls, completion } = await compareReplay({ dialect: anthropic, tasks: tripTasks, run: playTrip });
    expect(toolCalls.stripped).toBeGreaterThan(1.3 * toolCalls.intact);
    expect(toolCalls.test.probability).toBeLessThan(0.001);
    expect(completion.stripped).toBeLessThan(completion.intact - 0.1);
  });

  test('searches by each wish once while its plan comes back', async () => {
    for (const task of tripTasks) {
      const { toolCalls } = await playTrip(task, { prepare: (entries) => entries });
      expect(toolCalls).toBe(task.wishes.length);
    }
  });

  test('knows nothing but the messages', () => {
    const [task] = tripTasks as [TripTask, ...TripTask[]];
    const first = nextTurn(task, []);
    expect(nextTurn(task, [])).toEqual(first);
    const thinking = `Plan: arrival then price. Hold to: arrival.`;
    const planned = [{ role: 'assistant', content: [{ type: 'thinking', thinking, signature: 'c2ln' }] }];
    expect(nextTurn(task, planned)).toMatchObject({ thinking, call: { input: { by: 'arrival' } } });
  });
});
