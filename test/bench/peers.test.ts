import { describe, expect, test } from 'vitest';
import { chunkingNames, cutChunks } from '../../bench/chunkings.ts';
import { loadPeer } from '../../bench/load-peer.ts';
import { type PeerName, peerNames } from '../../bench/probe.ts';
import { createRecording, type RecordingName } from '../../bench/recordings.ts';

const onlyToolInput: readonly PeerName[] = ['anthropic_sdk_input_json', 'partial_json'];

describe.each(peerNames)('the peer %s', (name) => {
  const recording: RecordingName = onlyToolInput.includes(name) ? 'tool_10kb' : 'mixed';
  const { messages, inputPieces, textLength, inputLength, blocks } = createRecording(recording);

  test.each(chunkingNames)(`reads the whole stream ${recording} in chunks: %s`, async (chunking) => {
    const peer = await loadPeer(name);
    const outcome = await peer({ chunks: cutChunks(messages, chunking), inputPieces });
    const shownLength = textLength + inputLength;
    expect({ shownLength, ...outcome() }).toEqual({ textLength, inputLength, blocks, shownLength });
  });
});
