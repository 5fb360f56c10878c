export {
  type ComparedTask,
  type CompareReplayOptions,
  compareReplay,
  describeComparison,
  type Replay,
  type ReplayComparison,
  type RunContext,
  type RunOutcome,
} from './testing/compare-replay.ts';
export type { Fault, Faults } from './testing/fault.ts';
export { playTrip } from './testing/forgetful/play-trip.ts';
export { type TripTask, tripTasks, type Wish } from './testing/forgetful/tasks.ts';
export type { Script, ScriptedBlock, ScriptedTurn } from './testing/script.ts';
export { type ServedProvider, serveProvider } from './testing/serve-provider.ts';
export { type SignTest, signTest } from './testing/sign-test.ts';
export { type StrictProvider, type StrictProviderOptions, strictProvider } from './testing/strict-provider.ts';
