import process from 'node:process';
import { anthropic } from '../src/anthropic.ts';
import { compareReplay, describeComparison } from '../src/testing/compare-replay.ts';
import { playTrip } from '../src/testing/forgetful/play-trip.ts';
import { tripTasks } from '../src/testing/forgetful/tasks.ts';

const comparison = await compareReplay({ dialect: anthropic, tasks: tripTasks, run: playTrip });
for (const { task, intact, stripped } of comparison.tasks) {
  const [one, other] = [intact, stripped].map(({ toolCalls, isComplete }) => `${toolCalls} ${isComplete ? '✓' : '✗'}`);
  process.stdout.write(`${task.name.padEnd(22)}${(one ?? '').padStart(10)}${(other ?? '').padStart(12)}\n`);
}
process.stdout.write(`\n${describeComparison(comparison)}\n`);

const { toolCalls, completion } = comparison;
const isWorse = toolCalls.stripped > toolCalls.intact && completion.stripped < completion.intact;
process.exitCode = isWorse ? 0 : 1;
