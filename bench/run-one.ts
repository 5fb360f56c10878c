import { parseArgs } from 'node:util';
import { chunkingNames } from './chunkings.ts';
import { loadPeer } from './load-peer.ts';
import { measurePeer } from './measure-peer.ts';
import { measureRetained } from './measure-retained.ts';
import { type Effort, holdings, peerNames } from './probe.ts';
import { recordingNames } from './recordings.ts';

// One measurement in a process of its own; writes it to stdout as one line of JSON.
//   run-one.ts <peer> <recording> <chunking> <warmUp> <minimum> <maximum> <budget> <events>
//   run-one.ts retained <holding>          (with --expose-gc)
const { positionals } = parseArgs({ allowPositionals: true });
const [peer, recording, chunking, ...numbers] = positionals;

if (peer === 'retained') {
  console.log(JSON.stringify({ bytesPerTurn: await measureRetained(oneOf(holdings, recording)) }));
} else {
  const probe = {
    peer: oneOf(peerNames, peer),
    recording: oneOf(recordingNames, recording),
    chunking: oneOf(chunkingNames, chunking),
  };
  console.log(JSON.stringify(await measurePeer(await loadPeer(probe.peer), probe, parseEffort(numbers))));
}

function oneOf<Name extends string>(names: readonly Name[], given: string | undefined): Name {
  const name = names.find((candidate) => candidate === given);
  if (name === undefined) throw new TypeError(`Expected one of ${names.join(', ')}, got ${given}`);
  return name;
}

function parseEffort(numbers: readonly string[]): Effort {
  const [warmUp = 0, minimum = 1, maximum = 1, budget = 0, events = 0] = numbers.map(Number);
  return { warmUp, minimum, maximum, budget, events };
}
