import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ToolCall } from '../../src/core/turn.ts';
import { runCall } from '../../src/loop/run-call.ts';

const call = { id: 'call_1', name: 'clock', input: {} } as unknown as ToolCall;
const unhandled: unknown[] = [];
const note = (cause: unknown): void => void unhandled.push(cause);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.off('unhandledRejection', note);
});

test('An approval that fails after the loop was stopped is nobody else’s failure', async () => {
  const approve = () => Promise.reject(new Error('The dialog was closed.'));
  const context = { signal: AbortSignal.abort(new Error('The user left.')), turnNumber: 1 };
  const result = await runCall(call, { tools: { clock: () => 'late' }, approve }, context);
  await setImmediate();
  expect(result).toEqual({ id: 'call_1', content: 'The user left.', isError: true });
  expect(unhandled).toEqual([]);
});

test('A tool does not run once its call was stopped', async () => {
  let ran = 0;
  const clock = () => {
    ran += 1;
    return Promise.reject(new Error('late'));
  };
  const context = { signal: AbortSignal.abort(new Error('The user left.')), turnNumber: 1 };
  const result = await runCall(call, { tools: { clock } }, context);
  await setImmediate();
  expect(result).toEqual({ id: 'call_1', content: 'The user left.', isError: true });
  expect(ran).toBe(0);
  expect(unhandled).toEqual([]);
});
