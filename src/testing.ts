export type { Fault, Faults } from './testing/fault.ts';
export type { Script, ScriptedBlock, ScriptedTurn } from './testing/script.ts';
export { type ServedProvider, serveProvider } from './testing/serve-provider.ts';
export { type StrictProvider, type StrictProviderOptions, strictProvider } from './testing/strict-provider.ts';
