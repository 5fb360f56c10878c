import { setImmediate as nextMacrotask } from 'node:timers/promises';
import { anthropic } from '../src/anthropic.ts';
import { type AssembledTurn, assembleTurn, type Turn } from '../src/index.ts';
import { cutChunks, responseOf } from './chunkings.ts';
import { plainCopy } from './plain-copy.ts';
import type { Holding } from './probe.ts';
import { createRecording } from './recordings.ts';

const heldTurns = 1000;
/** Turns before the first figure: code that is still being compiled would be counted as retained. */
const warmTurns = 200;

/**
 * Measures what a finished turn that is held costs beside the data of its blocks. Needs `--expose-gc`.
 *
 * The turns are mixed ones, read to their end with a subscriber. Then the same blocks are built once more, plainly,
 * and the turns are let go. The difference is the answer.
 *
 * @returns Bytes a turn, buffers included.
 */
export async function measureRetained(holding: Holding): Promise<number> {
  const { messages } = createRecording('mixed');
  for (let warm = 0; warm < warmTurns; warm++) plainCopy((await read(messages)).assembled.blocks);

  const empty = await usedBytes();
  const held: { readonly assembled: AssembledTurn; readonly live?: Turn }[] = [];
  while (held.length < heldTurns) {
    const { assembled, live } = await read(messages);
    held.push(holding === 'live_turn' ? { assembled, live } : { assembled });
  }
  const withTurns = (await usedBytes()) - empty;
  const plain = held.map(({ assembled }) => ({ assembled: plainCopy(assembled.blocks) }));
  held.length = 0;
  const withData = (await usedBytes()) - empty;
  if (plain.length !== heldTurns) throw new Error(`Expected ${heldTurns} copies, got ${plain.length}`);
  return (withTurns - withData) / heldTurns;
}

async function read(messages: readonly string[]): Promise<{ assembled: AssembledTurn; live: Turn }> {
  // Chunks of its own for each turn: bytes that a turn holds on to must not be shared with the next one.
  const live = assembleTurn(responseOf(cutChunks(messages, '16_kib')), anthropic);
  live.ui.subscribe();
  return { assembled: await live.settled(), live };
}

async function usedBytes(): Promise<number> {
  const { gc } = globalThis;
  if (!gc) throw new Error('Retained memory can be measured with `node --expose-gc` only');
  for (let times = 0; times < 4; times++) {
    await nextMacrotask();
    gc();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
