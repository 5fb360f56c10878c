import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ToolResult } from '../../src/core/tool-results.ts';
import type { ToolCall } from '../../src/core/turn.ts';
import { createCallRunner } from '../../src/loop/call-runner.ts';

const first = { id: 'a', name: 'clock', input: {} } as unknown as ToolCall;
const second = { ...first, id: 'b' };

/** A runner of one call at a time, and the ids of those that ran. */
function recordedRunner() {
  const ran: string[] = [];
  const run = async ({ id }: ToolCall): Promise<ToolResult> => {
    ran.push(id);
    await setImmediate();
    return { id, content: id };
  };
  return { ran, runner: createCallRunner(run, 1) };
}

test('What waits for room when a runner is drained never runs', async () => {
  const { ran, runner } = recordedRunner();
  runner.start(first);
  runner.start(second);
  expect(await runner.drain()).toEqual([{ id: 'a', content: 'a' }]);
  expect(ran).toEqual(['a']);
});

test('A call that is started twice runs once', async () => {
  const { ran, runner } = recordedRunner();
  runner.start(first);
  runner.start(first);
  expect(await runner.finish()).toEqual([{ id: 'a', content: 'a' }]);
  expect(ran).toEqual(['a']);
});
