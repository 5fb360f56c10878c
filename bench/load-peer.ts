import type { Peer } from './peer.ts';
import type { PeerName } from './probe.ts';

/** Imports one peer and nothing of the others, so that each process holds the code of its own only. */
export function loadPeer(name: PeerName): Promise<Peer> {
  return loaders[name]();
}

const loaders: Record<PeerName, () => Promise<Peer>> = {
  floor: async () => (await import('./peers/floor.ts')).floor,
  wholeturn: async () => (await import('./peers/wholeturn.ts')).wholeturn,
  wholeturn_view: async () => (await import('./peers/wholeturn-view.ts')).wholeturnView,
  wholeturn_every_view: async () => (await import('./peers/wholeturn-every-view.ts')).wholeturnEveryView,
  anthropic_sdk: async () => (await import('./peers/anthropic-sdk.ts')).anthropicSdk,
  anthropic_sdk_input_json: async () => (await import('./peers/anthropic-sdk-input-json.ts')).anthropicSdkInputJson,
  openai_sdk: async () => (await import('./peers/openai-sdk.ts')).openaiSdk,
  openai_accumulator: async () => (await import('./peers/openai-accumulator.ts')).openaiAccumulator,
  google_genai: async () => (await import('./peers/google-genai.ts')).googleGenai,
  naive_chain: async () => (await import('./peers/naive-chain.ts')).naiveChain,
  partial_json: async () => (await import('./peers/partial-json.ts')).partialJson,
};
