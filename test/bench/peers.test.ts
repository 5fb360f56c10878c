import { describe, expect, test } from 'vitest';
import { checkOutcome } from '../../bench/check-outcome.ts';
import { chunkingNames, cutChunks } from '../../bench/chunkings.ts';
import { loadPeer } from '../../bench/load-peer.ts';
import { smallProbes } from '../../bench/plan.ts';
import { peerNames } from '../../bench/probe.ts';
import { createRecording } from '../../bench/recordings.ts';

describe.each(smallProbes)('the peer $peer', ({ peer: name, recording: recordingName }) => {
  const recording = createRecording(recordingName);
  const { messages, inputPieces, dialect } = recording;

  test.each(chunkingNames)(`reads the whole stream ${recordingName} in chunks: %s`, async (chunking) => {
    const peer = await loadPeer(name);
    const outcome = await peer({ dialect, chunks: cutChunks(messages, chunking), inputPieces });
    expect(() => checkOutcome(outcome(), recording)).not.toThrow();
  });
});

describe('smallProbes', () => {
  test('lets every peer read something', () => {
    expect(new Set(smallProbes.map(({ peer }) => peer))).toEqual(new Set(peerNames));
  });
});

describe('checkOutcome', () => {
  const recording = createRecording('chat_mixed');
  const { textLength, reasoningLength, inputLength, blocks } = recording;
  const outcome = { textLength, inputLength, blocks };

  test.each([
    { textLength: textLength - 1 },
    { textLength: textLength - reasoningLength },
    { inputLength: 0 },
    { blocks: blocks + 1 },
    { shownLength: textLength },
    { losesReasoning: true },
    { losesInput: true },
  ] as const)('throws on an outcome with %j', (fault) => {
    expect(() => checkOutcome({ ...outcome, ...fault }, recording)).toThrow('The peer did not do the work');
  });

  test('takes an outcome without the reasoning from a peer that says so', () => {
    const withoutReasoning = { ...outcome, textLength: textLength - reasoningLength, losesReasoning: true } as const;
    expect(() => checkOutcome(withoutReasoning, recording)).not.toThrow();
  });

  test('takes an outcome without the input from a peer that says so', () => {
    const withoutInput = { ...outcome, inputLength: 0, losesInput: true } as const;
    expect(() => checkOutcome(withoutInput, recording)).not.toThrow();
  });
});
